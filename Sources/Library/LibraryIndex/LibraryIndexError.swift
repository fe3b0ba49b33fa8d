package import MusicModel
import Platform
public import SystemPackage

/// Why the library's index could not be used.
public enum LibraryIndexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It cannot be opened, read or written, for this reason.
  case unusable(FilePath, String)
  /// A later version of Segue made it.
  case tooNew(FilePath)
  /// It is damaged, and has this name now; the next time, an empty one takes its place.
  case damaged(FilePath, setAsideAs: FilePath)
  /// Another program made it, and it has this name now; the next time, an empty one takes its place.
  case foreign(FilePath, setAsideAs: FilePath)
  /// Another scan of the library at this path goes on.
  case busy(FilePath)
  /// The library's directory is not there, or cannot be read.
  case noDirectory(FilePath, Errno)

  private static let libraryAdvice = "; --library DIR or $SEGUE_LIBRARY names the directory of music"

  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "the index \(path.shown) cannot be used: \(reason); --data-dir names another directory for it"
    case .tooNew(let path):
      "the index \(path.shown) is of a later version of Segue: update Segue, or name another directory with --data-dir"
    case .damaged(let path, let new):
      "the index \(path.shown) was damaged and is now \(new); a new one takes its place, with what could be read of ratings, counts and loudness: scan again"
    case .foreign(let path, let new):
      "the index \(path.shown) was of another program and is now \(new); a new one takes its place"
    case .busy(let root):
      "another scan of \(root) goes on: wait for its end"
    case .noDirectory(let root, let error):
      switch error {
      case .noSuchFileOrDirectory: "no such file or directory: \(root)\(Self.libraryAdvice)"
      case .notDirectory: "not a directory: \(root)\(Self.libraryAdvice)"
      default: "cannot read \(root): \(error)\(Self.libraryAdvice)"
      }
    }
  }
}

extension LibraryIndexError {
  /// Whether an empty one can take the place of the file.
  var isSetAside: Bool {
    switch self {
    case .damaged, .foreign: true
    case .unusable, .tooNew, .busy, .noDirectory: false
    }
  }
}

extension LibraryError {
  /// What the library could not do because of `error`.
  package init(_ error: LibraryIndexError) {
    if case .noDirectory = error {
      self.init(.directory, error.description)
    } else {
      self.init(.index, error.description)
    }
  }
}
