import SystemPackage

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

  /// What to say of an error that a command has ended with; `nil` where it is no error of ours or the system's: the
  /// parser of command lines explains its own.
  init?(of error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as PlayerIsElsewhere: self = error.refusal
    case let error as Errno:
      self.init(.failure, "the system refuses to go on: \(error); end other programs and try again")
    default: return nil
    }
  }
}
