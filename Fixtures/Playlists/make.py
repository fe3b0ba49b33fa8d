#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creates the playlists in unusual encodings; the others are written by hand, and written.* by the tests."""
import pathlib

here = pathlib.Path(__file__).parent
M3U = "#EXTM3U\r\n#EXTINF:183,{artist} - {title}\r\n{path}\r\n"


def write(name, text, encoding, mark=b""):
    (here / name).write_bytes(mark + text.encode(encoding))


japanese = M3U.format(artist="椎名林檎", title="本能", path="椎名林檎\\ソ表.mp3")
western = M3U.format(artist="Sigur Rós", title="Ágætis byrjun", path="Sigur Rós/Ágætis byrjun.mp3")
write("shift-jis.m3u", japanese, "cp932")
write("windows-1252.m3u", western, "cp1252")
write("utf-16le.m3u", japanese, "utf-16-le", b"\xff\xfe")
write("utf-16be.m3u", japanese, "utf-16-be", b"\xfe\xff")
write("utf-8-mark.m3u8", western, "utf-8", b"\xef\xbb\xbf")
write("cr.m3u8", western.replace("\r\n", "\r"), "utf-8")
write(
    "shift-jis.pls",
    "[playlist]\r\nFile1=椎名林檎\\ソ表.mp3\r\nTitle1=椎名林檎 - 本能\r\nLength1=183\r\nNumberOfEntries=1\r\nVersion=2\r\n",
    "cp932",
)
write(
    "windows-1252.xspf",
    '<?xml version="1.0" encoding="windows-1252"?>\n<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>'
    "<track><location>Sigur%20R%C3%B3s/%C3%81g%C3%A6tis%20byrjun.mp3</location><title>Ágætis byrjun</title>"
    "<creator>Sigur Rós</creator><duration>183000</duration></track></trackList></playlist>\n",
    "cp1252",
)
