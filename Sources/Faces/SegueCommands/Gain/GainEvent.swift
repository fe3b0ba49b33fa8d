import Platform

/// What the view of `gain` waits for.
enum GainEvent: Sendable {
  /// So far it has come.
  case progress(GainProgress)
  /// The album of this index was measured.
  case album(Int, GainReport)
  /// Something to tell the user.
  case problem(String)
  /// It is over; the status to end with, where nothing stands against it.
  case ended(Result<ExitStatus, CommandError>)
  /// The program is asked to end.
  case signal(ProcessSignal)
}
