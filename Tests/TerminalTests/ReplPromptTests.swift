// SPDX-License-Identifier: GPL-3.0-or-later

import FaceExamples
import PlayerFlow
import TestSupport
import Testing
import UnicodeText

@testable import Terminal

struct ReplPromptTests {
  private static func state(paused: Bool = false, at seconds: Double = 151) -> PlaybackState {
    var state = Examples.playing(Examples.queue([Examples.track("a")]), seconds: seconds)
    if paused { _ = state.reduce(.report(.changed(.paused))) }
    return state
  }

  private static func text(
    _ state: PlaybackState, _ title: String? = "Blue in Green", columns: Int = 80, isASCII: Bool = false
  ) -> String {
    ReplPrompt(state, title: title, columns: columns, isASCII: isASCII).text
  }

  @Test func `The prompt shows the track and the elapsed time`() {
    #expect(Self.text(Self.state()) == "▶ 2:31 Blue in Green> ")
    #expect(Self.text(Self.state(paused: true)) == "⏸ 2:31 Blue in Green> ")
    #expect(Self.text(PlaybackState()) == "segue> ")
    #expect(Self.text(Self.state(), nil) == "▶ 2:31> ")
  }

  @Test func `The prompt leaves half of the line free`() {
    #expect(Self.text(Self.state(), columns: 20) == "▶ 2:31> ")
    #expect(Self.text(Self.state(), columns: 30) == "▶ 2:31 Blue …> ")
    #expect(Self.text(Self.state(), "時計の楽団とその仲間", columns: 40) == "▶ 2:31 時計の楽団…> ")
  }

  @Test func `Without UTF-8 the prompt is ASCII`() {
    #expect(Self.text(Self.state(), "Für Elise", isASCII: true) == "playing 2:31 F?r Elise> ")
    #expect(
      Self.text(Self.state(paused: true), "Für Elise", columns: 40, isASCII: true) == "paused 2:31 F?r...> ")
  }

  @Test func `A prompt follows another if only a second has elapsed`() {
    func prompt(_ state: PlaybackState, _ title: String = "A") -> ReplPrompt {
      ReplPrompt(state, title: title, columns: 80, isASCII: false)
    }
    let first = prompt(Self.state())
    #expect(prompt(Self.state(at: 152)).follows(first))
    #expect(!prompt(Self.state(at: 152), "B").follows(first) && !first.follows(first))
    // A seek.
    #expect(!prompt(Self.state(at: 153)).follows(first) && !first.follows(prompt(Self.state(at: 152))))
    #expect(!prompt(Self.state(paused: true, at: 152)).follows(prompt(Self.state(paused: true))))
    #expect(!prompt(PlaybackState()).follows(first) && !first.follows(prompt(PlaybackState())))
  }

  @Test(arguments: 1...100 as ClosedRange<UInt64>)
  func `Hostile text is made safe, and the prompt takes at most half the line`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let columns = Int.random(in: 20...400, using: &generator)
    for isASCII in [false, true] {
      let text = Self.text(Self.state(), generator.hostileText(), columns: columns, isASCII: isASCII)
      #expect(text == text.safeForTerminal && text.cellWidth <= max(columns / 2, 16))
      #expect(!isASCII || text.utf8.allSatisfy { $0 < 0x7F })
    }
  }
}
