package import MusicModel
import Platform
public import SystemPackage

/// The reason why the library's index cannot be used.
public enum LibraryIndexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The index cannot be opened, read or written, for this reason.
  case unusable(FilePath, String)
  /// The index was created by a later version of Segue.
  case tooNew(FilePath)
  /// The index is damaged and has been renamed; an empty one replaces it when it is next opened.
  case damaged(FilePath, setAsideAs: FilePath)
  /// The file was created by another program and has been renamed; an empty index replaces it when it is next opened.
  case foreign(FilePath, setAsideAs: FilePath)
  /// Another scan of the library at this path is running.
  case busy(FilePath)
  /// The library's directory does not exist or cannot be read.
  case noDirectory(FilePath, Errno)

  private static let libraryAdvice = "; --library DIR or $SEGUE_LIBRARY names the directory of music"

  /// A one-line message: the problem, the path, and what to do about it. Not yet escaped for a terminal.
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
  /// Whether the file was set aside, so that an empty index can replace it.
  var isSetAside: Bool {
    switch self {
    case .damaged, .foreign: true
    case .unusable, .tooNew, .busy, .noDirectory: false
    }
  }
}

extension LibraryError {
  /// Creates the library error that corresponds to `error`.
  package init(_ error: LibraryIndexError) {
    if case .noDirectory = error {
      self.init(.directory, error.description)
    } else {
      self.init(.index, error.description)
    }
  }
}
