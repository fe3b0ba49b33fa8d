package import CoverDrawing
package import Platform
package import SystemPackage

/// Draws lines from the top of the terminal's other screen, each frame in one write, of which only what changed is
/// written.
///
/// The other screen has no history to scroll into: a frame is right whatever the window's size was before, and what the
/// terminal showed comes back in the end.
package final class TerminalCanvas {
  private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaveText = "\u{1B}[?25h\u{1B}[?1049l"

  private let stream: StandardStream
  private let manner: OutputStyle
  /// What the terminal shows, as far as that is known.
  private var shown: TerminalFrame?

  /// A canvas on `stream`, with the signs of `manner`; nothing is shown before ``enter()``.
  package init(_ stream: StandardStream, _ manner: OutputStyle) {
    self.stream = stream
    self.manner = manner
  }

  /// The size of the terminal, or what most have where it does not know.
  package var size: TerminalSize { stream.terminalSize ?? TerminalSize(columns: 80, rows: 24) }

  /// Goes to the other screen and hides the cursor.
  package func enter() {
    shown = nil
    put(Self.enterText)
  }

  /// Draws `lines` in the place of those before; none may be wider than the terminal.
  package func draw(_ lines: [String]) { draw(TerminalFrame(lines: lines, size: size)) }

  /// Draws `frame` in the place of the one before.
  package func draw(_ frame: TerminalFrame) {
    var frame = frame
    frame.lines = frame.lines.map(manner.signed)
    if let text = frame.text(after: shown) { put(text) }
    shown = frame
  }

  /// Sends the terminal what it answers, and does not show.
  package func ask(_ question: String) { put(question) }

  /// Goes back to the screen that was, and shows the cursor.
  package func leave() { put(Self.leaveText) }

  /// A terminal that is gone takes nothing: the signal that says so ends the program.
  private func put(_ text: String) { try? stream.write(text) }
}

/// What a terminal shows: lines from its top, and beside them, at their left, a cover; no line is wider than what that
/// leaves.
package struct TerminalFrame: Equatable {
  private static let home = "\u{1B}[H"
  private static let clearAll = "\u{1B}[2J"
  private static let clearRight = "\u{1B}[K"
  private static let plain = "\u{1B}[0m"
  /// The empty columns between cover and lines.
  private static let gap = 1

  var lines: [String]
  var cover: DrawnCover?
  /// How large the terminal is: in one of another size, nothing is where it was.
  let size: TerminalSize

  /// These lines, and beside them `cover`, on a terminal of this size.
  package init(lines: [String], cover: DrawnCover? = nil, size: TerminalSize) {
    self.lines = lines
    self.cover = cover
    self.size = size
  }

  /// The cells of a line that `cover` takes.
  package static func margin(of cover: DrawnCover?) -> Int { cover.map { $0.columns + gap } ?? 0 }

  /// What makes this of `earlier`, which the terminal shows, or of whatever it shows where that is `nil`; `nil` where
  /// nothing changes.
  func text(after earlier: TerminalFrame?) -> String? {
    if self == earlier { return nil }
    let known = earlier?.size == size && earlier?.cover == cover ? earlier?.lines : nil
    var text = known == nil ? Self.home + Self.clearAll + coverText : ""
    for (row, line) in lines.enumerated()
    where known == nil || row >= (known?.count ?? 0) || known?[row] != line {
      // Behind a line as wide as the terminal the cursor still stands on its last cell: so it is cleared ahead of the
      // text.
      text += Self.place(row, Self.margin(of: cover)) + Self.clearRight + line
    }
    for row in lines.count..<max(lines.count, known?.count ?? 0) {
      text += Self.place(row, Self.margin(of: cover)) + Self.clearRight
    }
    return text
  }

  private var coverText: String {
    switch cover?.content {
    case nil: ""
    case .image(let image): image + Self.plain
    case .rows(let rows):
      rows.enumerated().map { Self.place($0, 0) + $1 + Self.plain }.joined()
    }
  }

  /// Puts the cursor at a cell of `row`; both count from 0.
  private static func place(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}

/// Says when the next frame of what moves is due, thirty times a second at most, until it is released: never again
/// before the last was taken.
package final class FrameClock: Sendable {
  private static let period: UInt64 = 33

  /// Holds whether the last tick is still to be taken.
  private let worker = Worker(named: "segue-frames", false)

  /// A clock that calls `tick` on a thread of its own.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  package init(_ tick: @escaping @Sendable () -> Void) throws(Errno) {
    try worker.start { [worker] in
      let isFirst = worker.withPending { isPending in
        defer { isPending = true }
        return !isPending
      }
      if isFirst { tick() }
      return MonotonicInstant.now.advanced(byMilliseconds: Self.period)
    }
  }

  deinit { worker.close() }

  /// The last tick was taken.
  package func taken() { worker.withPending { $0 = false } }
}
