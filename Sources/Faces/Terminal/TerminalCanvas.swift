// SPDX-License-Identifier: GPL-3.0-or-later

package import CoverDrawing
package import Platform
package import SystemPackage

/// Draws frames on the terminal's alternate screen. Each frame is one write, which contains only the changed lines.
///
/// The alternate screen has no scrollback, so a frame is drawn correctly after any resize, and the previous content is
/// restored when the canvas is left.
package final class TerminalCanvas {
  private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaveText = "\u{1B}[?25h\u{1B}[?1049l"

  private let stream: StandardStream
  private let outputStyle: OutputStyle
  /// The frame now on the terminal; `nil` if the content is unknown.
  private var currentFrame: TerminalFrame?

  /// Creates a canvas on `stream` with symbols in the style `outputStyle`. Call ``enter()`` before drawing.
  package init(_ stream: StandardStream, _ outputStyle: OutputStyle) {
    self.stream = stream
    self.outputStyle = outputStyle
  }

  /// The size of the terminal; 80 by 24 if it is unknown.
  package var size: TerminalSize { stream.terminalSize ?? TerminalSize(columns: 80, rows: 24) }

  /// Switches to the alternate screen and hides the cursor.
  package func enter() {
    currentFrame = nil
    put(Self.enterText)
  }

  /// Draws `lines` in place of the previous frame. No line may be wider than the terminal.
  package func draw(_ lines: [String]) { draw(TerminalFrame(lines: lines, size: size)) }

  /// Draws `frame` in place of the previous one.
  package func draw(_ frame: TerminalFrame) {
    var frame = frame
    frame.lines = frame.lines.map(outputStyle.withSupportedSymbols)
    if let text = frame.text(after: currentFrame) { put(text) }
    currentFrame = frame
  }

  /// Sends a query to the terminal. A query draws nothing.
  package func sendQuery(_ query: String) { put(query) }

  /// Switches back to the normal screen, and shows the cursor.
  package func leave() { put(Self.leaveText) }

  /// Writes to the terminal. Errors are ignored: if the terminal is lost, a signal ends the program.
  private func put(_ text: String) { try? stream.write(text) }
}

/// The content of a terminal: lines from the top, with a cover to their left. No line may be wider than the space
/// beside the cover.
package struct TerminalFrame: Equatable {
  private static let home = "\u{1B}[H"
  private static let clearAll = "\u{1B}[2J"
  private static let clearRight = "\u{1B}[K"
  private static let plain = "\u{1B}[0m"
  /// The number of empty columns between the cover and the lines.
  private static let gap = 1

  var lines: [String]
  var cover: DrawnCover?
  /// The size of the terminal. A frame of another size is drawn from scratch.
  let size: TerminalSize

  /// Creates a frame of lines beside `cover`, on a terminal of this size.
  package init(lines: [String], cover: DrawnCover? = nil, size: TerminalSize) {
    self.lines = lines
    self.cover = cover
    self.size = size
  }

  /// Returns the number of columns that `cover` and the gap beside it occupy; 0 if there is no cover.
  package static func margin(of cover: DrawnCover?) -> Int { cover.map { $0.columns + gap } ?? 0 }

  /// Returns the output that replaces the frame `earlier` on the terminal by this one; `nil` if they are equal. If
  /// `earlier` is `nil`, the output replaces any content.
  func text(after earlier: TerminalFrame?) -> String? {
    if self == earlier { return nil }
    let oldLines = earlier?.size == size && earlier?.cover == cover ? earlier?.lines : nil
    var text = oldLines == nil ? Self.home + Self.clearAll + coverText : ""
    for (row, line) in lines.enumerated()
    where oldLines == nil || row >= (oldLines?.count ?? 0) || oldLines?[row] != line {
      // After a line as wide as the terminal, the cursor is still on the last cell of that line, so each line is
      // cleared before it is written, not after.
      text += Self.cursorSequence(row, Self.margin(of: cover)) + Self.clearRight + line
    }
    for row in lines.count..<max(lines.count, oldLines?.count ?? 0) {
      text += Self.cursorSequence(row, Self.margin(of: cover)) + Self.clearRight
    }
    return text
  }

  private var coverText: String {
    switch cover?.content {
    case nil: ""
    case .image(let image): image + Self.plain
    case .rows(let rows):
      rows.enumerated().map { Self.cursorSequence($0, 0) + $1 + Self.plain }.joined()
    }
  }

  /// Returns the sequence that moves the cursor to a cell. Row and column are counted from 0.
  private static func cursorSequence(_ row: Int, _ column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}

/// A timer that ticks when the next frame of an animation is due, at most thirty times a second, until it is released.
/// It does not tick again until the last tick is confirmed with ``confirmTick()``.
package final class FrameClock: Sendable {
  private static let period: UInt64 = 33

  /// The thread of the timer. Its pending value is whether a tick is still to be confirmed.
  private let worker = Worker(named: "segue-frames", false)

  /// Creates a timer that calls `tick` on a thread of its own.
  ///
  /// - Throws: `Errno` if no thread can be created.
  package init(_ tick: @escaping @Sendable () -> Void) throws(Errno) {
    try worker.start { [worker] in
      let isConfirmed = worker.withPending { isPending in
        defer { isPending = true }
        return !isPending
      }
      if isConfirmed { tick() }
      return MonotonicInstant.now.advanced(byMilliseconds: Self.period)
    }
  }

  deinit { worker.close() }

  /// Confirms the last tick.
  package func confirmTick() { worker.withPending { $0 = false } }
}
