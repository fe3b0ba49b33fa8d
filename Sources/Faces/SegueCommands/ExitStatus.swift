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
