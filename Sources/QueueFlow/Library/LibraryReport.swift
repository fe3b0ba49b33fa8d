public import MusicModel

/// What the reading of the library reports.
public enum LibraryReport: Sendable, Equatable {
  /// What waited is being read now.
  case began
  /// It has come so far within `elapsed`.
  case progressed(ScanProgress, elapsed: Duration)
  /// It is over, and the library is loaded; `isComplete` is `false` where it was cancelled.
  case ended(ScanSummary, isComplete: Bool, elapsed: Duration)
  /// It failed.
  case failed(LibraryFault, elapsed: Duration)
}
