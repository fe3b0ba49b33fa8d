import Platform

/// Draws lines from the top of the terminal's other screen, each frame in one write, of which only what changed is
/// written.
///
/// The other screen has no history to scroll into: a frame is right whatever the window's size was before, and what the
/// terminal showed comes back in the end.
final class TerminalCanvas {
  private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaveText = "\u{1B}[?25h\u{1B}[?1049l"

  private let stream: StandardStream
  private let manner: TerminalManner
  /// What the terminal shows, as far as that is known.
  private var shown: TerminalFrame?

  /// A canvas on `stream`, with the signs of `manner`; nothing is shown before ``enter()``.
  init(_ stream: StandardStream, _ manner: TerminalManner) {
    self.stream = stream
    self.manner = manner
  }

  /// Whether standard output is a terminal that can show one, and is not taken for sound.
  static func canDraw(_ session: Session) -> Bool {
    session.manner.draws && !session.soundGoesToStandardOutput
  }

  /// The size of the terminal, or what most have where it does not know.
  var size: TerminalSize { stream.terminalSize ?? TerminalSize(columns: 80, rows: 24) }

  /// Goes to the other screen and hides the cursor.
  func enter() {
    shown = nil
    put(Self.enterText)
  }

  /// Draws `lines` in the place of those before; none may be wider than the terminal.
  func draw(_ lines: [String]) { draw(TerminalFrame(lines: lines, size: size)) }

  /// Draws `frame` in the place of the one before.
  func draw(_ frame: TerminalFrame) {
    var frame = frame
    frame.lines = frame.lines.map(manner.signed)
    if let text = frame.text(after: shown) { put(text) }
    shown = frame
  }

  /// Sends the terminal what it answers, and does not show.
  func ask(_ question: String) { put(question) }

  /// Goes back to the screen that was, and shows the cursor.
  func leave() { put(Self.leaveText) }

  /// A terminal that is gone takes nothing: the signal that says so ends the program.
  private func put(_ text: String) { try? stream.write(text) }
}
