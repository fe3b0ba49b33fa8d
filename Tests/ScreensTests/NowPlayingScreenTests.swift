// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import MusicModel
import Platform
import PlayerFlow
import TestSupport
import Testing
import UnicodeText

@testable import Screens
@testable import Terminal
@testable import UserSettings

struct NowPlayingScreenTests {
  private static let queue = Examples.queue([
    Examples.track("So What"), Examples.track("Freddie Freeloader"), Examples.track("Blue in Green"),
  ])

  private static func lines(
    _ queue: PlayQueue, _ state: PlaybackState, columns: Int, rows: Int = 24,
    _ extras: NowPlayingScreen.Extras = .init()
  ) -> [String] {
    NowPlayingScreen(
      scene: NowPlaying(queue, playing: state.item),
      state: PlayingState(PlayerStatus(state, queue: queue), position: state.position), extras: extras,
      size: TerminalSize(columns: columns, rows: rows)
    ).lines
  }

  @Test(arguments: [
    (
      80,
      """
      ▶ So What
        Miles Davis
        Kind of Blue
        FLAC, 16 bits, 44100 Hz, stereo · bit-perfect
        1:21 ━━━━━━━━━━━━━─────────────────────────────────────────── -4:04  5:25  1/3

        next: Freddie Freeloader
              Blue in Green · Bill Evans

        ? keys  q quit
      """
    ),
    (
      20,
      """
      ▶ So What
        Miles Davis
        Kind of Blue
        FLAC, 16 bits, 44…
        bit-perfect
        1:21 ━────── -4:04

        next: Freddie Fre…
              Blue in Gre…

        ? keys  q quit
      """
    ),
    (
      200,
      """
      ▶ So What
        Miles Davis
        Kind of Blue
        FLAC, 16 bits, 44100 Hz, stereo · bit-perfect
        1:21 \(String(repeating: "━", count: 43) + String(repeating: "─", count: 133)) -4:04  5:25  1/3

        next: Freddie Freeloader
              Blue in Green · Bill Evans

        ? keys  q quit
      """
    ),
  ])
  func `The screen shows title, artist, album, format, progress and the next tracks`(columns: Int, text: String) {
    let queue = Examples.queue([
      Examples.track("So What", suffix: ".flac"), Examples.track("Freddie Freeloader"),
      Examples.track("Blue in Green", artist: "Bill Evans"),
    ])
    let state = Examples.playing(queue, seconds: 81, depth: .bits16)
    #expect(Self.lines(queue, state, columns: columns).joined(separator: "\n") == text)
  }

  @Test func `The reasons against bit-perfect output are named`() {
    let lossy = Examples.playing(Self.queue, seconds: 0, volume: 80)
    #expect(
      Self.lines(Self.queue, lossy, columns: 90)[3]
        == "  lossy, 44100 Hz, stereo · not bit-perfect: lossy codec; volume 80%")
  }

  @Test func `The keys are listed in as many lines as needed`() {
    let state = Examples.playing(Self.queue, seconds: 0)
    let extras = NowPlayingScreen.Extras(showsAllKeys: true)
    #expect(
      Self.lines(Self.queue, state, columns: 80, extras).suffix(2) == [
        "  space pause  ←/→ 10 s  ↑/↓ 1 min  n next  p previous  +/- volume  m meter", "  ? keys  q quit",
      ])
    #expect(
      Self.lines(Self.queue, state, columns: 20, rows: 40, extras).suffix(7) == [
        "  space pause", "  ←/→ 10 s", "  ↑/↓ 1 min  n next", "  p previous", "  +/- volume",
        "  m meter  ? keys",
        "  q quit",
      ])
    let leaving = NowPlayingScreen.Extras(ending: .leave)
    #expect(Self.lines(Self.queue, state, columns: 80, leaving).last == "  ? keys  q close")
  }

  @Test func `Volume and notices are shown if there are any`() {
    let lines = Self.lines(
      Self.queue, Examples.playing(Self.queue, seconds: 0, volume: 40), columns: 80,
      NowPlayingScreen.Extras(notice: "segue: a\u{1B}b"))
    #expect(lines.contains { $0.hasSuffix("1/3  vol 40%") })
    #expect(lines.suffix(2) == ["", "segue: a␛b"])
  }

  @Test func `The next tracks are in playing order without repetition, and active modes have a line`() {
    var queue = Self.queue
    queue.reduce(.setRepeat(.all))
    var lines = Self.lines(queue, Examples.playing(queue, seconds: 1), columns: 80)
    #expect(lines.filter { $0.contains("Freddie") || $0.contains("So What") }.count == 3)
    #expect(lines.contains("  repeat all"))
    queue.reduce(.setRepeat(.one))
    queue.reduce(.stopAfter(.album))
    lines = Self.lines(queue, Examples.playing(queue, seconds: 1), columns: 80)
    #expect(lines.contains("  next: So What"))
    #expect(lines.contains("  repeat one  stop after album"))
    let last = Examples.queue([Examples.track("a"), Examples.track("b", artist: "C")], current: 1)
    #expect(!Self.lines(last, Examples.playing(last, seconds: 1), columns: 80).joined().contains("next:"))
    let long = Examples.queue((0..<40).map { Examples.track("t\($0)") })
    #expect(
      Self.lines(long, Examples.playing(long, seconds: 1), columns: 80).filter { $0.hasPrefix("        t") }
        .count
        == 4)
  }

  @Test func `Paused and stopped states have symbols`() {
    var state = Examples.playing(Self.queue, seconds: 2)
    _ = state.reduce(.report(.changed(.paused)))
    #expect(Self.lines(Self.queue, state, columns: 80).first == "‖ So What")
    _ = state.reduce(.report(.changed(.stopped)))
    #expect(Self.lines(Self.queue, state, columns: 80).first == "■ So What")
  }

  @Test func `An ellipsis is shown during a lookup, and a text if nothing is playing`() {
    #expect(Self.lines(PlayQueue(), PlaybackState(), columns: 1, rows: 1) == ["…"])
    let leaving = NowPlayingScreen.Extras(ending: .leave)
    #expect(Self.lines(PlayQueue(), PlaybackState(), columns: 80, leaving).first == "nothing playing")
  }

  @Test func `A player in another process is shown like the one in this process`() {
    let queue = Examples.queue([
      Examples.track("So What", suffix: ".flac"), Examples.track("Blue in Green", artist: "Bill Evans"),
    ])
    let playback = Examples.playing(queue, seconds: 81, volume: 70, depth: .bits16)
    let status = PlayerStatus(playback, queue: queue)
    let received = PlayingState(status, position: .seconds(81))
    #expect(received.phase == .playing && received.position == .seconds(81))
    var stopped = playback
    _ = stopped.reduce(.report(.changed(.stopped)))
    #expect(PlayingState(PlayerStatus(stopped, queue: queue), position: .zero).format == nil)
  }

  @Test func `Without UTF-8 all symbols are ASCII of the same width`() {
    let queue = Examples.queue(
      [
        Examples.track("So What\u{1B}", album: "Kind of Blue, a long title to be cut"),
        Examples.track("Freddie Freeloader", artist: "Wynton Kelly"),
      ])
    let state = Examples.playing(queue, seconds: 81)
    let extras = NowPlayingScreen.Extras(notice: "no…", showsAllKeys: true, showsLevels: true, isASCII: true)
    for columns in [20, 80] {
      let lines = Self.lines(queue, state, columns: columns, rows: 40, extras)
      let asciiLines = lines.map(\.withASCIISymbols)
      #expect(asciiLines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } }, "\(asciiLines)")
      #expect(asciiLines.map(\.cellWidth) == lines.map(\.cellWidth))
    }
    let wide = Self.lines(queue, state, columns: 80, extras).map(\.withASCIISymbols)
    #expect(wide.first == "playing: So What?")
    #expect(wide.contains("  next: Freddie Freeloader - Wynton Kelly"))
    #expect(wide.contains { $0.hasPrefix("  space pause  left/right 10 s  up/down 1 min  n next") })
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 1), (1, 24), (7, 5), (200, 1)])
  func `The smallest screens show what fits`(columns: Int, rows: Int) {
    let lines = Self.lines(Self.queue, Examples.playing(Self.queue, seconds: 9), columns: columns, rows: rows)
    #expect(lines.count == min(rows, 11))
    #expect(lines[0].hasPrefix(columns > 1 ? "▶" : "…"))
    #expect(lines.allSatisfy { $0.cellWidth <= columns })
  }

  @Test func `A file that is longer or shorter than its tags say does no harm`() {
    for seconds in [0, 325, 326, 1e6] {
      let lines = Self.lines(Self.queue, Examples.playing(Self.queue, seconds: seconds), columns: 80)
      #expect(lines[4].cellWidth <= 80)
      #expect(seconds < 325 || lines[4].contains("-0:00"))
    }
    let unknown = Examples.queue([Examples.track("Stream", seconds: nil)])
    #expect(Self.lines(unknown, Examples.playing(unknown, seconds: 5), columns: 40)[5].hasSuffix("─ 1/1"))
    let empty = Examples.queue([Examples.track("Nothing", seconds: 0)])
    #expect(Self.lines(empty, Examples.playing(empty, seconds: 0), columns: 40)[5].contains("───"))
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `No line is wider than the terminal or has control characters, whatever the tags`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let queue = Examples.queue(
      [
        Examples.track(
          generator.hostileText(), artist: Bool.random(using: &generator) ? generator.hostileText() : nil,
          album: Bool.random(using: &generator) ? generator.hostileText() : nil,
          seconds: Int.random(in: 0...400_000, using: &generator))
      ], title: generator.hostileText())
    let columns = Int.random(in: 1...90, using: &generator)
    let rows = Int.random(in: 1...8, using: &generator)
    let state = Examples.playing(
      queue, seconds: .random(in: 0...500_000, using: &generator),
      volume: .random(in: 0...100, using: &generator))
    let lines = Self.lines(
      queue, state, columns: columns, rows: rows,
      NowPlayingScreen.Extras(notice: generator.hostileText(), showsAllKeys: true))
    #expect(lines.count <= rows)
    for line in lines {
      #expect(line.cellWidth <= columns, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }

  @Test func `A style surrounds its line without changing the width`() throws {
    let styles = Palette([
      .title: try #require(TextStyle(parsing: "bold")), .error: try #require(TextStyle(parsing: "red")),
    ])
    let size = TerminalSize(columns: 20, rows: 24)
    let plain = NowPlayingScreen(
      scene: NowPlaying(Self.queue, playing: nil), state: PlayingState(),
      extras: .init(notice: "no"), size: size
    ).lines
    let styled = NowPlayingScreen(
      scene: NowPlaying(Self.queue, playing: nil), state: PlayingState(),
      extras: .init(notice: "no"), size: size,
      bindings: KeyBindings([.next: ["j"]]), palette: styles
    ).lines
    #expect(styled.first == plain.first.map { "\u{1B}[1m\($0)\u{1B}[0m" })
    #expect(styled.last == "\u{1B}[31mno\u{1B}[0m" && styled.count == plain.count)
    #expect(styled[1] == plain[1])
  }
}

struct MeterLinesTests {
  private static func levels(_ peak: Float, _ rms: Float) -> SoundLevels {
    SoundLevels(
      peak: SoundLevels.Pair(left: peak, right: 0), rms: SoundLevels.Pair(left: rms, right: 0))
  }

  @Test func `The bar ends at the RMS level, its thin part at the peak`() {
    #expect(
      MeterLines.lines(Self.levels(1, 0.0316228), cells: 29) == [
        "L ━━━━━━━━━━┄┄┄┄┄┄┄┄┄┄    0.0", "R                           -",
      ])
    #expect(MeterLines.lines(Self.levels(0.502, 0.502), cells: 29)[0] == "L ━━━━━━━━━━━━━━━━━━     -6.0")
  }

  @Test(
    arguments: [Float.nan, .infinity, -1, 0, 1e-9, 40, .greatestFiniteMagnitude], [0, 3, 9, 10, 11, 80, 400])
  func `No level makes a line wider than the meter`(level: Float, cells: Int) {
    for line in MeterLines.lines(Self.levels(level, level), cells: cells) {
      #expect(line.cellWidth <= max(cells, 9))
    }
  }
}
