// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import Terminal

/// The editor's handling of typed and pasted bytes.
struct LineInputTests {
  /// Returns the text that the editor receives when `bytes` are typed one by one.
  private static func typedText(_ bytes: some Sequence<UInt8>) -> String {
    var input = LineInput()
    var text = String.UnicodeScalarView()
    for byte in bytes {
      input.take([byte])
      while let scalar = input.next() { text.append(scalar) }
    }
    return String(text)
  }

  /// Returns the text that the editor receives when `text` is pasted.
  private static func pastedText(_ text: String) -> String {
    var pasted = PastedText()
    for scalar in (text + "\u{1B}[201~").unicodeScalars where !pasted.isOver { pasted.take(scalar) }
    #expect(pasted.isOver)
    return pasted.text
  }

  @Test func `Multi-byte characters are received whole`() {
    #expect(Self.typedText("aé日👩‍🚀\u{1B}[A".utf8) == "aé日👩‍🚀\u{1B}[A")
  }

  @Test func `Invalid UTF-8 swallows nothing after it`() {
    #expect(Self.typedText([0x61, 0xE9, 0x62]) == "a\u{FFFD}b")
    #expect(Self.typedText([0xC0, 0x80, 0xE2, 0x82, 0x63]) == "\u{FFFD}\u{FFFD}\u{FFFD}c")
    #expect(Self.typedText([0xED, 0xA0, 0x80, 0x64]) == "\u{FFFD}d")
  }

  @Test func `Pasted text keeps its lines, and none of them is executed`() {
    #expect(Self.pastedText("play a\r\nvolume 50\rnext\n\n") == "play a\nvolume 50\nnext")
    #expect(Self.pastedText("a\tb\u{1B}[2J\u{7F}\u{9B}c\u{3}") == "a b[2Jc")
    #expect(Self.pastedText("") == "")
  }

  @Test func `Pasted text is limited in length`() {
    #expect(Self.pastedText(String(repeating: "a", count: 200_000)).count == PastedText.limit)
  }
}

struct LineLayoutTests {
  /// Returns the row and the column of the cursor after `text`.
  private static func cursor(after text: String, columns: Int) -> [Int] {
    // Sets the locale, which the editor normally does.
    _ = TerminalProperties.isUTF8
    var layout = LineLayout(columns: columns)
    layout.append(text.unicodeScalars)
    return [layout.row, layout.column]
  }

  @Test func `Rows are filled to their last cell`() {
    #expect(Self.cursor(after: "segue> abc", columns: 20) == [0, 10])
    #expect(Self.cursor(after: String(repeating: "a", count: 20), columns: 20) == [1, 0])
    #expect(Self.cursor(after: String(repeating: "a", count: 45), columns: 20) == [2, 5])
  }

  @Test func `Full rows and the characters that follow them are recorded`() {
    _ = TerminalProperties.isUTF8
    var layout = LineLayout(columns: 4)
    layout.append("ab c12 3日本x é".unicodeScalars)
    #expect(
      layout.rowEnds == [
        .init(row: 0, isBlank: false, next: "1"), .init(row: 1, isBlank: false, next: "日"),
        .init(row: 2, isBlank: false, next: "x"),
      ])
    var blank = LineLayout(columns: 3)
    blank.append("ab c日\u{1}x".unicodeScalars)
    #expect(
      blank.rowEnds == [
        .init(row: 0, isBlank: true, next: "c"), .init(row: 1, isBlank: false, next: nil),
        .init(row: 2, isBlank: false, next: " "),
      ])
    var full = LineLayout(columns: 3)
    full.append("abcab ".unicodeScalars)
    #expect(
      full.rowEnds == [
        .init(row: 0, isBlank: false, next: "a"), .init(row: 1, isBlank: true, next: " "),
      ])
    var wide = LineLayout(columns: 3)
    wide.append("ab日a\nb".unicodeScalars)
    #expect(
      wide.rowEnds == [
        .init(row: 0, isBlank: true, next: "日"), .init(row: 1, isBlank: false, next: " "),
      ])
  }

  @Test func `Line ends and control characters take as many cells as in libedit`() {
    #expect(Self.cursor(after: "abc\nde", columns: 20) == [1, 2])
    #expect(Self.cursor(after: "a\tb", columns: 20) == [0, 9])
    #expect(Self.cursor(after: "\u{1}", columns: 20) == [0, 2])
  }
}

struct LineHistoryTests {
  private let directory: TemporaryDirectory
  private var file: FilePath { directory["state/history"] }

  init() throws { directory = try TemporaryDirectory() }

  private func lines() throws -> [String] {
    let bytes = try AtomicFile.read(file, limit: 1 << 20) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func `Processes do not lose each other's lines, and the file is private`() throws {
    let first = try #require(LineHistory(file: file))
    let second = try #require(LineHistory(file: file))
    for number in 0..<5 {
      first.remember("one\(number)")
      second.remember("other\(number)")
    }
    #expect(try lines() == (0..<5).flatMap { ["one\($0)", "other\($0)"] })
    let attributes = try FileManager.default.attributesOfItem(atPath: file.string)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `The history is limited, and equal lines are stored once`() throws {
    let history = try #require(LineHistory(file: file))
    for number in 0..<1_010 { history.remember("line\(number)") }
    history.remember("line1009")
    let lines = try lines()
    #expect(lines.count == 1_000 && lines.last == "line1009" && lines.first == "line10")
  }

  @Test func `Passwords in addresses are not stored`() throws {
    let history = try #require(LineHistory(file: file))
    history.remember("play http://me:word@radio.example/?token=1&a=2 --yes")
    #expect(try lines() == ["play http://me@radio.example/?a=2 --yes".replacing(" ", with: "\\040")])
  }

  @Test func `An invalid history file is replaced at the next line`() throws {
    try directory.write([0xFF, 0x00, 0x1B, 0x0A, 0x41], to: "state/history")
    let history = try #require(LineHistory(file: file))
    history.remember("play é")
    #expect(try lines().count == 1)
  }

  @Test func `A FIFO instead of the file does not block`() throws {
    try directory.makeDirectory("state")
    try directory.makeFIFO("state/history")
    let history = try #require(LineHistory(file: file))
    history.remember("a")
    #expect(try lines() == ["a"])
  }
}
