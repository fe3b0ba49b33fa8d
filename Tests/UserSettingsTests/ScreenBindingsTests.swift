// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct ScreenBindingsTests {
  @Test func `Each action has its default keys, and no key has two actions`() {
    let bindings = ScreenBindings()
    var owners: [[Key]: ScreenAction] = [:]
    for action in ScreenAction.allCases {
      #expect(!action.help.isEmpty)
      for name in action.defaultKeys {
        guard let keys = ScreenBindings.keys(name) else {
          Issue.record("\(name) is no key")
          continue
        }
        #expect(owners.updateValue(action, forKey: keys) == nil, "\(name) has two actions")
        #expect(bindings.meaning(of: keys) == .target(.action(action)), "\(name)")
        // A sequence could never be completed if its beginning had a meaning of its own.
        if keys.count > 1 { #expect(bindings.meaning(of: [keys[0]]) == .prefix, "\(name)") }
      }
    }
  }

  @Test func `Settings bind keys to other actions and to commands, and remove bindings`() {
    let bindings = ScreenBindings([
      "x": "play", "ctrl-x": ":queue clear", "a": "", "zz": "last", "ctrl-t": "! tag 'a b'",
    ])
    #expect(bindings.meaning(of: [.control("t")]) == .target(.program(["tag", "a b"])))
    #expect(bindings.meaning(of: [.character("x")]) == .target(.action(.play)))
    #expect(bindings.meaning(of: [.control("x")]) == .target(.command("queue clear")))
    #expect(bindings.meaning(of: [.character("a")]) == .nothing)
    #expect(bindings.meaning(of: [.character("z")]) == .prefix)
    #expect(bindings.meaning(of: [.character("z"), .character("z")]) == .target(.action(.last)))
    #expect(bindings.keys(of: .add).isEmpty && bindings.keys(of: .play) == ["enter", "x"])
  }

  @Test func `Keys and targets in the settings file are checked`() {
    let text = """
      [bindings]
      x = "play"
      ctrl-x = ":queue clear"
      a = ""
      "verylong" = "play"
      y = "plya"
      z = 3
      e = "!"
      f = "!tag 'a"
      """
    let file = FileSettings(text, location: "config.toml", commands: [])
    #expect(file.bindings.mapValues(\.value) == ["x": "play", "ctrl-x": ":queue clear", "a": ""])
    #expect(file.problems.map(\.location) == (5...9).map { "config.toml:\($0)" })
  }
}
