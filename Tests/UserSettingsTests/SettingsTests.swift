// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Tagging
import Testing

@testable import UserSettings

struct SettingsTests {
  private static let file = FileSettings(
    "buffer = 400\nrate = 48000\nreplay-gain = \"album\"\ncrossfade-albums = true\n", location: "config.toml",
    commands: [])

  @Test(arguments: [
    ("SEGUE_BUFFER", "loud", "$SEGUE_BUFFER: invalid value \"loud\": use 50 to 4000 milliseconds"),
    ("SEGUE_DEPTH", "8", "$SEGUE_DEPTH: invalid value \"8\": use 16, 24 or 32 bits"),
    ("SEGUE_PAUSE_ON_LOSS", "x", "$SEGUE_PAUSE_ON_LOSS: invalid value \"x\": use true or false"),
  ])
  func `An invalid variable is reported, and lower sources still apply`(
    variable: String, text: String, message: String
  ) {
    let settings = Settings(file: Self.file, environment: { $0 == variable ? text : nil })
    #expect(settings.problems.map(\.description) == [message])
    #expect(settings[.buffer] == .integer(400) && settings[.depth] == nil)
  }

  @Test func `A variable is parsed like typed text`() {
    let environment = [
      "SEGUE_PAUSE_ON_LOSS": "1", "SEGUE_PREAMP": "-3.5", "SEGUE_OUTPUT": "silent", "SEGUE_LIBRARY": "music",
    ]
    let settings = Settings(file: nil, environment: { environment[$0] })
    #expect(settings.problems.isEmpty && settings[.pauseOnLoss] == .flag(true))
    #expect(settings[.preamp] == .number(-3.5) && settings[.output] == .text("silent"))
    #expect(settings[.library] == .paths(["music"]))
  }

  @Test func `The modes of a new queue, the keys and the volume step come from the file`() {
    let file = FileSettings(
      "volume-step = 2\non-hangup = \"keep\"\nlibrary = \"/m\"\nmodes = { random = \"albums\", consume = true }\nkeys.next = \"b\"",
      location: "c", commands: [])
    let settings = Settings(file: file, environment: { _ in nil })
    #expect(settings.modes.random == .albums && settings.modes.consume && settings.modes.repeat == .off)
    #expect(
      settings.volumeStep == 2 && settings.keepsPlayingOnHangup && settings.library == LibraryRoots("/m"))
    #expect(settings.keyBindings.keys(of: .next) == ["b"])
    #expect(
      Settings().modes == QueueModes() && Settings().volumeStep == 5 && !Settings().keepsPlayingOnHangup)
  }
}
