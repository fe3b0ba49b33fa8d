/// Why a command failed: one line for people, and the status for scripts.
public struct CommandError: Error, Sendable, Equatable {
  /// The status that the program ends with.
  public let status: ExitStatus
  /// What, where, and what to do: one line, not yet safe for a terminal.
  public let message: String
  /// What the user may choose from, one a line.
  public let choices: [String]
  /// The user's word or words that mean each of these; `nil` where nothing can be written in their place.
  public let ambiguousText: String?
  /// What means one of ``choices`` each where it is written in that place.
  public let answers: [String]

  /// An error of these parts; what `answers` does not say, the choices do.
  public init(
    _ status: ExitStatus, _ message: String, choices: [String] = [], ambiguousText: String? = nil,
    answers: [String]? = nil
  ) {
    self.status = status
    self.message = message
    self.choices = choices
    self.ambiguousText = choices.isEmpty ? nil : ambiguousText
    self.answers = answers ?? choices
  }
}
