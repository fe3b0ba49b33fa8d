public import MusicModel
public import SystemPackage

/// What the reading of the library reports.
public enum LibraryReport: Sendable, Equatable {
  /// What waited is being read now.
  case began
  /// It has come so far within `elapsed`.
  case progressed(ScanProgress, elapsed: Duration)
  /// It is over, and the library is loaded; `isComplete` is `false` where it was cancelled.
  case ended(ScanSummary, isComplete: Bool, elapsed: Duration)
  /// What changes in these directories, and below them, is not seen: the system watches no more.
  case unwatched([FilePath])
  /// It failed.
  case failed(LibraryFault, elapsed: Duration)
}
