package import SystemPackage
package import Terminal
package import UserSettings

/// What a view stands in: how is written to who looks at it, what they have set, and where its lines go beside it. For
/// the main thread.
package protocol ViewContext: AnyObject {
  /// What the user has set.
  var settings: Settings { get }
  /// How is written to who asks.
  var manner: OutputStyle { get }
  /// The styles of what is printed.
  var palette: Palette { get }
  /// The signals of the REPL that the view stands in, which the view has to answer; `nil` where it stands in none.
  var signals: ReplSignals? { get }
  /// Whether commands act on what this process plays.
  var isPlayer: Bool { get }
  /// Whether standard output carries sound, so that words and views have to stay away from it.
  var soundGoesToStandardOutput: Bool { get }
  /// Whether somebody at a terminal may choose by a number what an ambiguous word means.
  var takesChoices: Bool { get }
  /// Why standard output did not take what was printed, if it did not.
  var sayingFailure: Errno? { get }
  /// Takes the lines for standard error while a view has the terminal.
  var divertedErrors: ((String) -> Void)? { get set }

  /// Prints a line for people, which is safe for a terminal already, with signs that the locale knows.
  func say(_ line: String)
  /// Prints lines for people, which are safe for a terminal already, in one piece where that is possible.
  func say(_ lines: [String])
  /// Prints lines as they are, which are safe for a terminal already, in one piece where that is possible.
  func say(data lines: [String])
  /// Prints what was not asked for, safe for a terminal already; nothing where the user wants quiet.
  func remark(_ line: String)
  /// Prints on standard error what is done on the way, where the user wants to know.
  func detail(_ line: @autoclosure () -> String)
  /// Prints a line on standard error, and makes it safe for a terminal.
  func complain(_ line: String)
  /// Prints an error: one line on standard error, and what there is to choose from on standard output.
  func report(_ error: CommandError)
}
