import Platform
public import SystemPackage

/// Why there is no library at a path.
public enum LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing is there.
  case notFound(FilePath)
  /// Something is there, but neither a directory nor a regular file.
  case notADirectory(FilePath)
  /// The operating system refused.
  case unreadable(FilePath, Errno)
  /// It is a single file, and that cannot be played.
  case unplayable(LibraryProblem)

  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .notFound(let path):
      "no such file or directory: \(path.shown)"
    case .notADirectory(let path):
      "not a directory or a file: \(path.shown); give a directory of music or an audio file"
    case .unreadable(let path, let code):
      "cannot read \(path.shown): \(code); check its permissions and the disk"
    case .unplayable(let problem):
      "cannot play \(problem.path.shown): \(problem.reason); give a file in a format that can be played"
    }
  }
}
