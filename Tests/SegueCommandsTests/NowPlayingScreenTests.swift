import MusicModel
import Platform
import QueueFlow
import TestSupport
import Testing
import UnicodeText

@testable import SegueCommands

struct NowPlayingScreenTests {
  private static let queue = Examples.queue([
    Examples.track("So What"), Examples.track("Freddie Freeloader"), Examples.track("Blue in Green"),
  ])

  private static func lines(
    _ queue: PlayQueue, _ state: PlaybackState, columns: Int, rows: Int = 24, notice: String? = nil
  ) -> [String] {
    NowPlayingScreen(
      queue: queue, playback: state, notice: notice, size: TerminalSize(columns: columns, rows: rows)
    ).lines
  }

  @Test(arguments: [
    (
      80,
      [
        "▶ So What", "  Miles Davis · Kind of Blue",
        "  1:21 ━━━━━━━━━━━━━─────────────────────────────────────────── -4:04  5:25  1/3",
        "  next: Freddie Freeloader",
        "  space pause  ←/→ 10 s  ↑/↓ 1 min  n next  p previous  +/- volume  q quit",
      ]
    ),
    (
      20,
      [
        "▶ So What", "  Miles Davis · Kin…", "  1:21 ━────── -4:04", "  next: Freddie Fre…",
        "  space pause  ←/→ …",
      ]
    ),
    (
      200,
      [
        "▶ So What", "  Miles Davis · Kind of Blue",
        "  1:21 " + String(repeating: "━", count: 43) + String(repeating: "─", count: 133)
          + " -4:04  5:25  1/3",
        "  next: Freddie Freeloader",
        "  space pause  ←/→ 10 s  ↑/↓ 1 min  n next  p previous  +/- volume  q quit",
      ]
    ),
  ])
  func `The screen shows title, origin, progress and keys`(columns: Int, lines: [String]) {
    #expect(Self.lines(Self.queue, Examples.playing(Self.queue, seconds: 81), columns: columns) == lines)
  }

  @Test func `Volume and notices are shown where there is something to say`() {
    let lines = Self.lines(
      Self.queue, Examples.playing(Self.queue, seconds: 0, volume: 40), columns: 80, notice: "segue: a\u{1B}b"
    )
    #expect(lines[2].hasSuffix("1/3  vol 40%"))
    #expect(lines.suffix(2) == ["", "segue: a␛b"])
  }

  @Test func `What comes next, and the modes that are not off, have a line`() {
    var queue = Self.queue
    queue.reduce(.setRepeat(.one))
    queue.reduce(.stopAfter(.album))
    let lines = Self.lines(queue, Examples.playing(queue, seconds: 1), columns: 80)
    #expect(lines[3].hasSuffix("repeat one  stop after album"))
    let last = Examples.queue([Examples.track("a"), Examples.track("b", artist: "C")], current: 1)
    #expect(Self.lines(last, Examples.playing(last, seconds: 1), columns: 80).count == 4)
    let first = Examples.queue([Examples.track("a"), Examples.track("b", artist: "C")], current: 0)
    #expect(Self.lines(first, Examples.playing(first, seconds: 1), columns: 80)[3] == "  next: b · C")
  }

  @Test func `A pause and a stop have their signs`() {
    var state = Examples.playing(Self.queue, seconds: 2)
    _ = state.reduce(.report(.changed(.paused)))
    #expect(Self.lines(Self.queue, state, columns: 80).first == "‖ So What")
    _ = state.reduce(.report(.changed(.stopped)))
    #expect(Self.lines(Self.queue, state, columns: 80).first == "■ So What")
  }

  @Test func `Before anything is found there is an ellipsis`() {
    #expect(Self.lines(PlayQueue(), PlaybackState(), columns: 1, rows: 1) == ["…"])
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 1), (1, 24), (7, 5), (200, 1)])
  func `The smallest screens hold what fits`(columns: Int, rows: Int) {
    let lines = Self.lines(Self.queue, Examples.playing(Self.queue, seconds: 9), columns: columns, rows: rows)
    #expect(lines.count == min(rows, 5))
    #expect(lines.allSatisfy { $0.cellWidth <= columns })
  }

  @Test func `A file that lasts longer or shorter than it says does no harm`() {
    for seconds in [0, 325, 326, 1e6] {
      let lines = Self.lines(Self.queue, Examples.playing(Self.queue, seconds: seconds), columns: 80)
      #expect(lines[2].cellWidth <= 80)
      #expect(seconds < 325 || lines[2].contains("-0:00"))
    }
    let unknown = Examples.queue([Examples.track("Stream", seconds: nil)])
    #expect(Self.lines(unknown, Examples.playing(unknown, seconds: 5), columns: 40)[2].hasSuffix("─ 1/1"))
    let empty = Examples.queue([Examples.track("Nothing", seconds: 0)])
    #expect(Self.lines(empty, Examples.playing(empty, seconds: 0), columns: 40)[2].contains("───"))
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `No line is wider than the terminal or holds a control, whatever the tags`(seed: UInt64) {
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
    let lines = Self.lines(queue, state, columns: columns, rows: rows, notice: generator.hostileText())
    #expect(lines.count <= rows)
    for line in lines {
      #expect(line.cellWidth <= columns, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }
}

struct ProgressBarTests {
  @Test(arguments: [
    (0.0, 4, "────"), (0.5, 4, "━━──"), (0.99, 4, "━━━─"), (1, 4, "━━━━"), (2, 3, "━━━"), (-1, 3, "───"),
    (.nan, 3, "───"),
    (.infinity, 2, "━━"), (0.5, 0, ""), (0.5, -3, ""),
  ])
  func `A bar is full in its share`(share: Double, cells: Int, text: String) {
    #expect(ProgressBar.text(share: share, cells: cells) == text)
  }

  @Test func `An unknown share is an empty bar`() {
    #expect(ProgressBar.text(share: nil, cells: 3) == "───")
  }
}
