# SPDX-License-Identifier: GPL-3.0-or-later
"""Realistic albums, reproducible from a seed."""

import random
from dataclasses import dataclass, field
from typing import Iterator

from vocabulary import GENRES, STOCK, artist, rank, words

FORMATS = {"flac": 40, "mp3": 30, "ogg": 10, "opus": 10, "wav": 10}


@dataclass
class File:
    """A file with its path relative to the root, and its tags by the names of TagLib's property map."""
    path: str
    format: str
    tags: list[tuple[str, str]] = field(default_factory=list)
    cover: int = 0
    milliseconds: int = 0


def file_name(name: str) -> str:
    """A valid file name."""
    return name.replace("/", "-").encode()[:180].decode(errors="ignore").strip(". ") or "Untitled"


def artist_tags(name: str, sort: str | None, key: str) -> list[tuple[str, str]]:
    return [(key, name)] + ([(key + "SORT", sort)] if sort else [])


def album(seed: int, number: int, artist_count: int) -> list[File]:
    """The files of the album with this number."""
    source = random.Random(f"{seed}/{number}")
    script, name, sort = artist(rank(source, artist_count))
    title = words(source, script, source.choice([1, 1, 2, 2, 3, 4]))
    if source.random() < 0.02:
        title = STOCK[rank(source, len(STOCK))]
    year = int(2025 - 70 * source.random() ** 2)
    kind = source.choices(["plain", "compilation", "discs", "formats", "single", "untagged"], [70, 8, 10, 5, 5, 2])[0]
    discs = source.choice([2, 2, 2, 3, 5]) if kind == "discs" else 1
    has_directories = source.random() < 0.5
    formats = source.choices(list(FORMATS), FORMATS.values(), k=2 if kind == "formats" else 1)
    cover = source.randrange(20_000, 100_000) if source.random() < 0.1 else 0
    genres = list({GENRES[rank(source, len(GENRES))] for _ in range(source.choice([1, 1, 1, 2, 3]))})
    shared = [("ALBUM", title), ("DATE", f"{year}-{source.randint(1, 12):02}-{source.randint(1, 28):02}"
                                 if source.random() < 0.3 else f"{year}")]
    shared += [("GENRE", genre) for genre in sorted(genres)]
    if kind == "compilation":
        shared += [("COMPILATION", "1")] if source.random() < 0.7 else []
        shared += [("ALBUMARTIST", "Various Artists")] if source.random() < 0.7 else []
    elif source.random() < 0.6:
        shared += artist_tags(name, sort, "ALBUMARTIST")
    if source.random() < 0.4:
        shared += [("MUSICBRAINZ_ALBUMID", "%08x-%04x-4%03x-8%03x-%012x" % tuple(
            source.getrandbits(bits) for bits in (32, 16, 12, 12, 48)))]
        shared += [("LABEL", words(source, "latin", 2)), ("CATALOGNUMBER", f"CD {source.randrange(9999)}"),
                   ("MEDIA", "CD"), ("RELEASECOUNTRY", "XW"), ("SCRIPT", script)]
    gain = f"{-10 * source.random():.2f} dB" if source.random() < 0.4 else None
    composer = artist(rank(source, artist_count))[1] if source.random() < 0.2 else None

    files: list[File] = []
    tracks = source.randint(1, 2) if kind == "single" else source.randint(6, 16)
    album_path = f"{file_name('Various Artists' if kind == 'compilation' else name)}/{file_name(f'{year} {title}')} {number:05}"
    listing = []
    for disc in range(1, discs + 1):
        for track in range(1, tracks + 1):
            track_title = words(source, script, source.choice([1, 1, 2, 2, 3, 4, 5]))
            if source.random() < 0.05:
                track_title += source.choice([" (Live)", " (Remix)", f", No. {track}", " / " + track_title, " 2"])
            if kind == "compilation":
                tags = [("ARTIST", artist(rank(source, artist_count))[1])]
            elif source.random() < 0.05:
                tags = [("ARTIST", name), ("ARTIST", artist(rank(source, artist_count))[1])]
            else:
                tags = artist_tags(name, sort, "ARTIST")
            tags += [("TITLE", track_title), ("TRACKNUMBER", f"{track}/{tracks}" if number % 2 else f"{track}")]
            if discs > 1 and not (has_directories and number % 3 == 0):
                tags += [("DISCNUMBER", f"{disc}/{discs}" if number % 2 else f"{disc}")]
            if composer:
                tags += [("COMPOSER", composer)]
            if gain:
                tags += [("REPLAYGAIN_TRACK_GAIN", f"{-12 * source.random():.2f} dB"), ("REPLAYGAIN_TRACK_PEAK", "0.98"),
                         ("REPLAYGAIN_ALBUM_GAIN", gain), ("REPLAYGAIN_ALBUM_PEAK", "0.99")]
            listing.append((disc, track, track_title, tags, source.randint(60_000, 600_000)))
    for position, suffix in enumerate(formats):
        top = album_path + (f" [{suffix} {position}]" if position else "")
        for disc, track, track_title, tags, milliseconds in listing:
            directory = f"{top}/CD{disc}" if discs > 1 and has_directories else top
            prefix = f"{disc}-{track:02}" if discs > 1 and not has_directories else f"{track:02}"
            all_tags = [] if kind == "untagged" else tags + shared
            files.append(File(
                f"{directory}/{prefix} {file_name(track_title)}.{suffix}", suffix, all_tags, cover, milliseconds))
    return files


def library(count: int, seed: int) -> Iterator[list[File]]:
    """Albums with `count` files in total."""
    artist_count = max(20, count // 30)
    number = 0
    while count > 0:
        files = album(seed, number, artist_count)[:count]
        count -= len(files)
        number += 1
        yield files
