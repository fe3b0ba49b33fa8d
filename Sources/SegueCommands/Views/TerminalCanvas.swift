import Platform

/// Draws lines in place at the bottom of what a terminal shows, each frame in one write.
///
/// The cursor rests, hidden, at the beginning of the first line: wherever a change of the window moves that line, the next
/// frame begins there and clears all below.
struct TerminalCanvas {
  private let stream: StandardStream
  private var lines: [String] = []

  /// A canvas on `stream`, with nothing drawn.
  init(_ stream: StandardStream) { self.stream = stream }

  /// Draws `lines` in the place of those before.
  mutating func draw(_ lines: [String]) {
    self.lines = lines
    put(Self.hideCursor + "\r" + frame)
  }

  /// Prints `line` above what is drawn, where it stays.
  mutating func print(above line: String) {
    put("\r" + Self.clearBelow + line + "\r\n" + frame)
  }

  /// Leaves what is drawn where it is, and the cursor below it.
  mutating func leave() {
    if !lines.isEmpty { put(lines.count > 1 ? "\u{1B}[\(lines.count - 1)B\r\n" : "\r\n") }
    put(Self.showCursor)
    lines = []
  }

  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
  private static let clearBelow = "\u{1B}[J"
  private static let clearRight = "\u{1B}[K"

  private var frame: String {
    guard !lines.isEmpty else { return "" }
    let text = lines.map { $0 + Self.clearRight }.joined(separator: "\r\n")
    let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
    return text + Self.clearBelow + "\r" + up
  }

  /// A terminal that is gone takes nothing: the signal that says so ends the program.
  private func put(_ text: String) { try? stream.write(text) }
}
