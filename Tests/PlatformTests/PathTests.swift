// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Platform

struct TypedPathTests {
  private let arguments: [[UInt8]] = [
    Array("segue".utf8), [0x2F, 0xE9, 0x2F, 0x61], Array("--library=".utf8) + [0x6D, 0xFF],
    Array("raw:~/".utf8) + [0xFE],
  ]

  @Test(arguments: ["a", "/a/b", "./x", "夜/曲", "", "~a", "a/~", "/~"])
  func `A path with neither a home directory nor invalid bytes is taken literally`(text: String) {
    #expect(FilePath(typed: text, arguments: arguments) == FilePath(text))
  }

  @Test func `A tilde as the first component stands for the home directory`() {
    #expect(FilePath(typed: "~", arguments: []) == Environment.home)
    #expect(FilePath(typed: "~/", arguments: []) == Environment.home)
    #expect(FilePath(typed: "~/Music/a", arguments: []) == Environment.home.appending("Music").appending("a"))
  }

  @Test func `Bytes that are not UTF-8 are found in the arguments, also at their end`() {
    #expect(
      FilePath(typed: "/\u{FFFD}/a", arguments: arguments) == FilePath(bytes: [0x2F, 0xE9, 0x2F, 0x61]))
    #expect(FilePath(typed: "m\u{FFFD}", arguments: arguments) == FilePath(bytes: [0x6D, 0xFF]))
    #expect(
      FilePath(typed: "~/\u{FFFD}", arguments: arguments)
        == FilePath(bytes: [0xFE]).map { Environment.home.pushing($0) })
    #expect(FilePath(typed: "other\u{FFFD}", arguments: arguments) == "other\u{FFFD}")
  }
}

struct ShownPathTests {
  private static func path(_ bytes: [UInt8]) -> FilePath { FilePath(systemBytes: bytes) }

  @Test func `Text is shown unchanged, and everything else by its bytes`() {
    #expect(FilePath("/Müsic/日本 a\\b.flac").shown == "/Müsic/日本 a\\b.flac")
    #expect(Self.path([0x64, 0xE9, 0x2E, 0x61]).shown == "d\\xE9.a")
    #expect(Self.path([0x1B, 0x5B, 0x32, 0x4A, 0x0A]).shown == "\\x1B[2J\\x0A")
    #expect(FilePath("a\u{202E}\u{9B}b").shown == "a\\xE2\\x80\\xAE\\xC2\\x9Bb")
    // The first byte of a character that is cut off.
    #expect(Self.path([0xE6, 0x97, 0x61]).shown == "\\xE6\\x97a")
    #expect(FilePath("a\\x41").shown == "a\\x5Cx41" && FilePath("a\\x4").shown == "a\\x4")
  }

  @Test func `A name that is valid text is unchanged, and others are escaped`() {
    #expect(FilePath("/a/01 b.c.flac").shownStem == "01 b.c" && FilePath("/a/.b").shownStem == ".b")
    #expect(FilePath("/a\\x41\n").shownName == "a\\x41\n" && FilePath("/").shownName == nil)
    let path = Self.path([0x2F, 0x61, 0xE9, 0x2E, 0xE8, 0x2E, 0x62])
    #expect(path.shownName == "a\\xE9.\\xE8.b" && path.shownStem == "a\\xE9.\\xE8")
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `The shown form converts back to the same path`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let likely: [UInt8] = [0x5C, 0x78, 0x34, 0x31, 0x2F, 0xC3, 0xA9, 0xE2, 0x80, 0xAE, 0x0A, 0x1B, 0xFF]
    let bytes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
      Bool.random(using: &generator)
        ? likely[Int.random(in: 0..<likely.count, using: &generator)]
        : UInt8.random(in: 1...255, using: &generator)
    }
    let path = Self.path(bytes)
    #expect(FilePath(shown: path.shown) == path)
  }
}

struct PathSuffixTests {
  @Test(arguments: [
    "/a/b.flac", "b.FLAC", "/a.b/c", ".hidden", "/x/.hidden", ".hidden.mp3", "a.", "/", "", "..", "/a/..",
    "a..b",
    "...", "/x/...", "a...", "/ü/é.ü", "a.b/",
  ]) func `The suffix equals the extension`(text: String) {
    let path = FilePath(text)
    #expect(path.suffix == path.extension)
  }
}

struct NamePatternTests {
  @Test(arguments: [
    ("*.flac", "1.flac", true), ("*.flac", "1.flac.part", false), ("?", "a", true), ("[ab]*", "bcd", true),
    ("[!ab]*", "bcd", false), ("*", ".hidden", true), ("a/b", "a/b", true), ("", "", true), ("", "a", false),
    ("[", "[", true), ("\\*", "*", true), ("\\*", "a", false), ("ä*", "äh", true),
  ])
  func `A pattern matches names`(pattern: String, name: String, matches: Bool) {
    #expect(NamePattern(pattern.utf8).matches(name.utf8) == matches)
  }

  @Test func `Bytes that are not valid text can match a pattern`() {
    #expect(NamePattern([0xFF, UInt8(ascii: "*")]).matches([0xFF, 0xFE]))
    #expect(NamePattern([0x61, 0, 0x62]).matches([0x61]))
  }

  @Test func `A pattern of many stars ends quickly`() {
    let pattern = NamePattern(String(repeating: "*a", count: 200).utf8 + [UInt8(ascii: "b")])
    #expect(!pattern.matches(String(repeating: "a", count: 255).utf8))
  }
}

struct UserDirectoriesTests {
  private func music(_ text: String) -> FilePath? { UserDirectories.music(in: Array(text.utf8), home: "/home/a") }

  @Test(arguments: [
    ("# x\nXDG_DESKTOP_DIR=\"$HOME/Desk\"\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n", "/home/a/Musik"),
    ("  XDG_MUSIC_DIR=\"/srv/music\"", "/srv/music"), ("XDG_MUSIC_DIR=\"$HOME/a \\\"b\\$\" # x\n", "/home/a/a \"b$"),
    ("XDG_MUSIC_DIR=\"/a\"\nXDG_MUSIC_DIR=\"/b\"\n", "/b"),
  ])
  func `The music directory is the one in the file`(text: String, path: FilePath) {
    #expect(music(text) == path)
  }

  @Test(arguments: [
    "", "XDG_MUSIC_DIR=$HOME/Music\n", "XDG_MUSIC_DIR=\"$HOME\"\n", "XDG_MUSIC_DIR=\"$HOME/\"\n",
    "XDG_MUSIC_DIR=\"Music\"\n", "XDG_MUSIC_DIR=\"/a", "XDG_MUSIC_DIR=\"/a\\", "#XDG_MUSIC_DIR=\"/a\"\n",
    "XDG_MUSIC_DIR=\"$HOMES/a\"\n", "XDG_MUSIC_DIR=\"/a\u{0}b\"\n",
  ])
  func `A file that names no music directory, or the home directory, gives none`(text: String) {
    #expect(music(text) == nil)
  }
}
