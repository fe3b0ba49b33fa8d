// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import Platform
package import UserSettings

/// Draws grids of cells on the terminal's alternate screen, and receives the mouse meanwhile; or in a few lines below
/// the prompt. Each grid is one write, which contains only what has changed.
package final class GridCanvas {
  // The mouse: presses, movements with a button down, and the encoding SGR. Pasted text is marked.
  private static let enterText = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h"
  private static let leaveText = "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[0m\u{1B}[2J\u{1B}[?25h\u{1B}[?1049l"

  // Where the lines below the prompt are on the terminal is unknown, and so is what the mouse points at.
  private static let enterInlineText = "\u{1B}[?25l\u{1B}[?2004h"
  private static let leaveInlineText = "\u{1B}[?2004l\u{1B}[0m\r\u{1B}[J\u{1B}[?25h"
  /// The maximum number of lines below the prompt.
  private static let inlineRows = 10
  /// The types of terminals that cannot scroll a part of their rows (those without `csr` in terminfo).
  private static let unscrollable: Set = ["ansi", "pcansi", "cons25", "cygwin", "mach", "mach-color", "sun"]

  private let stream: StandardStream
  private let depth: ColourDepth
  private let hasTitle: Bool
  private let isInline: Bool
  /// Whether the terminal can scroll a part of its rows.
  private let scrolls: Bool
  private var status: WindowStatus?
  /// What is on the terminal; `nil` if that is unknown.
  private var current: CellGrid?

  /// Creates a canvas on `stream`, a terminal of type `$TERM` that shows `depth` colours: on all of it or, if it is
  /// `inline`, below the prompt. Call ``enter()`` before drawing.
  package init(_ stream: StandardStream, _ depth: ColourDepth, type: String?, isInline: Bool = false) {
    self.stream = stream
    self.isInline = isInline
    scrolls = type.map { !Self.unscrollable.contains($0) } ?? false
    hasTitle = WindowStatus.hasTitle(type)
    self.depth = depth
  }

  /// The size of what is drawn; as if the terminal had 80 by 24 cells if its size is unknown.
  package var size: TerminalSize {
    var size = stream.terminalSize ?? TerminalSize(columns: 80, rows: 24)
    if isInline { size.rows = min(size.rows, Self.inlineRows) }
    return size
  }

  /// Hides the cursor, and switches to the alternate screen and asks for the mouse, unless it draws below the prompt.
  package func enter() {
    current = nil
    send((isInline ? Self.enterInlineText : Self.enterText) + (hasTitle ? WindowStatus.saveTitle : ""))
  }

  /// Draws a grid in place of the one before.
  package func draw(_ grid: CellGrid) {
    if let text = CellOutput.text(replacing: current, by: grid, depth, isInline: isInline, scrolls: scrolls) {
      send(text)
    }
    current = grid
  }

  /// Shows `new` on the window, if the terminal has a title.
  package func show(_ new: WindowStatus) {
    guard hasTitle, new != status else { return }
    send(new.text(replacing: status))
    status = new
  }

  /// Copies a text to the clipboard of the terminal, if it allows that (OSC 52).
  package func copy(_ text: String) { send("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{07}") }

  /// Draws everything again the next time.
  package func forget() { current = nil }

  /// Switches back to the normal screen, or erases the lines below the prompt.
  package func leave() {
    if let status, status.progress != nil { show(WindowStatus(title: status.title)) }
    status = nil
    send((hasTitle ? WindowStatus.restoreTitle : "") + (isInline ? Self.leaveInlineText : Self.leaveText))
  }

  /// Writes to the terminal. Errors are ignored: if the terminal is lost, a signal ends the program.
  package func send(_ text: String) { try? stream.write(text) }
}
