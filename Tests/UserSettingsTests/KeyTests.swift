// SPDX-License-Identifier: GPL-3.0-or-later

import Testing

@testable import UserSettings

struct KeyTests {
  @Test(arguments: ["space", "left", "escape", "x", "é", "日", "/", "backspace"])
  func `A key is found by its name`(name: String) { #expect(Key(named: name) != nil) }

  @Test(arguments: ["", " ", "hyper", "ctrl-", "\u{1B}", "\t", "ab"])
  func `An unknown key name is refused`(name: String) { #expect(Key(named: name) == nil) }
}

/// The keys on a terminal on which no screen can be drawn.
struct PlainKeyTests {
  @Test func `The keys that control the player mean the same as on a screen, and the arrows seek`() {
    let bindings = ScreenBindings()
    #expect(bindings.plainAction(of: .character(" ")) == .pause && bindings.plainAction(of: .left) == .seekBack)
    #expect(bindings.plainAction(of: .up) == .seekForwardFar && bindings.plainAction(of: .character("q")) == .quit)
    #expect(bindings.plainAction(of: .enter) == nil && bindings.plainAction(of: .character("x")) == nil)
    #expect(bindings.plainLines.first == "space or p: Pause or resume.")
    #expect(bindings.plainLines.contains("left or [: Seek back 10 seconds."))
  }
}

struct KeyPresetTests {
  /// Keys that the documentation of each player lists, with what they do there, as far as Segue can do the same.
  private static let documented: [KeyPreset: [(String, ScreenAction)]] = [
    .cmus: [
      ("x", .play), ("c", .pause), ("v", .stop), ("b", .next), ("z", .previous), ("r", .repeat), ("s", .random),
      ("1", .showArtists), ("2", .showSongs), ("3", .showPlaylists), ("4", .showQueue), ("5", .showDirectories),
      (",", .seekBackFar), (".", .seekForwardFar), ("j", .down), ("k", .up), ("g", .first), ("G", .last),
      ("ctrl-f", .pageDown), ("ctrl-b", .pageUp), ("enter", .play), ("space", .open), ("e", .add), ("E", .addNext),
      ("y", .addToPlaylist), ("D", .remove), ("delete", .remove), ("i", .goToCurrent), ("/", .find), ("n", .findNext),
      ("N", .findPrevious), ("L", .filterList), ("t", .timeLeft), ("q", .quit), (":", .command), ("ctrl-l", .redraw),
    ],
    .ncmpcpp: [
      ("1", .showQueue), ("2", .showDirectories), ("3", .showSearch), ("4", .showArtists), ("5", .showPlaylists),
      ("7", .showOutputs), ("p", .pause), ("s", .stop), (">", .next), ("<", .previous), ("f", .seekForward),
      ("b", .seekBack), ("r", .repeat), ("z", .random), ("y", .single), ("R", .consume), ("space", .add),
      ("delete", .remove), ("ctrl-f", .filterList), ("/", .find), (".", .findNext), (",", .findPrevious),
      ("i", .info), ("l", .showLyrics), ("ctrl-v", .markRange), ("a", .addToPlaylist), ("c", .clear), ("m", .moveUp),
      ("n", .moveDown), ("o", .goToCurrent), ("e", .rename), ("ctrl-s", .sort), ("q", .quit), ("f1", .help),
      ("tab", .nextScreen), ("shift-tab", .previousScreen), ("backspace", .back), ("home", .first), ("end", .last),
    ],
    .rmpc: [
      ("q", .quit), ("?", .help), (":", .command), ("oo", .showOutputs), ("z", .repeat), ("x", .random),
      ("c", .consume), ("v", .single), ("p", .pause), ("s", .stop), (">", .next), ("<", .previous),
      ("f", .seekForward), ("b", .seekBack), (".", .volumeUp), (",", .volumeDown), ("gt", .nextScreen),
      ("gT", .previousScreen), ("1", .showQueue), ("2", .showDirectories), ("3", .showArtists), ("5", .showAlbums),
      ("6", .showPlaylists), ("7", .showSearch), ("k", .up), ("j", .down), ("h", .back), ("l", .open), ("K", .moveUp),
      ("J", .moveDown), ("ctrl-u", .halfPageUp), ("ctrl-d", .halfPageDown), ("gg", .first), ("G", .last),
      ("space", .mark), ("/", .find), ("n", .findNext), ("N", .findPrevious), ("a", .add), ("D", .remove),
      ("d", .remove), ("ctrl-r", .rename), ("oi", .info), ("r", .rate), ("y", .copy), ("C", .goToCurrent),
      ("enter", .play),
    ],
  ]

  @Test(arguments: documented.keys) func `The documented keys of a player do the same in Segue`(preset: KeyPreset) {
    let bindings = ScreenBindings(preset: preset)
    for (name, action) in Self.documented[preset] ?? [] {
      let expected: ScreenBindings.Target = (preset, name) == (.cmus, "x") ? .command("resume") : .action(action)
      #expect(ScreenBindings.keys(name).map { bindings.meaning(of: $0) } == .target(expected), "\(name)")
    }
  }

  @Test(arguments: KeyPreset.allCases) func `Every key of a preset is a key with a meaning`(preset: KeyPreset) {
    for (name, text) in preset.bindings {
      #expect(ScreenBindings.keys(name) != nil, "\(name)")
      #expect(text.isEmpty || ScreenBindings.Target(text) != nil, "\(name): \(text)")
    }
    // What is needed to find everything else.
    for action: ScreenAction in [.help, .quit, .undo, .play, .up, .down, .back, .pause, .command] {
      #expect(!ScreenBindings(preset: preset).keys(of: action).isEmpty, "\(action)")
    }
  }
}
