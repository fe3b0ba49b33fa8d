# SPDX-License-Identifier: GPL-3.0-or-later
"""Small generated album covers: a sun or moon over hills."""

import math
import subprocess

from albums import Cover

SIZE = 320
ENCODERS = {"jpg": ["-c:v", "mjpeg", "-q:v", "4"], "png": ["-c:v", "png", "-pred", "mixed"]}


def paint(cover: Cover) -> bytes:
    """Return the picture as a PPM file."""
    pixels = bytearray()
    for y in range(SIZE):
        for x in range(SIZE):
            pixels += bytes(colour_at(x / SIZE, y / SIZE, cover))
    return f"P6 {SIZE} {SIZE} 255\n".encode() + bytes(pixels)


def colour_at(x: float, y: float, cover: Cover) -> tuple[int, ...]:
    """Return the colour of a point; both coordinates run from 0 to 1."""
    for hill in (2, 1, 0):
        crest = 0.58 + 0.13 * hill + 0.05 * math.sin(7.0 * x + 2.3 * hill)
        if y > crest:
            return blend(cover.ground, cover.sky, 0.45 - 0.2 * hill)
    if math.hypot(x - 0.68, y - 0.3) < 0.13:
        return blend(cover.sky, (255, 255, 255), 0.7)
    return blend(cover.sky, (255, 255, 255), 0.1 * math.floor(4.0 * y))


def blend(
    one: tuple[int, ...], other: tuple[int, ...], share: float
) -> tuple[int, ...]:
    """Return a colour `share` of the way from one colour to another."""
    return tuple(round(a + share * (b - a)) for a, b in zip(one, other))


def encode(cover: Cover, suffix: str) -> bytes:
    """Return the picture as a JPEG or PNG file."""
    command = ["ffmpeg", "-v", "error", "-f", "ppm_pipe", "-i", "-"]
    command += ENCODERS[suffix]
    command += ["-flags", "+bitexact", "-fflags", "+bitexact", "-f", "image2pipe", "-"]
    return subprocess.run(command, input=paint(cover), capture_output=True, check=True).stdout
