/// Why a command failed: one line for people, and the status for scripts.
public struct CommandError: Error, Sendable, Equatable {
  /// The status that the program ends with.
  public let status: ExitStatus
  /// What, where, and what to do: one line, not yet safe for a terminal.
  public let message: String
  /// What the user may choose from, one a line.
  public let choices: [String]

  /// An error of these parts.
  public init(_ status: ExitStatus, _ message: String, choices: [String] = []) {
    self.status = status
    self.message = message
    self.choices = choices
  }
}
