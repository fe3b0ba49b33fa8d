#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creates the seeds of the parsers of binary data. Seeds that are text are written by hand; found inputs are added."""

import struct
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent


def write(parser, name, data):
    (HERE / parser).mkdir(exist_ok=True)
    (HERE / parser / name).write_bytes(data)


def synchsafe(number):
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


# Tags.

def comments(*lines):
    body = struct.pack("<I", 4) + b"fuzz" + struct.pack("<I", len(lines))
    return body + b"".join(struct.pack("<I", len(line)) + line for line in (line.encode() for line in lines))


def picture(data=b"\xff\xd8\xff\xe0picture", kind=3):
    mime = b"image/jpeg"
    return struct.pack(">II", kind, len(mime)) + mime + struct.pack(">6I", 0, 1, 1, 24, 0, len(data)) + data


def flac(*blocks):
    info = struct.pack(">HH", 4096, 4096) + bytes(6) + b"\x0a\xc4\x42\xf0" + struct.pack(">I", 88_200) + bytes(16)
    blocks = [(0, info), *blocks]
    out = b"fLaC"
    for index, (kind, body) in enumerate(blocks):
        last = 0x80 if index + 1 == len(blocks) else 0
        out += bytes([kind | last]) + len(body).to_bytes(3, "big") + body
    return out


def frame(name, body, version=4):
    if version == 2:
        return name + len(body).to_bytes(3, "big") + body
    size = synchsafe(len(body)) if version == 4 else struct.pack(">I", len(body))
    return name + size + b"\0\0" + body


def id3(*frames, version=4, padding=10, flags=0):
    body = b"".join(frame(name, text, version) for name, text in frames) + bytes(padding)
    return b"ID3" + bytes([version, 0, flags]) + synchsafe(len(body)) + body


def mpeg(count=0):
    first = bytearray(b"\xff\xfb\x90\x00" + bytes(413))
    if count:
        first[36:52] = b"Xing" + struct.pack(">III", 3, count, count * 417)
    plain = b"\xff\xfb\x90\x00" + bytes(413)
    return bytes(first) + plain + plain


def utf16(text):
    return b"\x01" + text.encode("utf-16")


def page(packets, position, serial=1, number=0, flags=0):
    lacing = b"".join(b"\xff" * (len(packet) // 255) + bytes([len(packet) % 255]) for packet in packets)
    head = b"OggS\0" + bytes([flags]) + struct.pack("<qIII", position, serial, number, 0)
    head += bytes([len(lacing)]) + lacing
    data = bytearray(head + b"".join(packets))
    total = 0
    for byte in data:
        total ^= byte << 24
        for _ in range(8):
            total = (total << 1 ^ 0x04C11DB7 if total & 0x80000000 else total << 1) & 0xFFFFFFFF
    data[22:26] = struct.pack("<I", total)
    return bytes(data)


def vorbis(*lines):
    head = b"\1vorbis" + struct.pack("<IBIiiiBB", 0, 2, 44_100, 0, 128_000, 0, 0xB8, 1)
    tags = b"\3vorbis" + comments(*lines) + b"\1"
    return (page([head], 0, flags=2) + page([tags, b"\5vorbis" + bytes(8)], 0, number=1)
            + page([bytes(20)], 88_200, number=2, flags=4))


def opus(*lines):
    head = b"OpusHead\1\2" + struct.pack("<HIhB", 312, 48_000, 0, 0)
    return (page([head], 0, flags=2) + page([b"OpusTags" + comments(*lines)], 0, number=1)
            + page([bytes(20)], 96_312, number=2, flags=4))


def chunk(name, body, order="<"):
    return name + struct.pack(order + "I", len(body)) + body + bytes(len(body) % 2)


def wav(*chunks):
    sound = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8_000, 16_000, 2, 16)) + chunk(b"data", bytes(64))
    return chunk(b"RIFF", b"WAVE" + sound + b"".join(chunks))


def aiff(*chunks):
    common = chunk(b"COMM", struct.pack(">hIh", 1, 32, 16) + b"\x40\x0b\xfa" + bytes(7), ">")
    return chunk(b"FORM", b"AIFF" + common + b"".join(chunks) + chunk(b"SSND", bytes(72), ">"), ">")


LINES = ["TITLE=Título", "ARTIST=A", "ARTIST=B", "ALBUM=Blue Train", "TRACKNUMBER=3/12", "DATE=1957-09-15",
         "REPLAYGAIN_TRACK_GAIN=-3.50 dB", "COMPILATION=1", "PERFORMER=P"]
FRAMES = [(b"TIT2", "\3Título".encode()), (b"TPE1", b"\3A\0B"), (b"TCON", b"\3(17)Jazz"), (b"TRCK", b"\x033/12"),
          (b"TDRC", b"\x031957-09-15T10:00"), (b"TXXX", b"\3replaygain_track_gain\0-3.5 dB"),
          (b"UFID", b"http://musicbrainz.org\0" + b"a" * 36)]
WIDE = [(b"TIT2", utf16("東京")), (b"TYER", b"\x001999"), (b"TXXX", utf16("Mood") + b"\0\0" + "a".encode("utf-16")),
        (b"COMM", b"\0eng\0comment"), (b"RVA2", b"track\0\1\xfe\x40\x10\x40\x00")]
COVER = (b"APIC", b"\0image/png\0\3\0\x89PNGpicture")
SHEET = "CUESHEET=FILE \"a\" WAVE\nTRACK 1 AUDIO\nINDEX 1 0:0:0\nTRACK 2 AUDIO\nTITLE T\nINDEX 1 0:1:0"
INFO = chunk(b"LIST", b"INFO" + chunk(b"INAM", b"Title\0") + chunk(b"IART", b"Artist\0"))
APE_ITEM = struct.pack("<II", 5, 0) + b"Title\0Other"
APE = APE_ITEM + b"APETAGEX" + struct.pack("<IIII", 2_000, len(APE_ITEM) + 32, 1, 0) + bytes(8)
ID3V1 = b"TAG" + b"Title".ljust(30, b"\0") + b"Artist".ljust(30, b"\0") + bytes(60) + b"1999" + b"\x11"

FLAWED = [(b"TIT2", b"\1" + "Čas".encode("utf-16-le")), (b"TPE2", b""),
          (b"COMM", b"\1eng\0\0" + "text".encode("utf-16-be")), (b"TALB", b"\0Album")]


def sheet_block(*tracks):
    body = b"1234567890123".ljust(128, b"\0") + struct.pack(">Q", 88_200) + b"\x80" + bytes(258) + bytes([len(tracks)])
    for number, offset, points in tracks:
        body += struct.pack(">QB", offset, number) + b"USRC17607839\0" + bytes(13) + bytes([len(points)])
        body += b"".join(struct.pack(">QB", point, index) + bytes(3) for index, point in points)
    return body


FILES = {
    "comments.flac": flac((1, bytes(8)), (4, comments(*LINES))),
    "sheet.flac": flac((4, comments("ALBUM=A", SHEET))),
    "id3.flac": id3(*FRAMES) + flac((4, comments("TITLE=T"))),
    "block.flac": flac((5, sheet_block((1, 0, [(1, 0)]), (2, 40_000, [(0, 0), (1, 4_100)]), (170, 88_200, []))),
                       (4, comments("ALBUM=A"))),
    "empty-block.flac": flac((2, b""), (4, comments(*LINES[:4])), (6, picture())),
    "order.flac": b"fLaC\4" + len(comments("A=b")).to_bytes(3, "big") + comments("A=b") + b"\x80" + flac()[5:],
    "lengths.flac": flac((1, bytes(60)), (4, comments("TITLE=T"))).replace(b"\1\0\0\x3c", b"\1\0\0\x50"),
    "flaws.mp3": id3(*FLAWED, version=3) + mpeg(3),
    "extended.mp3": b"ID3\3\0\x40" + synchsafe(40) + struct.pack(">IHI", 6, 0, 9) + id3(*FRAMES[:1])[10:-10] + bytes(12)
                    + mpeg(3),
    "v4.mp3": id3(*FRAMES, COVER) + mpeg(3),
    "v3.mp3": id3(*WIDE, version=3) + mpeg(3),
    "v2.mp3": id3((b"TT2", b"\0Title"), (b"PIC", b"\0PNG\3\0picture"), version=2) + mpeg(),
    "unsynchronised.mp3": id3((b"TIT2", b"\0\xff\0\xe0"), version=3, flags=0x80) + mpeg(),
    "ends.mp3": mpeg() + APE + ID3V1,
    "comments.ogg": vorbis(*LINES),
    "comments.opus": opus(*LINES[:4], "R128_TRACK_GAIN=-896"),
    "both.wav": wav(INFO, chunk(b"id3 ", id3(*FRAMES[:3]))),
    "texts.aiff": aiff(chunk(b"NAME", b"Title", ">"), chunk(b"AUTH", b"Author", ">")),
}
for name, data in FILES.items():
    write("tags", name, data)
    if name in ("comments.flac", "v4.mp3", "v3.mp3", "comments.ogg", "comments.opus", "both.wav", "texts.aiff"):
        write("gain-writing", name, data)
for name, data in {
    "picture.flac": flac((4, comments("TITLE=T")), (6, picture(kind=0)), (6, picture())),
    "picture.mp3": id3(COVER, (b"APIC", b"\1image/jpeg\0\0\xff\xfea\0\0\0data")) + mpeg(),
    "link.mp3": id3((b"APIC", b"\0-->\0\3\0http://example.org/")) + mpeg(),
    "picture.wav": wav(chunk(b"ID3 ", id3(COVER))),
    "picture.aiff": aiff(chunk(b"ID3 ", id3(COVER), ">")),
    "picture.ogg": vorbis("METADATA_BLOCK_PICTURE=AAAAAwAAAAlpbWFnZS9wbmcAAAAAAAAAAQAAAAEAAAAYAAAAAAAAAARkYXRh"),
    "cover.ogg": vorbis("COVERART=ZGF0YQ=="),
}.items():
    write("embedded-picture", name, data)


# Covers.

def png(width, height, colour, rows, interlace=0):
    def part(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, interlace)
    palette = part(b"PLTE", bytes(range(12))) if colour == 3 else b""
    data = part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + palette + data


def jpeg():
    """A grey picture of 8 by 8 pixels: one table of each kind, and one block that ends at once."""
    def part(mark, body):
        return b"\xff" + bytes([mark]) + struct.pack(">H", len(body) + 2) + body
    tables = part(0xDB, b"\0" + bytes([1] * 64))
    codes = bytes([1] + [0] * 15) + b"\0"
    start = part(0xC0, b"\x08" + struct.pack(">HH", 8, 8) + b"\1\1\x11\0")
    scan = part(0xDA, b"\1\1\0\0\x3f\0")
    codings = part(0xC4, b"\0" + codes) + part(0xC4, b"\x10" + codes)
    return b"\xff\xd8" + tables + start + codings + scan + b"\x3f\xff\xd9"


write("cover", "rgb.png", png(2, 2, 2, b"\0abcdef" * 2))
write("cover", "rgba.png", png(1, 3, 6, b"\1abcd\2efgh\4ijkl"))
write("cover", "palette.png", png(4, 1, 3, b"\0\0\1\2\3"))
write("cover", "interlaced.png", png(1, 1, 0, b"\0a", interlace=1))
write("cover", "huge.png", png(60_000, 60_000, 2, b"\0abcdef"))
write("cover", "grey.jpg", jpeg())
write("cover", "progressive.jpg", jpeg().replace(b"\xff\xc0", b"\xff\xc2"))


# File formats.

def box(name, *contents):
    body = b"".join(contents)
    return struct.pack(">I", len(body) + 8) + name + body


def mp4(code):
    entry = bytes(8) + struct.pack(">I", 16) + code + bytes(8)
    track = box(b"trak", box(b"mdia", box(b"minf", box(b"stbl", box(b"stsd", entry)))))
    return box(b"ftyp", b"M4A \0\0\0\0") + struct.pack(">I", 1) + b"free" + struct.pack(">Q", 16) + box(b"moov", track)


for name, data in {
    "flac-32.bin": flac().replace(b"\x0a\xc4\x42\xf0", b"\x0a\xc4\x43\xf0"), "wav-coding.bin": wav()[:22],
    "tagged.bin": id3(padding=4) + id3(padding=2, flags=0x10) + mpeg()[:8], "tags-alone.bin": id3(),
    "alac.bin": mp4(b"alac"), "video.bin": mp4(b"avc1"), "vorbis.bin": vorbis()[:64], "opus.bin": opus()[:64],
    "theora.bin": page([b"\x80theora" + bytes(4)], 0), "webm.bin": b"\x1a\x45\xdf\xa3\x42\x82\x84webm",
    "aac.bin": b"\xff\xf1\x50\x80", "layer-2.bin": b"\xff\xfd\x90\x00", "zeros.bin": bytes(64),
    "tracker.bin": b"name".ljust(1080, b"\x01") + b"M.K.", "wide-text.bin": "\ufefffile \"a\"".encode("utf-16-le"),
    "page.bin": b" <!DOCTYPE html>", "musepack.bin": b"MP+\x07",
}.items():
    write("file-format", name, data)


# What the index and the queue store.

def number(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def signed(value):
    return number(value * 2 if value >= 0 else -value * 2 - 1)


def text(value):
    return number(len(value)) + value


def tracks(*records):
    records = [(base, number(mask) + body) for base, mask, body in records]
    starts, place = b"", 0
    for _, record in records:
        starts += struct.pack("<H", place)
        place += len(record)
    return (b"T" + bytes([len(records) - 1]) + starts + bytes(base for base, _ in records)
            + b"".join(record for _, record in records))


PLAIN = number(0) + text(b"/music/a/1.flac")
TRACKS = tracks(
    (0, 0b1_0011_1111, number(180_000 << 2 | 1) + b"\2" + signed(1) + signed(9) + PLAIN + text(b"Title")
     + number(350 << 3 | 1) + number(0) + number(1) + text(b"Artist") + number(6) + b"Album"),
    (0, 0b1110, b"\1" + signed(2) + number(9) + text(b"2.flac") + text(b"Two")),
    (1, 0b100_0000_0000_1100, PLAIN + text(b"Three") + text(b"")[:0] + b"\1"))
DATED = tracks((0, 0xF_F00C | 1 << 12, PLAIN + text(b"T") + b"\7" + signed(1957) + signed(9) + signed(15)
                + b"\1" + b"\2a" + b"\0" * 3 + number(3) + b"\0" * 7 + number(3) + b"\0" * 8
                + b"\2a" + b"\1" + signed(44_100) + signed(2) + b"\1" + signed(16)
                + number(1) + bytes([3 << 1]) + text(b"P") + number(1) + bytes([12 << 1 | 1]) + bytes(16)))
ITEMS = b"I" + number(3) + signed(1) + b"\0\0" + signed(1) + b"\0\1" + signed(3) + b"\3" + signed(1) + b"\2\3\7"
ORDER = b"O" + number(2) + signed(2) + signed(-1)
for name, data in {"tracks": TRACKS, "dated": DATED, "items": ITEMS, "order": ORDER}.items():
    write("queue-page", name, data)


def edit(place, data):
    return place.to_bytes(3, "big") + bytes([len(data)]) + data


def blob(data):
    return bytes([4, len(data)]) + data


def integer(value):
    return b"\1\x08" + struct.pack(">q", value)


def string(value):
    return bytes([3, len(value)]) + value


for name, data in {
    "none": b"", "version": edit(60, b"\x53\x65\x71\x09"), "cut": edit(3_000, b""), "no-database": edit(0, b"nonsense"),
    "first-page": edit(100, b"\x0d\0\0\0\1\xff\xff"), "pages": edit(4_100, b"\xff" * 20) + edit(8_200, bytes(40)),
    "page-size": edit(16, b"\x02\0"),
}.items():
    write("state-file", name, data)
    write("index-file", name, data)
for name, data in {
    "none": b"", "modes": b"\0\1" + string(b"album") + b"\1\1" + string(b"tracks") + b"\2\1" + string(b"nonsense"),
    "numbers": b"\5\1" + integer(-1) + b"\6\1" + integer(2**62) + b"\x0a\1" + integer(-(2**63)),
    "arrangement": b"\x0b\1" + blob(b"\2\4") + b"\x0c\1" + blob(b"\6") + b"\x0d\1" + blob(b"\0\2"),
    "page": b"\x15\1" + blob(ITEMS) + b"\x15\2" + blob(TRACKS), "sum": b"\x16\1" + integer(7),
    "step": b"\x0e\1" + integer(1) + b"\x0f\1" + blob(b"\xff") + b"\x13\1" + integer(3),
}.items():
    write("state-row", name, data)
for name, data in {
    "none": b"", "title": b"\0\x0f" + string(b"a\x1fb"), "types": b"".join(
        bytes([0, column]) + integer(-(2**63)) for column in range(4, 50)),
    "texts": b"".join(bytes([0, column]) + string(b"\x1f\x1f\0\n") for column in range(12, 24)),
    "numbers": b"".join(bytes([0, column]) + b"\2\x08\x7f\xf0" + bytes(6) for column in range(20, 45)),
    "tags": b"\0\x2e" + string(b'{"LABEL":["a","b\\"c"],"PERFORMER":["p"]}'), "path": b"\2\2" + blob(b"a\0b/../c"),
    "loudness": b"".join(bytes([4, column]) + b"\2\x08\xff\xf0" + bytes(6) for column in range(3, 9)),
}.items():
    write("index-row", name, data)


# DSD files.

def dsf(channels=2, rate=2_822_400, samples=64, block=4_096):
    form = struct.pack("<6IQ2I", 1, 0, channels, channels, rate, 1, samples, block, 0)
    return (b"DSD " + struct.pack("<3Q", 28, 92 + channels * block, 0) + b"fmt " + struct.pack("<Q", 52) + form
            + b"data" + struct.pack("<Q", 12 + channels * block) + bytes(range(16)))


def chunk(name, content):
    return name + struct.pack(">Q", len(content)) + content + bytes(len(content) % 2)


def dff(compression=b"DSD ", channels=2):
    properties = (b"SND " + chunk(b"FS  ", struct.pack(">I", 2_822_400)) + chunk(b"CHNL", struct.pack(">H", channels)
                  + b"SLFTSRGT") + chunk(b"CMPR", compression + b"\x0enot compressed"))
    return chunk(b"FRM8", b"DSD " + chunk(b"FVER", b"\1\5\0\0") + chunk(b"PROP", properties)
                 + chunk(compression, bytes(range(32))))


for name, data in {
    "dsf": dsf(), "huge": dsf(samples=2**63, block=1 << 20), "dff": dff(), "compressed": dff(b"DST "),
    "chunks": chunk(b"FRM8", b"DSD " + chunk(b"NONE", b"") * 70),
}.items():
    write("dsd", name, data)
