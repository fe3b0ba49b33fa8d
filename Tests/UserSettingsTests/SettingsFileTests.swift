// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import UserSettings

struct SettingsFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Returns the problem with reading the file `name`.
  private func problem(_ name: String) -> SettingsProblem? {
    do throws(SettingsProblem) {
      _ = try SettingsFile.read(directory[name], commands: { [] })
      return nil
    } catch {
      return error
    }
  }

  @Test func `Without a file nothing is set, and the commands are not requested`() throws {
    let file = try SettingsFile.read(directory["no/config.toml"]) {
      Issue.record("the commands were requested")
      return []
    }
    #expect(file == nil)
  }

  @Test func `A file is read, even with a byte order mark`() throws {
    try directory.write(Array("\u{FEFF}buffer = 400\n".utf8), to: "config.toml")
    let file = try #require(try SettingsFile.read(directory["config.toml"], commands: { [] }))
    #expect(file.values[.buffer]?.value == .integer(400) && file.problems.isEmpty)
  }

  @Test(arguments: [
    ("binary", [0x7F, 0x45, 0x4C, 0x46, 0, 0, 1] as [UInt8], "not UTF-8 text"),
    ("latin", Array("library = \"/Musik/".utf8) + [0xE4, 0x22], "not UTF-8 text"),
    ("nul", Array("buffer = 400\n".utf8) + [0] + Array("rate = = 1".utf8), "not UTF-8 text"),
    (
      "long", [UInt8](repeating: UInt8(ascii: "#"), count: SettingsFile.limit + 1),
      "larger than 65536 bytes"
    ),
  ])
  func `A file that is not text, or too long, is reported in one line`(name: String, bytes: [UInt8], message: String)
    throws
  {
    try directory.write(bytes, to: FilePath(name))
    #expect(problem(name)?.description == "\(name): \(message); using the defaults")
  }

  @Test func `A directory, a FIFO and a loop of links are reported in one line without blocking`() throws {
    try directory.makeDirectory("directory")
    try directory.makeFIFO("fifo")
    try directory.link("loop", to: "loop")
    #expect(
      problem("directory")?.message.hasSuffix("directory is not a file; using the defaults") == true)
    #expect(problem("fifo")?.message.hasSuffix("fifo is not a file; using the defaults") == true)
    #expect(problem("loop")?.message.contains("loop cannot be read: ") == true)
  }
}
