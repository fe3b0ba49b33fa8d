# SPDX-License-Identifier: GPL-3.0-or-later
"""The content of each album: files, tags, covers and formats.

Tag names are those of Vorbis comments, in lower case; `tagging.py` turns them
into ID3 frames for the formats that need them. A tag may have several values.
"""

from typing import NamedTuple

import scores
from notation import Score

Tags = dict[str, str | list[str]]

# Where the recording of the canon is cut into three tracks, in frames. The
# numbers are odd, so on no block or packet boundary of any codec, and in mid-sound.
CANON_CUTS = (373_917, 741_203)

# A made-up identifier (a valid version 4 UUID): there is no such release.
MADE_UP_ALBUM_ID = "5e60e5e6-0000-4000-8000-5e60e5e60001"


class Track(NamedTuple):
    """One file: its path in the album, its music, and its own tags.

    `first` and `end` choose part of the recording, in frames.
    """

    path: str
    score: Score
    tags: Tags
    first: int = 0
    end: int | None = None


class Cover(NamedTuple):
    """A generated picture: its file beside the tracks, and whether they embed it."""

    file: str | None
    embedded: bool
    sky: tuple[int, int, int]
    ground: tuple[int, int, int]


class Album(NamedTuple):
    """A directory of tracks with the tags that all of them share."""

    directory: str
    rate: int
    channels: int
    cover: Cover
    replay_gain: bool
    tags: Tags
    tracks: tuple[Track, ...]


GROUND_AND_AIR = Album(
    "The Clockwork Consort/Ground and Air", 44_100, 2,
    Cover("cover.jpg", True, (238, 196, 120), (60, 76, 110)),
    True,
    {
        "album": "Ground and Air",
        "albumartist": "The Clockwork Consort",
        "albumartistsort": "Clockwork Consort, The",
        "artist": "The Clockwork Consort",
        "artistsort": "Clockwork Consort, The",
        "date": "2024-03-21",
        "genre": "Classical",
        "tracktotal": "4",
        "discnumber": "1",
        "disctotal": "1",
    },
    (
        Track("01 Canon in D, Part One.flac", scores.CANON, {
            "title": "Canon in D, Part One", "tracknumber": "1",
            "composer": "Johann Pachelbel", "composersort": "Pachelbel, Johann",
        }, 0, CANON_CUTS[0]),
        Track("02 Canon in D, Part Two.flac", scores.CANON, {
            "title": "Canon in D, Part Two", "tracknumber": "2",
            "composer": "Johann Pachelbel", "composersort": "Pachelbel, Johann",
        }, *CANON_CUTS),
        Track("03 Canon in D, Part Three.flac", scores.CANON, {
            "title": "Canon in D, Part Three", "tracknumber": "3",
            "composer": "Johann Pachelbel", "composersort": "Pachelbel, Johann",
        }, CANON_CUTS[1]),
        Track("04 Gymnopedie No. 1.flac", scores.GYMNOPEDIE, {
            "title": "Gymnopédie No. 1", "tracknumber": "4",
            "composer": "Erik Satie", "composersort": "Satie, Erik",
        }),
    ),
)

PARLOUR_PIECES = Album(
    "Music Box Theatre/Parlour Pieces", 44_100, 2,
    Cover(None, True, (222, 160, 170), (96, 52, 84)),
    False,
    {
        "album": "Parlour Pieces",
        "albumartist": "Music Box Theatre",
        "artist": "Music Box Theatre",
        "date": "2023",
        "genre": "Classical",
        "disctotal": "2",
        "musicbrainz_albumid": MADE_UP_ALBUM_ID,
    },
    (
        Track("CD1/01 Prelude in C.mp3", scores.PRELUDE_IN_C, {
            "title": "Prelude in C", "tracknumber": "1", "tracktotal": "2",
            "discnumber": "1", "composer": "Johann Sebastian Bach",
        }),
        Track("CD1/02 Fur Elise.mp3", scores.FUER_ELISE, {
            "title": "Für Elise", "titlesort": "Fur Elise",
            "tracknumber": "2", "tracktotal": "2",
            "discnumber": "1", "composer": "Ludwig van Beethoven",
        }),
        Track("CD2/01 Lullaby.mp3", scores.LULLABY, {
            "title": "Lullaby", "tracknumber": "1", "tracktotal": "3",
            "discnumber": "2", "composer": "Johannes Brahms",
        }),
        Track("CD2/02 Morning Mood.mp3", scores.MORNING_MOOD, {
            "title": "Morning Mood", "tracknumber": "2", "tracktotal": "3",
            "discnumber": "2", "composer": "Edvard Grieg",
        }),
        Track("CD2/03 The Entertainer.mp3", scores.ENTERTAINER, {
            "title": "The Entertainer", "titlesort": "Entertainer, The",
            "tracknumber": "3", "tracktotal": "3", "genre": "Ragtime",
            "discnumber": "2", "composer": "Scott Joplin",
        }),
    ),
)

OLD_TUNES = Album(
    "Various Artists/Old Tunes, New Friends", 44_100, 2,
    Cover("cover.jpg", True, (170, 212, 190), (44, 92, 72)),
    True,
    {
        "album": "Old Tunes, New Friends",
        "albumartist": "Various Artists",
        "compilation": "1",
        "date": "2022-11-05",
        "tracktotal": "4",
        "discnumber": "1",
        "disctotal": "1",
    },
    (
        Track("01 Greensleeves.ogg", scores.GREENSLEEVES, {
            "title": "Greensleeves", "tracknumber": "1", "artist": "Lute at Dusk",
            "genre": "Folk", "composer": "Traditional",
        }),
        Track("02 Minuet in G.opus", scores.MINUET, {
            "title": "Minuet in G", "tracknumber": "2",
            "artist": ["The Clockwork Consort", "Two Harpsichords"],
            "genre": ["Classical", "Dance"], "composer": "Christian Petzold",
        }),
        Track("03 Ode to Joy.ogg", scores.ODE_TO_JOY, {
            "title": "Ode to Joy", "tracknumber": "3", "artist": "Village Organ",
            "genre": "Classical", "composer": "Ludwig van Beethoven",
        }),
        Track("04 Auld Lang Syne.opus", scores.AULD_LANG_SYNE, {
            "title": "Auld Lang Syne", "tracknumber": "4", "artist": "Lute at Dusk",
            "genre": "Folk", "composer": "Traditional",
        }),
    ),
)

SONGS_OF_JAPAN = Album(
    "時計の楽団/日本のうた", 22_050, 1,
    Cover("cover.png", False, (250, 220, 228), (176, 64, 96)),
    False,
    {
        "album": "日本のうた",
        "albumsort": "Nihon no Uta",
        "albumartist": "時計の楽団",
        "albumartistsort": "Tokei no Gakudan",
        "artist": "時計の楽団",
        "artistsort": "Tokei no Gakudan",
        "date": "2021",
        "genre": "唱歌",
        "tracktotal": "3",
        "discnumber": "1",
        "disctotal": "1",
    },
    (
        Track("01 さくらさくら.opus", scores.SAKURA, {
            "title": "さくらさくら", "titlesort": "Sakura Sakura", "tracknumber": "1",
            "composer": "日本古謡", "composersort": "Nihon Koyou",
        }),
        Track("02 荒城の月.flac", scores.KOJO_NO_TSUKI, {
            "title": "荒城の月", "titlesort": "Koujou no Tsuki", "tracknumber": "2",
            "composer": "滝廉太郎", "composersort": "Taki Rentarou",
        }),
        Track("03 ちょうちょう.wav", scores.CHOCHO, {
            "title": "ちょうちょう", "titlesort": "Chouchou", "tracknumber": "3",
            "composer": "ドイツ民謡", "composersort": "Doitsu Min'you",
        }),
    ),
)

ALBUMS = (GROUND_AND_AIR, PARLOUR_PIECES, OLD_TUNES, SONGS_OF_JAPAN)
