// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import SystemPackage
import TOMLFiles
import TestSupport
import Testing

@testable import UserSettings

struct SettingsFileEditTests {
  private static func edited(_ text: String, _ name: SettingName, _ value: SettingValue) throws -> String {
    try SettingsFileEdit.text(text, setting: name, to: value, location: "config.toml")
  }

  @Test(
    arguments: [
      ("", .theme, .text("light"), "theme = \"light\"\n"),
      (
        "theme = \"dark\" # at night\nplain = true\n", .theme, .text("light"),
        "theme = \"light\" # at night\nplain = true\n"
      ),
      ("# mine\n  theme='a#b'\n", .theme, .text("light"), "# mine\n  theme= \"light\"\n"),
      ("\"theme\" = \"dark\"", .theme, .text("light"), "\"theme\" = \"light\"\n"),
      (
        "plain = true\n\n# keys\n[keys]\nnext = \"n\"\n", .theme, .text("light"),
        "plain = true\ntheme = \"light\"\n\n# keys\n[keys]\nnext = \"n\"\n"
      ),
      ("[keys]\nnext = \"n\"\n", .buffer, .integer(500), "buffer = 500\n[keys]\nnext = \"n\"\n"),
      (
        "library = [\n  \"/a\", # one\n  \"/b\",\n]\nplain = true\n", .library, .paths(["/c"]),
        "library = \"/c\"\nplain = true\n"
      ),
      ("[modes]\nrepeat = \"all\" # always\n", .repeatMode, .text("off"), "[modes]\nrepeat = \"off\" # always\n"),
      (
        "[modes]\n\n[keys]\nnext = \"n\"\n", .repeatMode, .text("all"),
        "[modes]\nrepeat = \"all\"\n\n[keys]\nnext = \"n\"\n"
      ),
      ("modes.repeat = \"all\"\n", .repeatMode, .text("off"), "modes.repeat = \"off\"\n"),
      ("modes.random = \"all\"\n", .repeatMode, .text("off"), "modes.repeat = \"off\"\nmodes.random = \"all\"\n"),
      ("plain = true\n", .repeatMode, .text("off"), "plain = true\n\n[modes]\nrepeat = \"off\"\n"),
      ("plain = true\r\n# x\r\n", .crossfade, .number(4), "plain = true\r\n# x\r\ncrossfade = 4\r\n"),
      ("", .library, .paths(["/a \"b\"", "/c\\d"]), "library = [\"/a \\\"b\\\"\", \"/c\\\\d\"]\n"),
      ("pause-on-loss = true", .pauseOnLoss, .flag(false), "pause-on-loss = false\n"),
      (
        "x = \"\"\"\n[modes]\ntheme = 1\n\"\"\"\n", .theme, .text("dark"),
        "theme = \"dark\"\nx = \"\"\"\n[modes]\ntheme = 1\n\"\"\"\n"
      ),
    ] as [(String, SettingName, SettingValue, String)])
  func `Only the value of one setting changes`(
    text: String, name: SettingName, value: SettingValue, expected: String
  ) throws {
    let new = try Self.edited(text, name, value)
    #expect(new == expected)
    #expect(try TOMLDocument.parse(new) != [:])
    #expect(try Self.edited(new, name, value) == new)
  }

  @Test(arguments: ["modes = { repeat = \"all\" }\n", "theme = \n", "theme = \"a\"\ntheme = \"b\"\n"])
  func `What cannot be changed safely is left to the user`(text: String) {
    #expect(throws: SettingsProblem.self) { try Self.edited(text, .repeatMode, .text("off")) }
  }

  @Test func `A file is created, and its permissions and links are kept`() throws {
    let directory = try TemporaryDirectory()
    let file = directory["segue/config.toml"]
    try SettingsFileEdit.save(.text("dark"), as: .theme, in: file)
    #expect(try String(decoding: contents(of: file), as: UTF8.self) == "theme = \"dark\"\n")
    try directory.write(Array("# mine\n".utf8), to: "dotfiles.toml")
    let link = directory["link.toml"]
    let files = FileManager.default
    try files.createSymbolicLink(atPath: link.string, withDestinationPath: directory["dotfiles.toml"].string)
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: directory["dotfiles.toml"].string)
    try SettingsFileEdit.save(.integer(10), as: .volumeStep, in: link)
    #expect(
      try String(decoding: contents(of: directory["dotfiles.toml"]), as: UTF8.self) == "# mine\nvolume-step = 10\n")
    #expect(try files.destinationOfSymbolicLink(atPath: link.string) == directory["dotfiles.toml"].string)
    let permissions = try files.attributesOfItem(atPath: directory["dotfiles.toml"].string)[.posixPermissions]
    #expect(permissions as? Int == 0o640)
    try directory.write(Array("theme = \n".utf8), to: "broken.toml")
    #expect(throws: SettingsProblem.self) {
      try SettingsFileEdit.save(.text("dark"), as: .theme, in: directory["broken.toml"])
    }
    #expect(try String(decoding: contents(of: directory["broken.toml"]), as: UTF8.self) == "theme = \n")
  }
}

struct SettingAssignmentTests {
  @Test(
    arguments: [
      ("theme=light", .theme, .text("light")), ("repeat=all", .repeatMode, .text("all")),
      ("modes.consume=on", .consumeMode, .flag(true)), ("pause-on-loss=off", .pauseOnLoss, .flag(false)),
      ("crossfade=off", .crossfade, .number(0)), ("preamp=-3", .preamp, .number(-3)),
      ("library=/a:/b", .library, .paths(["/a", "/b"])), ("library=~/Music", .library, .paths(["~/Music"])),
      ("output=alsa:hw:1", .output, .text("alsa:hw:1")), ("tap=a=b", .tap, .text("a=b")),
      ("keys.preset=cmus", .keyPreset, .text("cmus")),
    ] as [(String, SettingName, SettingValue)])
  func `An assignment has a name and a value`(text: String, name: SettingName, value: SettingValue) throws {
    let assignment = try SettingAssignment(parsing: text)
    #expect(assignment.setting.name == name && assignment.value == value)
  }

  @Test(arguments: [
    ("them=light", "unknown setting \"them\"; did you mean \"theme\"?"),
    ("preset=cmus", "unknown setting \"preset\"; did you mean \"keys.preset\"?"),
    ("qwertz=1", "unknown setting \"qwertz\"; `segue config` lists the settings"),
    ("crossfade=40", "crossfade cannot be \"40\": use 0 to 30 seconds"),
    ("plain=maybe", "plain cannot be \"maybe\": use on or off"),
    ("theme", "\"theme\" is no assignment: use NAME=VALUE, as in theme=light"),
    ("library=", "library cannot be \"\": use paths, separated by colons"),
  ])
  func `An invalid assignment is refused with what to write`(text: String, message: String) {
    let error = #expect(throws: SettingAssignmentError.self) { try SettingAssignment(parsing: text) }
    #expect(error?.message == message)
  }

  @Test func `A relative path becomes absolute`() throws {
    guard case .paths(let paths) = try SettingAssignment(parsing: "library=music").value else {
      Issue.record("no paths")
      return
    }
    #expect(paths.count == 1 && paths[0].hasPrefix("/") && paths[0].hasSuffix("/music"))
  }
}
