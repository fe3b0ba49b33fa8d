public import MusicModel

/// What is wanted of the library, or what its reading reports.
public enum LibraryAction: Sendable, Equatable {
  /// Bring this part of the library in step with the disk. While it is being read, this waits, and what waits is read
  /// in one go.
  case scan(ScanScope)
  /// Read again what could not be read, or was cancelled.
  case retry
  /// Stop reading, and forget what waits.
  case cancel
  /// Who reads reports something.
  case report(LibraryReport)
}
