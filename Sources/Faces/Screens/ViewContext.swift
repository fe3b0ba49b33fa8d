// SPDX-License-Identifier: GPL-3.0-or-later

package import PlayerPort
package import SystemPackage
package import Terminal
package import UserSettings

/// The environment of a view: the output style, the settings, and the destinations of messages. Used on the main
/// thread.
package protocol ViewContext: AnyObject {
  /// The user's settings.
  var settings: Settings { get }
  var outputStyle: OutputStyle { get }
  /// The text styles for printed output.
  var palette: Palette { get }
  /// The signals of the REPL in which the view runs; `nil` outside of a REPL. The view handles terminal signals while
  /// it draws.
  var signals: ReplSignals? { get }
  /// Whether commands control the player in this process, rather than another one.
  var isPlayer: Bool { get }
  /// Whether standard output carries sound, so that neither text nor views may use it.
  var soundGoesToStandardOutput: Bool { get }
  /// Whether the user can be asked to choose from candidates for an ambiguous word. True if both input and output are a
  /// terminal.
  var takesChoices: Bool { get }
  /// The error that occurred in writing to standard output; `nil` if there was none.
  var outputError: Errno? { get }
  /// Receives the lines for standard error while a view uses the terminal; `nil` if they are printed at once.
  var divertedErrors: ((String) -> Void)? { get set }

  /// Prints a line of text for people, with symbols that the terminal supports. The line must be safe for a terminal.
  func printLine(_ line: String)
  /// Prints lines of text for people, in one write if possible. The lines must be safe for a terminal.
  func printLines(_ lines: [String])
  /// Prints lines of data unchanged, in one write if possible. The lines must be safe for a terminal.
  func printLines(data lines: [String])
  /// Prints a line in addition to the requested output, unless the style is quiet. The line must be safe for a
  /// terminal.
  func printRemark(_ line: String)
  /// Prints a detail on standard error, if the style is verbose.
  func detail(_ line: @autoclosure () -> String)
  /// Makes a line safe for a terminal, and prints it on standard error.
  func printError(_ line: String)
  /// Prints an error: its message on standard error, and its candidates on standard output.
  func report(_ error: PlayerError)
}

extension ViewContext {
  /// Whether views can be drawn: standard output is a terminal that can be redrawn, and carries no sound.
  package var canDraw: Bool { outputStyle.draws && !soundGoesToStandardOutput }
}
