// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct KeyBindingsTests {
  @Test func `The default keys control the player, also as capital letters`() {
    let defaults = KeyBindings()
    #expect(defaults.plainLines.count == 12 && defaults.plainLines.first == "space: Pause or resume.")
    #expect(defaults.plainLines.contains("?: Show or hide all keys."))
    #expect(defaults.action(of: .character(" ")) == .pause && defaults.action(of: .left) == .seekBack)
    #expect(defaults.action(of: .character("N")) == .next && defaults.action(of: .character("=")) == .volumeUp)
    #expect(defaults.action(of: .enter) == nil && defaults.action(of: .character("x")) == nil)
  }

  @Test func `A chosen key loses its previous action`() {
    let bindings = KeyBindings([.next: ["p", "enter"], .quit: []])
    #expect(bindings.action(of: .character("p")) == .next && bindings.action(of: .enter) == .next)
    #expect(bindings.action(of: .character("n")) == nil && bindings.action(of: .character("q")) == nil)
    #expect(bindings.plainLines.count == 10 && bindings.plainLines.contains("p or enter: Go to the next track."))
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

/// The keys of the screen that shows what is playing.
struct PlayingBindingsTests {
  private static func action(_ bindings: ScreenBindings, _ key: Key) -> ScreenAction? {
    if case .target(.action(let action)) = bindings.meaning(of: [key]) { action } else { nil }
  }

  @Test func `Keys that act on lists control the player there, and all others mean the same as on a list`() {
    let (list, playing) = (ScreenBindings(), ScreenBindings(playing: [:]))
    let own: [(Key, ScreenAction, ScreenAction)] = [
      (.character(" "), .mark, .pause), (.left, .left, .seekBack), (.right, .right, .seekForward),
      (.down, .down, .seekBackFar), (.up, .up, .seekForwardFar), (.character("n"), .findNext, .next),
    ]
    for (key, onList, whilePlaying) in own {
      #expect(Self.action(list, key) == onList && Self.action(playing, key) == whilePlaying)
    }
    for name in ["p", "m", "?", "q", "+", "j", "<", "u"] {
      let key = Key(named: name) ?? .escape
      #expect(Self.action(list, key) != nil && Self.action(list, key) == Self.action(playing, key))
    }
  }

  @Test func `The keys of the table keys count only there, and those of the table bindings count everywhere`() {
    let chosen: [ScreenAction: [String]] = [.next: ["j", "x"], .previous: ["x", "p"], .meter: []]
    let playing = ScreenBindings(["x": "stop", "left": ":seek -5"], playing: chosen)
    #expect(Self.action(playing, .character("j")) == .next && Self.action(playing, .character("p")) == .previous)
    #expect(Self.action(playing, .character("x")) == .stop)
    #expect(playing.meaning(of: [.left]) == .target(.command("seek -5")))
    // The default keys of an action with chosen keys are gone.
    #expect(Self.action(playing, .character(">")) == nil && Self.action(playing, .character("n")) == .findNext)
    #expect(playing.keys(of: .meter).isEmpty && playing.keys(of: .next) == ["j"])
    let settings = Settings(file: FileSettings("keys.next = \"j\"", location: "f", commands: [])) { _ in nil }
    #expect(Self.action(settings.screenBindings, .character("j")) == .down)
    #expect(Self.action(settings.playingBindings, .character("j")) == .next)
    #expect(settings.keyBindings.action(of: .character("j")) == .next)
  }
}
