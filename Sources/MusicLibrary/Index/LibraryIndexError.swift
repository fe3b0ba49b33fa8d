public import SystemPackage

/// Why the library's index could not be used.
public enum LibraryIndexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It cannot be opened, read or written, for this reason.
  case unusable(FilePath, String)
  /// A later version of Segue made it.
  case tooNew(FilePath)
  /// It is damaged, and has this name now; the next time, an empty one takes its place.
  case damaged(FilePath, setAsideAs: FilePath)

  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "the index \(path) cannot be used: \(reason); --data-dir names another directory for it"
    case .tooNew(let path):
      "the index \(path) is of a later version of Segue: update Segue, or name another directory with --data-dir"
    case .damaged(let path, let new):
      "the index \(path) was damaged and is now \(new); a new one takes its place, so measure again"
    }
  }
}
