# SPDX-License-Identifier: GPL-3.0-or-later
"""Write tags and pictures into files, with mutagen."""

import base64
from pathlib import Path

from mutagen import id3
from mutagen.flac import FLAC, Picture
from mutagen.mp3 import MP3
from mutagen.oggopus import OggOpus
from mutagen.oggvorbis import OggVorbis
from mutagen.wave import WAVE

from albums import Tags
from cover import SIZE as COVER_SIZE

VORBIS_COMMENT_TYPES = {".flac": FLAC, ".ogg": OggVorbis, ".opus": OggOpus}
ID3_TYPES = {".mp3": MP3, ".wav": WAVE}

ID3_FRAMES = {
    "title": id3.TIT2,
    "artist": id3.TPE1,
    "album": id3.TALB,
    "albumartist": id3.TPE2,
    "date": id3.TDRC,
    "genre": id3.TCON,
    "composer": id3.TCOM,
    "titlesort": id3.TSOT,
    "artistsort": id3.TSOP,
    "albumsort": id3.TSOA,
    "albumartistsort": id3.TSO2,
    "composersort": id3.TSOC,
}
ID3_COUNTED_FRAMES = (
    (id3.TRCK, "tracknumber", "tracktotal"),
    (id3.TPOS, "discnumber", "disctotal"),
)
ID3_USER_TEXTS = {"musicbrainz_albumid": "MusicBrainz Album Id"}


def write_tags(path: Path, tags: Tags, jpeg: bytes | None) -> None:
    """Write the tags, and a front cover if there is one, into a file."""
    if path.suffix in VORBIS_COMMENT_TYPES:
        write_vorbis_comments(path, tags, jpeg)
    else:
        write_id3(path, tags, jpeg)


def write_vorbis_comments(path: Path, tags: Tags, jpeg: bytes | None) -> None:
    """Write Vorbis comments into a FLAC, Ogg Vorbis or Opus file."""
    file = VORBIS_COMMENT_TYPES[path.suffix](path)
    for name, value in tags.items():
        file[name.upper()] = value
    if jpeg and isinstance(file, FLAC):
        file.add_picture(front_cover(jpeg))
    elif jpeg:
        block = base64.b64encode(front_cover(jpeg).write()).decode()
        file["METADATA_BLOCK_PICTURE"] = block
    file.save(padding=lambda info: 256)


def front_cover(jpeg: bytes) -> Picture:
    """Return a JPEG as a FLAC picture block."""
    picture = Picture()
    picture.type = id3.PictureType.COVER_FRONT
    picture.mime = "image/jpeg"
    picture.width = picture.height = COVER_SIZE
    picture.depth = 24
    picture.data = jpeg
    return picture


def write_id3(path: Path, tags: Tags, jpeg: bytes | None) -> None:
    """Write an ID3v2.4 tag into an MP3 or WAV file."""
    file = ID3_TYPES[path.suffix](path)
    file.add_tags()
    for name, frame in ID3_FRAMES.items():
        if name in tags:
            file.tags.add(frame(encoding=id3.Encoding.UTF8, text=tags[name]))
    for frame, number, total in ID3_COUNTED_FRAMES:
        file.tags.add(frame(encoding=id3.Encoding.LATIN1, text=f"{tags[number]}/{tags[total]}"))
    for name, description in ID3_USER_TEXTS.items():
        if name in tags:
            file.tags.add(id3.TXXX(
                encoding=id3.Encoding.LATIN1, desc=description, text=tags[name]))
    if jpeg:
        file.tags.add(id3.APIC(
            encoding=id3.Encoding.LATIN1, mime="image/jpeg",
            type=id3.PictureType.COVER_FRONT, desc="", data=jpeg))
    file.save(padding=lambda info: 256)
