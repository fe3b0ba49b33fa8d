import Platform

/// Draws lines from the top of the terminal's other screen, each frame in one write.
///
/// The other screen has no history to scroll into: a frame is right whatever the window's size was before, and what the
/// terminal showed comes back in the end.
struct TerminalCanvas {
  private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaveText = "\u{1B}[?25h\u{1B}[?1049l"
  private static let home = "\u{1B}[H"
  private static let clearRight = "\u{1B}[K"
  private static let clearBelow = "\u{1B}[J"

  private let stream: StandardStream

  /// A canvas on `stream`; nothing is shown before ``enter()``.
  init(_ stream: StandardStream) { self.stream = stream }

  /// Goes to the other screen and hides the cursor.
  func enter() { put(Self.enterText) }

  /// Draws `lines` in the place of those before; none may be wider than the terminal.
  func draw(_ lines: [String]) {
    // Behind a line as wide as the terminal the cursor still stands on its last cell: so it is cleared ahead of the text.
    let rows = lines.enumerated().map { index, line in
      (index == lines.count - 1 ? Self.clearBelow : Self.clearRight) + line
    }
    put(Self.home + rows.joined(separator: "\r\n"))
  }

  /// Goes back to the screen that was, and shows the cursor.
  func leave() { put(Self.leaveText) }

  /// A terminal that is gone takes nothing: the signal that says so ends the program.
  private func put(_ text: String) { try? stream.write(text) }
}
