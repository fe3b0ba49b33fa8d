// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerPort
import Terminal
import Testing
import UserSettings

@testable import Screens

/// What the user types: text to search for and to find, and commands.
struct FullScreenTypingTests {
  @Test func `The search shows hits while the user types, and letters act after Escape`() {
    var rig = ScreenRig()
    rig.show(.search)
    rig.type("mi")
    #expect(rig.model.list?.content == .search("mi", .everything) && rig.title == "Song 4")
    rig.press(.down)
    rig.press(.escape)
    rig.type("a")
    #expect(rig.commands.last == .use(.add, [.track(id: 5, "/music/5.flac")], in: ListView(.search("mi", .everything))))
    // Opened again, it shows the last hits until something else is typed.
    rig.type("/")
    #expect(rig.model.list?.content == .search("mi", .everything))
    rig.type("re")
    rig.press(.backspace)
    #expect(rig.model.list?.content == .search("r", .everything))
    rig.press(.escape)
    rig.type("/")
    rig.press(.backspace)
    #expect(rig.model.list?.content == .search("", .everything))
    rig.press(.tab)
    #expect(rig.model.screen == .nowPlaying)
  }

  @Test func `Enter plays what was found, and then keys have their usual meanings`() {
    var rig = ScreenRig()
    rig.show(.search)
    rig.type("mi")
    rig.press(.enter)
    rig.type("u")
    #expect(rig.commands.last == .request(.edit(.undo(1))))
    #expect(rig.model.list?.content == .search("mi", .everything))
  }

  @Test func `Text is found in a list, forward and backward`() {
    var rig = ScreenRig()
    rig.show(.songs)
    rig.type(";12")
    rig.press(.enter)
    let content = ListView(.songs(.everything))
    #expect(rig.effects.last == .read(.find("12", in: content, after: 0, backward: false)))
    rig.model.receive(position: 11, of: content, with: "12")
    #expect(rig.title == "Song 12")
    rig.type("n")
    #expect(rig.effects.last == .read(.find("12", in: content, after: 11, backward: false)))
    rig.model.receive(position: 111, of: content, with: "12")
    rig.type("N")
    #expect(rig.effects.last == .read(.find("12", in: content, after: 111, backward: true)))
    rig.model.receive(position: nil, of: content, with: "12")
    #expect(rig.model.message?.isError == true && rig.title == "Song 112")
    // Keys that follow a search wait for it.
    rig.type("nj")
    #expect(rig.title == "Song 112")
    rig.model.receive(position: 20, of: content, with: "12")
    rig.load()
    #expect(rig.title == "Song 22")
    rig.type("'s")
    #expect(rig.effects.last == .read(.letter("s", in: content)))
  }

  @Test func `Commands are typed, completed and run, and Escape drops them`() {
    var rig = ScreenRig()
    rig.show(.queue)
    rig.type(":queue shuffle")
    rig.press(.tab)
    #expect(rig.effects.last == .complete("queue shuffle"))
    rig.press(.enter)
    #expect(rig.commands.last == .line("queue shuffle") && rig.model.prompt == nil)
    rig.type(":qu")
    rig.press(.escape)
    #expect(rig.commands.count == 1 && rig.model.prompt == nil)
    rig.type(":  ")
    rig.press(.enter)
    #expect(rig.commands.count == 1)
    // Single words name screens, the list of keys, and the end.
    rig.type(":albums\n".replacing("\n", with: ""))
    rig.press(.enter)
    #expect(rig.model.screen == .albums)
    rig.type(":help")
    rig.press(.enter)
    #expect(rig.model.overlay == .actions(selection: 0))
    rig.press(.escape)
    rig.type(":q")
    rig.press(.enter)
    #expect(rig.effects.last == .quit && rig.commands.count == 1)
  }

  @Test func `Candidates that have no room are counted`() {
    var rig = ScreenRig(columns: 40, rows: 12)
    rig.model.showCandidates(["theme=cover", "theme=dark", "theme=light", "theme=plain"])
    #expect(rig.model.message?.text == "theme=cover  theme=dark  (2 more)")
    rig.model.showCandidates(["theme=cover", "theme=dark", "theme=light"])
    #expect(rig.model.message?.text == "theme=cover  theme=dark  theme=light")
    rig.model.showCandidates([String(repeating: "x", count: 60), "y"])
    #expect(rig.model.message?.text == String(repeating: "x", count: 60) + "  (1 more)")
    rig.model.showCandidates([])
    #expect(rig.model.message == nil)
  }

  @Test func `Only y and q confirm that the music is stopped`() {
    for (key, isConfirmed) in [
      (Key.enter, false), (.character("n"), false), (.character("y"), true), (.character("q"), true),
    ] {
      var rig = ScreenRig()
      rig.model.asksBeforeQuitting = true
      rig.type("q")
      #expect(rig.model.prompt == .quit)
      rig.press(key)
      #expect((rig.effects.last == .quit) == isConfirmed && rig.model.prompt == nil, "\(key)")
    }
  }
}
