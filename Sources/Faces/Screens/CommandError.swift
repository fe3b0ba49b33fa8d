import Platform
import UnicodeText

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

/// What the program tells its caller when it ends.
public enum ExitStatus: Int32, Sendable, CaseIterable {
  /// All went well.
  case success = 0
  /// Something failed that has no status of its own.
  case failure = 1
  /// The command line is wrong.
  case usage = 2
  /// No album, track or file matches.
  case notFound = 3
  /// Several albums or tracks match.
  case ambiguous = 4
  /// The library cannot be read.
  case unreadableLibrary = 5
  /// The output cannot be opened, or failed.
  case noOutput = 6
  /// Nothing of what was to be played can be.
  case nothingPlayable = 7
  /// No player runs that could do it.
  case noPlayer = 8
  /// What listens at the socket is no player, or does not answer.
  case noAnswer = 9
  /// The terminal went.
  case hungUp = 129
  /// Ended by Ctrl-C.
  case interrupted = 130
  /// Ended by Ctrl-\.
  case quit = 131
  /// Asked to end by a signal.
  case terminated = 143

  /// What it means, for the manual.
  public var meaning: String {
    switch self {
    case .success: "all went well, or `segue quit` ended the player"
    case .failure: "something failed that has no status of its own, or a line of a script did"
    case .usage: "the command line is wrong"
    case .notFound: "no album, track or file matches"
    case .ambiguous: "several albums or tracks match; they are listed on standard output"
    case .unreadableLibrary: "the library cannot be read"
    case .noOutput: "the output cannot be opened, or failed (a full disk, a device that went)"
    case .nothingPlayable: "nothing of what was to be played can be, or the queue is empty"
    case .noPlayer: "no player is running, and the command is for one"
    case .noAnswer: "what listens at the player's socket is no player, or does not answer"
    case .hungUp: "ended by SIGHUP: the terminal went"
    case .interrupted: "ended by SIGINT: Ctrl-C"
    case .quit: "ended by Ctrl-\\"
    case .terminated: "ended by SIGTERM"
    }
  }
}

extension ProcessSignal {
  /// The status of a program that this signal ended, or `nil` where it does not end one.
  package var endingStatus: ExitStatus? {
    switch self {
    case .interrupt: .interrupted
    case .quit: .quit
    case .terminate: .terminated
    case .hangUp: .hungUp
    case .suspend, .resume, .windowChange: nil
    }
  }
}

extension String {
  /// What is quoted of a user's words in an error, which is to be one line: their beginning, where they are very many.
  package var brief: String { truncated(toCells: 120) }
}
