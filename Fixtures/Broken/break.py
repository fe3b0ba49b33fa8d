#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Create the broken fixtures again, beside this script.

Needs flac, lame, oggenc, ffmpeg and the Python package mutagen. Each file is
described in README.md. Sounds are short and quiet unless the test needs more.
"""

import array
import math
import random
import struct
import subprocess
import tempfile
from pathlib import Path

from mutagen import id3
from mutagen.flac import FLAC

HERE = Path(__file__).resolve().parent
RATE = 44_100
PCM, FLOAT = 1, 3
UNKNOWN_LENGTH = 0xFFFF_FFFF

HOSTILE_TITLE = "Clear\x1b[2J\x1b]0;owned\x07 line\nnext\x85\x9b31m \u202eesrever\u202c end"
LONG_ARTIST = "Long " * 200


def main() -> None:
    """Make every broken file."""
    with tempfile.TemporaryDirectory() as directory:
        sounds = Path(directory)
        make_sounds(sounds)
        break_ends(sounds)
        break_beginnings(sounds)
        break_names(sounds)
        break_streams(sounds)
        break_tags(sounds)
    break_wav_headers()
    break_other_headers()
    break_float_samples()
    make_other_formats()


# --- Sound to break ---------------------------------------------------------


def tone(seconds: float, frequency: float = 440.0, height: float = 0.25) -> list[float]:
    """Return a sine with a short fade at both ends."""
    count = int(seconds * RATE)
    fade = RATE // 50
    return [
        height
        * min(1.0, index / fade, (count - 1 - index) / fade)
        * math.sin(2.0 * math.pi * frequency * index / RATE)
        for index in range(count)
    ]


def contrasts() -> list[float]:
    """Return noise, silence and tones in turn, so that the bit rate varies widely.

    The noise, which needs the highest bit rate, comes first: a length guessed
    from the first frames is too short.
    """
    noise = random.Random(1)
    hiss = [noise.uniform(-0.2, 0.2) for _ in range(RATE)]
    silence = [0.0] * RATE
    return hiss + silence + tone(1.0) + silence + hiss + tone(1.0, 660.0)


def pcm(samples: list[float]) -> bytes:
    """Return 16-bit little-endian samples."""
    return struct.pack(f"<{len(samples)}h", *(round(32767 * sample) for sample in samples))


def wav(
    data: bytes,
    promised: int | None = None,
    rate: int = RATE,
    channels: int = 1,
    coding: int = PCM,
    bits: int = 16,
) -> bytes:
    """Return a WAV file; `promised` is a false data length."""
    length = len(data) if promised is None else promised
    frame = channels * bits // 8
    shape = struct.pack(
        "<HHIIHH", coding, channels, rate, rate * frame & UNKNOWN_LENGTH, frame, bits
    )
    riff_length = min(36 + length, UNKNOWN_LENGTH)
    return (
        struct.pack("<4sI4s4sI", b"RIFF", riff_length, b"WAVE", b"fmt ", len(shape))
        + shape
        + struct.pack("<4sI", b"data", length)
        + data
    )


def run(*command: str | Path) -> None:
    """Run an encoder; an error ends the script."""
    subprocess.run([str(word) for word in command], check=True)


def put(name: str, data: bytes) -> None:
    """Write one broken file."""
    (HERE / name).write_bytes(data)


def make_sounds(sounds: Path) -> None:
    """Encode the sound files that are then broken."""
    (sounds / "tone.wav").write_bytes(wav(pcm(tone(1.5))))
    (sounds / "second.wav").write_bytes(wav(pcm(tone(1.0, 660.0))))
    (sounds / "contrasts.wav").write_bytes(wav(pcm(contrasts())))
    flac = ("flac", "--silent", "--no-padding", "--blocksize=4096")
    run(*flac, sounds / "tone.wav", "-o", sounds / "tone.flac")
    run("lame", "--quiet", "-V", "5", sounds / "tone.wav", sounds / "tone.mp3")
    lame = ("lame", "--quiet", "--resample", "44.1", "-V", "6", "-t")
    run(*lame, sounds / "contrasts.wav", sounds / "contrasts.mp3")
    for serial, name in (("11", "tone"), ("22", "second"), ("33", "contrasts")):
        source, target = sounds / f"{name}.wav", sounds / f"{name}.ogg"
        run("oggenc", "--quiet", "--quality", "1", "--serial", serial, "-o", target, source)


# --- Ways to break it -------------------------------------------------------


def break_ends(sounds: Path) -> None:
    """Cut files off in mid-stream."""
    for source in ("tone.flac", "tone.mp3", "contrasts.ogg"):
        whole = (sounds / source).read_bytes()
        put(f"truncated{Path(source).suffix}", whole[: len(whole) * 3 // 5])
    data = pcm(tone(0.3))
    put("truncated.wav", wav(data, promised=4 * len(data)))


def break_beginnings(sounds: Path) -> None:
    """Leave out everything, or everything but the beginning."""
    put("empty.flac", b"")
    put("empty.mp3", b"")
    put("header-only.flac", flac_metadata((sounds / "tone.flac").read_bytes()))
    put("header-only.wav", wav(b""))
    tags = id3.ID3()
    tags.add(id3.TIT2(encoding=id3.Encoding.UTF8, text="Only a tag"))
    (HERE / "tag-only.mp3").unlink(missing_ok=True)
    tags.save(HERE / "tag-only.mp3")


def flac_metadata(whole: bytes) -> bytes:
    """Return the metadata blocks of a FLAC file, without any audio."""
    position = 4
    last = False
    while not last:
        last = bool(whole[position] & 0x80)
        position += 4 + int.from_bytes(whole[position + 1 : position + 4], "big")
    return whole[:position]


def break_names(sounds: Path) -> None:
    """Give files the suffix of another format."""
    put("actually-mp3.flac", (sounds / "tone.mp3").read_bytes())
    put("actually-flac.mp3", (sounds / "tone.flac").read_bytes())
    put("text.mp3", b"This is a text file. It has never been music.\n" * 20)
    picture = ("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=teal:s=32x32")
    run(*picture, "-frames:v", "1", "-c:v", "png", "-f", "image2", HERE / "png.ogg")


def break_streams(sounds: Path) -> None:
    """Damage, join or pad streams."""
    whole = (sounds / "tone.flac").read_bytes()
    middle = len(whole) // 2
    put("corrupt-middle.flac", whole[:middle] + b"\x55" * 64 + whole[middle + 64 :])
    put("noise.flac", random.Random(2).randbytes(8_192))
    put("vbr-no-xing.mp3", (sounds / "contrasts.mp3").read_bytes())
    first, second = ((sounds / f"{name}.ogg").read_bytes() for name in ("tone", "second"))
    put("chained.ogg", first + second)
    put("junk-tail.ogg", first + random.Random(3).randbytes(4_096))


def break_tags(sounds: Path) -> None:
    """Write tags that try to confuse a terminal or a parser."""
    put("tags-hostile.flac", (sounds / "tone.flac").read_bytes())
    file = FLAC(HERE / "tags-hostile.flac")
    file["TITLE"] = HOSTILE_TITLE + "\x00after NUL"
    file["ARTIST"] = LONG_ARTIST
    file["ALBUM"] = "\x1b[31mRed\x1b[0m\r\tTab"
    file["DATE"] = "99999"
    file["TRACKNUMBER"] = "-1"
    file["DISCNUMBER"] = "18446744073709551616"
    file["REPLAYGAIN_TRACK_GAIN"] = "+1e9 dB"
    file["REPLAYGAIN_TRACK_PEAK"] = "nan"
    file.save(padding=lambda info: 0)
    put("tags-hostile.mp3", (sounds / "tone.mp3").read_bytes())
    utf8 = id3.Encoding.UTF8
    tags = id3.ID3()
    tags.add(id3.TIT2(encoding=utf8, text=HOSTILE_TITLE))
    tags.add(id3.TPE1(encoding=utf8, text=LONG_ARTIST))
    tags.add(id3.TALB(encoding=utf8, text="\x1b[31mRed\x1b[0m\r\tTab"))
    tags.add(id3.TDRC(encoding=utf8, text="99999"))
    tags.add(id3.TRCK(encoding=utf8, text="3/0"))
    tags.add(id3.TPOS(encoding=utf8, text="-1/-1"))
    tags.save(HERE / "tags-hostile.mp3", padding=lambda info: 0)


def break_wav_headers() -> None:
    """Write headers that promise impossible things."""
    data = pcm(tone(0.3))
    put("zero-rate.wav", wav(data, rate=0))
    put("255-channels.wav", wav(bytes(255 * 2 * 16), channels=255))
    put("huge-promise.wav", wav(data, promised=UNKNOWN_LENGTH))
    big_endian = array.array("h", data)
    big_endian.byteswap()
    header = struct.pack(">4sIIIII", b".snd", 24, UNKNOWN_LENGTH, 3, RATE, 1)
    put("huge-promise.au", header + big_endian.tobytes())


def break_other_headers() -> None:
    """Write headers of other formats that promise impossible things."""
    data = pcm(tone(0.3))
    put("mega-rate.wav", wav(data, rate=1_000_000))
    put("no-channels.wav", wav(data, channels=0))
    put("top-rate.wav", wav(data, rate=UNKNOWN_LENGTH))
    big_endian = array.array("h", data)
    big_endian.byteswap()
    sound = big_endian.tobytes()
    put("huge-promise.caf", caf(sound, promised=2**63 - 1))
    put("negative-size.caf", caf(sound, promised=-2))
    put("infinite-rate.caf", caf(sound, rate=math.inf))
    put("nan-rate.caf", caf(sound, rate=math.nan))
    put("negative-rate.aiff", aiff(sound, exponent=0xC00E, mantissa=0xAC44 << 48))
    put("endless-rate.aiff", aiff(sound, exponent=0x7FFF, mantissa=1 << 63))
    put("huge-promise.aiff", aiff(sound, frames=UNKNOWN_LENGTH, promised=0x7FFF_FFFF))
    put("negative-size.w64", w64(data, promised=-1))
    put("huge-promise.w64", w64(data, promised=2**63 - 1))
    put("huge-promise.rf64", rf64(data, promised=2**64 - 1))
    put("huge-promise.flac", flac_promising(2**36 - 1))
    put("bad-offset.au", struct.pack(">4sIIIII", b".snd", 2**31, 4, 3, RATE, 1) + sound)


def caf(data: bytes, promised: int | None = None, rate: float = RATE) -> bytes:
    """Return a CAF file of 16-bit big-endian samples."""
    length = len(data) if promised is None else promised
    shape = struct.pack(">d4sIIIII", rate, b"lpcm", 0, 2, 1, 1, 16)
    return (
        struct.pack(">4sHH4sq", b"caff", 1, 0, b"desc", len(shape))
        + shape
        + struct.pack(">4sqI", b"data", length if length < 0 else min(length + 4, 2**63 - 1), 0)
        + data
    )


def aiff(
    data: bytes,
    frames: int | None = None,
    promised: int | None = None,
    exponent: int = 0x400E,
    mantissa: int = 0xAC44 << 48,
) -> bytes:
    """Return an AIFF file; its sample rate is an 80-bit float."""
    count = len(data) // 2 if frames is None else frames
    length = len(data) + 8 if promised is None else promised
    common = struct.pack(">4sIhIhHQ", b"COMM", 18, 1, count, 16, exponent, mantissa)
    sound = struct.pack(">4sIII", b"SSND", length, 0, 0) + data
    return struct.pack(">4sI4s", b"FORM", 4 + len(common) + len(sound), b"AIFF") + common + sound


def w64(data: bytes, promised: int) -> bytes:
    """Return a W64 file whose data chunk has a false length."""
    rest = bytes.fromhex("f3acd3118cd100c04f8edb8a")
    shape = struct.pack("<HHIIHH", PCM, 1, RATE, RATE * 2, 2, 16)
    chunks = (
        b"fmt " + rest + struct.pack("<q", 24 + len(shape)) + shape
        + b"data" + rest + struct.pack("<q", promised) + data
    )
    head = bytes.fromhex("726966662e91cf11a5d628db04c10000")
    return head + struct.pack("<q", 40 + len(chunks)) + b"wave" + rest + chunks


def rf64(data: bytes, promised: int) -> bytes:
    """Return an RF64 file that promises more than there is."""
    shape = struct.pack("<HHIIHH", PCM, 1, RATE, RATE * 2, 2, 16)
    sizes = struct.pack("<QQQI", promised, promised, promised, 0)
    return (
        struct.pack("<4sI4s4sI", b"RF64", UNKNOWN_LENGTH, b"WAVE", b"ds64", len(sizes))
        + sizes
        + struct.pack("<4sI", b"fmt ", len(shape))
        + shape
        + struct.pack("<4sI", b"data", UNKNOWN_LENGTH)
        + data
    )


def flac_promising(frames: int) -> bytes:
    """Return the FLAC tone with a false number of frames (36 bits)."""
    whole = bytearray((HERE / "actually-flac.mp3").read_bytes())
    whole[21] = whole[21] & 0xF0 | frames >> 32
    whole[22:26] = struct.pack(">I", frames & UNKNOWN_LENGTH)
    return bytes(whole)


def break_float_samples() -> None:
    """Write float samples that are not numbers, or far above full scale."""
    samples = tone(0.2)
    samples[1000:1300] = [math.nan, math.inf, -math.inf] * 100
    put("nan.wav", float_wav(samples))
    put("loud.wav", float_wav(tone(0.2, height=4.0)))


def float_wav(samples: list[float]) -> bytes:
    """Return a WAV file of 32-bit float samples."""
    return wav(struct.pack(f"<{len(samples)}f", *samples), coding=FLOAT, bits=32)


def make_other_formats() -> None:
    """Create sound files in formats that a player may not support."""
    encoders = (("unsupported.m4a", "aac"), ("alac.m4a", "alac"), ("wavpack.wv", "wavpack"))
    source = ("-f", "lavfi", "-i", "sine=frequency=440:duration=0.8:sample_rate=44100")
    exact = ("-fflags", "+bitexact", "-flags:a", "+bitexact")
    for name, encoder in encoders:
        run("ffmpeg", "-v", "error", "-y", *source, "-c:a", encoder, *exact, HERE / name)


if __name__ == "__main__":
    main()
