# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tagged files from short silent templates, which are encoded once."""

import base64
import struct
import subprocess
import zlib
from pathlib import Path

from albums import File

SECONDS = [1.2, 2.0, 3.1]
ENCODERS = {
    "flac": lambda source, target: ["flac", "-s", "-f", "--no-padding", "-o", target, source],
    "mp3": lambda source, target: ["lame", "--quiet", "-V9", source, target],
    "ogg": lambda source, target: ["oggenc", "-Q", "-q0", "-o", target, source],
    "opus": lambda source, target: ["opusenc", "--quiet", "--bitrate", "24", source, target],
}
FRAMES = {
    "TITLE": b"TIT2", "ARTIST": b"TPE1", "ALBUM": b"TALB", "ALBUMARTIST": b"TPE2", "GENRE": b"TCON", "COMPOSER": b"TCOM",
    "TRACKNUMBER": b"TRCK", "DISCNUMBER": b"TPOS", "COMPILATION": b"TCMP", "ARTISTSORT": b"TSOP", "ALBUMARTISTSORT": b"TSO2",
    "LABEL": b"TPUB", "MEDIA": b"TMED",
}
TEXT_FRAMES = {"MUSICBRAINZ_ALBUMID": "MusicBrainz Album Id", "RELEASECOUNTRY": "MusicBrainz Album Release Country"}
INFO = {"TITLE": b"INAM", "ARTIST": b"IART", "ALBUM": b"IPRD", "GENRE": b"IGNR", "DATE": b"ICRD", "TRACKNUMBER": b"ITRK"}
REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def checksum(page: bytes) -> int:
    """Ogg's CRC of a page: zlib's with the bits of each byte reversed, and starting at 0."""
    mirrored = zlib.crc32(page.translate(REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)


def with_checksum(page: bytes, sequence: int) -> bytes:
    page = page[:18] + struct.pack("<II", sequence, 0) + page[26:]
    return page[:22] + struct.pack("<I", checksum(page)) + page[26:]


def pages(stream: bytes) -> list[bytes]:
    found, start = [], 0
    while start < len(stream):
        count = stream[start + 26]
        end = start + 27 + count + sum(stream[start + 27:start + 27 + count])
        found.append(stream[start:end])
        start = end
    return found


def picture(size: int) -> bytes:
    """Bytes that look like a JPEG image of this size."""
    start = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    return start + bytes(byte % 251 for byte in range(251)) * ((size - len(start)) // 251) + b"\xff\xd9"


def picture_block(image: bytes) -> bytes:
    mime = b"image/jpeg"
    return (struct.pack(">II", 3, len(mime)) + mime + struct.pack(">IIIIII", 0, 500, 500, 24, 0, len(image)) + image)


def comments(tags: list[tuple[str, str]], image: bytes, is_ogg: bool) -> bytes:
    lines = [f"{key}={value}".encode() for key, value in tags]
    if image and is_ogg:
        lines.append(b"METADATA_BLOCK_PICTURE=" + base64.b64encode(picture_block(image)))
    vendor = b"Segue's benchmarks"
    return (struct.pack("<I", len(vendor)) + vendor + struct.pack("<I", len(lines))
            + b"".join(struct.pack("<I", len(line)) + line for line in lines))


def synchsafe(size: int) -> bytes:
    return bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))


def id3(tags: list[tuple[str, str]], image: bytes, version: int) -> bytes:
    """An ID3 tag of version 2.3, in UTF-16, or 2.4, in UTF-8."""
    def encoded(text: str) -> bytes:
        return b"\x03" + text.encode() if version == 4 else b"\x01\xff\xfe" + text.encode("utf-16-le")

    def frame(name: bytes, body: bytes) -> bytes:
        return name + (synchsafe(len(body)) if version == 4 else struct.pack(">I", len(body))) + b"\0\0" + body

    values: dict[str, list[str]] = {}
    for key, value in tags:
        values.setdefault(key, []).append(value)
    body = []
    for key, texts in values.items():
        text = ("\0" if version == 4 else "/").join(texts)
        if key == "DATE":
            body.append(frame(b"TDRC", encoded(text)) if version == 4 else frame(b"TYER", encoded(text[:4])))
        elif key in FRAMES:
            body.append(frame(FRAMES[key], encoded(text)))
        else:
            end = b"\0" if version == 4 else b"\0\0"
            body.append(frame(b"TXXX", encoded(TEXT_FRAMES.get(key, key)) + end + encoded(text)[1:]))
    if image:
        body.append(frame(b"APIC", b"\0image/jpeg\0\x03\0" + image))
    whole = b"".join(body)
    return b"ID3" + bytes([version, 0, 0]) + synchsafe(len(whole)) + whole


class Writer:
    """Writes files into a directory."""

    def __init__(self, scratch: Path):
        self.image = picture(100_000)
        self.templates: dict[str, list] = {"wav": []}
        for number, seconds in enumerate(SECONDS):
            wave = str(scratch / f"{number}.wav")
            rate = "48000" if number == 1 else "44100"
            subprocess.run(["sox", "-V1", "-n", "-r", rate, "-c", "2", "-b", "16", wave, "trim", "0", f"{seconds}"], check=True)
            # Uncompressed files are short.
            self.templates["wav"].append((int(rate), bytes(int(rate) // 8 * 4)))
            for format, command in ENCODERS.items():
                target = str(scratch / f"{number}.{format}")
                subprocess.run(command(wave, target), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.templates.setdefault(format, []).append(self.prepared(format, Path(target).read_bytes()))

    def prepared(self, format: str, data: bytes):
        """A template without its tags."""
        if format == "flac":
            start, blocks = 4, []
            while True:
                kind, size = data[start], int.from_bytes(data[start + 1:start + 4], "big")
                blocks.append((kind & 0x7F, data[start + 4:start + 4 + size]))
                start += 4 + size
                if kind & 0x80:
                    break
            return next(block for kind, block in blocks if kind == 0), data[start:]
        if format in ("ogg", "opus"):
            first, *others = pages(data)
            # The header pages are those before the first with a position.
            headers = [page for page in others if struct.unpack("<q", page[6:14])[0] <= 0 and page is not others[-1]]
            sound = others[len(headers):]
            packets = self.packets(headers)
            return first, packets[1:], sound
        return data

    @staticmethod
    def packets(headers: list[bytes]) -> list[bytes]:
        found, packet = [], b""
        for page in headers:
            count, start = page[26], 27 + page[26]
            for size in page[27:27 + count]:
                packet += page[start:start + size]
                start += size
                if size < 255:
                    found.append(packet)
                    packet = b""
        return found

    def write(self, path: Path, file: File, number: int) -> None:
        template = self.templates[file.format][number % len(SECONDS)]
        image = self.image[:file.cover]
        path.write_bytes(getattr(self, file.format)(template, file.tags, image, number))

    @staticmethod
    def flac(template, tags, image, number) -> bytes:
        information, frames = template
        blocks = [(0, information)]
        if tags:
            blocks.append((4, comments(tags, b"", False)))
        if image:
            blocks.append((6, picture_block(image)))
        blocks.append((1, bytes(1024)))
        return b"fLaC" + b"".join(
            bytes([kind | (0x80 if index == len(blocks) - 1 else 0)]) + len(block).to_bytes(3, "big") + block
            for index, (kind, block) in enumerate(blocks)) + frames

    @staticmethod
    def mp3(template, tags, image, number) -> bytes:
        return (id3(tags, image, 3 if number % 3 == 0 else 4) if tags else b"") + template

    @staticmethod
    def wav(template, tags, image, number) -> bytes:
        rate, samples = template

        def chunk(name: bytes, body: bytes) -> bytes:
            return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) & 1)

        body = b"WAVE" + chunk(b"fmt ", struct.pack("<HHIIHH", 1, 2, rate, rate * 4, 4, 16)) + chunk(b"data", samples)
        if tags:
            known = [(INFO[key], value.encode() + b"\0") for key, value in tags if key in INFO]
            body += chunk(b"LIST", b"INFO" + b"".join(chunk(name, text) for name, text in known))
            body += chunk(b"id3 ", id3(tags, b"", 4))
        return b"RIFF" + struct.pack("<I", len(body)) + body

    @staticmethod
    def ogg(template, tags, image, number) -> bytes:
        return Writer.stream(template, b"\x03vorbis" + comments(tags, image, True) + b"\x01")

    @staticmethod
    def opus(template, tags, image, number) -> bytes:
        return Writer.stream(template, b"OpusTags" + comments(tags, image, True))

    @staticmethod
    def stream(template, comment: bytes) -> bytes:
        first, setup, sound = template
        serial = first[14:18]
        sizes, body = [], b""
        for packet in [comment, *setup]:
            sizes += [255] * (len(packet) // 255) + [len(packet) % 255]
            body += packet
        result, sequence, start, continues = [first], 1, 0, False
        for index in range(0, len(sizes), 255):
            part = sizes[index:index + 255]
            end = start + sum(part)
            # A page in which no packet ends has no position.
            position = 0 if any(size < 255 for size in part) else -1
            header = b"OggS\0" + bytes([1 if continues else 0]) + struct.pack("<q", position) + serial + bytes(8)
            result.append(with_checksum(header + bytes([len(part)]) + bytes(part) + body[start:end], sequence))
            sequence, start, continues = sequence + 1, end, part[-1] == 255
        for page in sound:
            result.append(with_checksum(page, sequence))
            sequence += 1
        return b"".join(result)
