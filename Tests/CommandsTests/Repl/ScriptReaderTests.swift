// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Commands

struct ScriptReaderTests {
  /// Returns the lines that a reader finds in a file that contains `bytes`.
  private static func lines(_ bytes: [UInt8]) throws -> [ScriptReader.Line] {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor.open(try directory.write(bytes, to: "script"), .readOnly)
    return try file.closeAfter {
      var reader = ScriptReader(file)
      var lines: [ScriptReader.Line] = []
      while let line = try reader.next() { lines.append(line) }
      return lines
    }
  }

  @Test(arguments: [
    ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("a\r\nb\r\n", ["a", "b"]),
    ("\n", [""]),
    ("a\rb\n", ["a\rb"]), ("夜\n曲", ["夜", "曲"]),
  ])
  func `A script is read line by line`(script: String, lines: [String]) throws {
    #expect(try Self.lines(Array(script.utf8)) == lines.map { .text($0) })
  }

  @Test func `Invalid UTF-8 is replaced`() throws {
    #expect(try Self.lines([0x61, 0xFF, 0x0A, 0x62]) == [.text("a\u{FFFD}"), .text("b")])
  }

  @Test(arguments: [1 << 16, (1 << 16) + 1, 1 << 20, (1 << 20) + 4_095])
  func `An overlong line counts as one line, and the next line is read`(length: Int) throws {
    let long = [UInt8](repeating: 0x61, count: length)
    let lines = try Self.lines(Array("x\n".utf8) + long + Array("\ny".utf8))
    #expect(lines.count == 3)
    #expect(lines.first == .text("x") && lines.last == .text("y"))
    #expect((lines[1] == .tooLong) == (length > ScriptReader.lineLimit))
    #expect(try Self.lines(long).count == 1)
  }

  @Test func `A directory cannot be read as a script`() throws {
    let directory = try TemporaryDirectory()
    let file = try FileDescriptor.open(directory.path, .readOnly)
    try file.closeAfter {
      var reader = ScriptReader(file)
      #expect(throws: Errno.isDirectory) { try reader.next() }
      let rest = try reader.next()
      #expect(rest == nil)
    }
  }
}
