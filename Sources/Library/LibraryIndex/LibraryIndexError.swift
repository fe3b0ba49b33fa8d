// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import Platform
public import SystemPackage

/// An error from opening or using the library index.
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

  private static let libraryAdvice =
    "; name another with --library DIR, or save it with `segue set library=DIR --save`"

  /// A one-line message with the problem, the path, and what to do about it. It is not yet escaped for a terminal.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "cannot use the library index \(path.shown): \(reason); choose another directory with --data-dir"
    case .tooNew(let path):
      "the library index \(path.shown) is from a later version of Segue: update Segue, or choose another directory with --data-dir"
    case .damaged(let path, let new):
      "the library index \(path.shown) was damaged and was renamed to \(new); ratings, play counts and loudness are recovered as far as possible: run `segue scan`"
    case .foreign(let path, let new):
      "the library index \(path.shown) belonged to another program and was renamed to \(new); a new one replaces it"
    case .busy(let root):
      "another scan of \(root) is running: wait until it ends"
    case .noDirectory(let root, let error):
      switch error {
      case .noSuchFileOrDirectory: "the music directory \(root) does not exist\(Self.libraryAdvice)"
      case .notDirectory: "the music directory \(root) is not a directory\(Self.libraryAdvice)"
      default: "the music directory \(root) cannot be read (\(error))\(Self.libraryAdvice)"
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
