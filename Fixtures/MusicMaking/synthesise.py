#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Create the music in Fixtures/Music again.

Needs flac, lame, oggenc, opusenc, ffmpeg and the Python package mutagen.
Two runs with the same versions of these give the same bytes.
"""

import subprocess
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import cover
from albums import ALBUMS, Album, Track
from loudness import gain_tags, measure
from studio import Recording, perform
from tagging import write_tags

MUSIC = Path(__file__).resolve().parent.parent / "Music"


def flac_command(wav: str, out: str, serial: str) -> list[str]:
    """Return the command for a FLAC file."""
    return ["flac", "--silent", "--best", "--no-padding", "--force", wav, "-o", out]


def mp3_command(wav: str, out: str, serial: str) -> list[str]:
    """Return the command for a variable-rate MP3 file with a LAME tag."""
    return ["lame", "--quiet", "-V", "5", wav, out]


def vorbis_command(wav: str, out: str, serial: str) -> list[str]:
    """Return the command for an Ogg Vorbis file."""
    return ["oggenc", "--quiet", "--quality", "2", "--serial", serial, "-o", out, wav]


def opus_command(wav: str, out: str, serial: str) -> list[str]:
    """Return the command for an Opus file."""
    return ["opusenc", "--quiet", "--music", "--bitrate", "56", "--serial", serial, wav, out]


def wav_command(wav: str, out: str, serial: str) -> list[str]:
    """Return the command for a WAV file, which is the master as it is."""
    return ["cp", wav, out]


COMMANDS: dict[str, Callable[[str, str, str], list[str]]] = {
    ".flac": flac_command,
    ".mp3": mp3_command,
    ".ogg": vorbis_command,
    ".opus": opus_command,
    ".wav": wav_command,
}


def main() -> None:
    """Make every album."""
    for album in ALBUMS:
        make_album(album)


def make_album(album: Album) -> None:
    """Make the audio, tags and cover of one album."""
    paths = [MUSIC / album.directory / track.path for track in album.tracks]
    recordings: dict[int, Recording] = {}
    for path, track in zip(paths, album.tracks):
        if id(track.score) not in recordings:
            recordings[id(track.score)] = perform(track.score, album.rate, album.channels)
        path.parent.mkdir(parents=True, exist_ok=True)
        encode(recordings[id(track.score)].cut(track.first, track.end), path)
    tag_album(album, paths)
    if album.cover.file:
        picture = MUSIC / album.directory / album.cover.file
        picture.write_bytes(cover.encode(album.cover, picture.suffix[1:]))


def encode(recording: Recording, path: Path) -> None:
    """Encode a recording into the format that the suffix of the path names."""
    serial = str(zlib.crc32(path.name.encode()) & 0x7FFF_FFFF)
    with tempfile.TemporaryDirectory() as directory:
        wav = Path(directory) / "master.wav"
        recording.write(wav)
        command = COMMANDS[path.suffix](str(wav), str(path), serial)
        subprocess.run(command, check=True)


def tag_album(album: Album, paths: list[Path]) -> None:
    """Write the tags of every track; gains are measured before any tagging."""
    jpeg = cover.encode(album.cover, "jpg") if album.cover.embedded else None
    gains = measure_gains(paths) if album.replay_gain else [{} for _ in paths]
    for path, track, gain in zip(paths, album.tracks, gains):
        write_tags(path, album.tags | track.tags | gain, jpeg)


def measure_gains(paths: list[Path]) -> list[dict]:
    """Return the gain tags of each file of an album."""
    whole = measure(paths)
    return [gain_tags(path, measure([path]), whole) for path in paths]


if __name__ == "__main__":
    main()
