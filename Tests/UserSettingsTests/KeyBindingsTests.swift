// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct KeyBindingsTests {
  @Test func `The default keys match the line of keys, also as capital letters`() {
    let defaults = KeyBindings()
    #expect(
      defaults.items() == [
        "space pause", "←/→ 10 s", "↑/↓ 1 min", "n next", "p previous", "+/- volume", "m meter", "? keys",
        "q quit",
      ])
    #expect(defaults.action(of: .character(" ")) == .pause && defaults.action(of: .left) == .seekBack)
    #expect(defaults.action(of: .character("N")) == .next && defaults.action(of: .character("=")) == .volumeUp)
    #expect(defaults.action(of: .enter) == nil && defaults.action(of: .character("x")) == nil)
  }

  @Test func `A chosen key loses its previous action`() {
    let bindings = KeyBindings([.next: ["p", "enter"], .quit: []])
    #expect(bindings.action(of: .character("p")) == .next && bindings.action(of: .enter) == .next)
    #expect(bindings.action(of: .character("n")) == nil && bindings.action(of: .character("q")) == nil)
    #expect(
      bindings.items(quit: "leave") == [
        "space pause", "←/→ 10 s", "↑/↓ 1 min", "p next", "+/- volume", "m meter", "? keys",
      ])
  }

  @Test func `A key chosen twice belongs to the first action, and a capital letter may be a separate key`() {
    let bindings = KeyBindings([.next: ["x"], .previous: ["x", "P"], .pause: ["p"]])
    #expect(bindings.action(of: .character("x")) == .next)
    #expect(
      bindings.action(of: .character("P")) == .previous && bindings.action(of: .character("p")) == .pause)
  }

  @Test(arguments: ["space", "left", "escape", "x", "é", "日", "/", "backspace"])
  func `A key is found by its name`(name: String) { #expect(Key(named: name) != nil) }

  @Test(arguments: ["", " ", "hyper", "ctrl-", "\u{1B}", "\t", "ab"])
  func `An unknown key name is refused`(name: String) { #expect(Key(named: name) == nil) }
}
