/// What the program tells its caller when it ends.
public enum ExitStatus: Int32, Sendable {
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
  /// Ended by Ctrl-C.
  case interrupted = 130
  /// Ended by Ctrl-\.
  case quit = 131
  /// The terminal went.
  case hungUp = 129
  /// Asked to end by a signal.
  case terminated = 143
}
