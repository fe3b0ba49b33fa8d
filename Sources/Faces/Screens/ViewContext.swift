// SPDX-License-Identifier: GPL-3.0-or-later

package import SystemPackage
package import Terminal
package import UserSettings

/// The context of a view: output style, settings, and where messages go. For the main thread.
package protocol ViewContext: AnyObject {
  /// The user's settings.
  var settings: Settings { get }
  /// The output style.
  var manner: OutputStyle { get }
  /// The styles for printed text.
  var palette: Palette { get }
  /// The signals of the REPL around the view, which the view handles; `nil` if there is none.
  var signals: ReplSignals? { get }
  /// Whether commands act on the player of this process.
  var isPlayer: Bool { get }
  /// Whether standard output carries sound, so that text and views must not use it.
  var soundGoesToStandardOutput: Bool { get }
  /// Whether a user at a terminal can resolve an ambiguous word by a number.
  var takesChoices: Bool { get }
  /// The error of writing to standard output, if any.
  var sayingFailure: Errno? { get }
  /// Receives the lines for standard error while a view uses the terminal.
  var divertedErrors: ((String) -> Void)? { get set }

  /// Prints a line for people, with characters that the locale supports. The line must be safe for a terminal.
  func say(_ line: String)
  /// Prints lines for people, at once if possible. The lines must be safe for a terminal.
  func say(_ lines: [String])
  /// Prints lines unchanged, at once if possible. The lines must be safe for a terminal.
  func say(data lines: [String])
  /// Prints a line that was not requested; nothing in quiet style. The line must be safe for a terminal.
  func remark(_ line: String)
  /// Prints a detail on standard error in verbose style.
  func detail(_ line: @autoclosure () -> String)
  /// Prints a line on standard error, made safe for a terminal.
  func complain(_ line: String)
  /// Prints an error: one line on standard error, and its choices on standard output.
  func report(_ error: CommandError)
}
