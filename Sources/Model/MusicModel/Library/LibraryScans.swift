// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// The part of a library to scan.
public enum ScanScope: Sendable, Hashable {
  /// The whole library.
  case everything
  /// These directories (absolute paths), and everything below them.
  case directories(Set<FilePath>)
  /// This scope, reading unchanged files, too.
  indirect case again(ScanScope)

  /// Whether unchanged files are read, too.
  public var isAgain: Bool { if case .again = self { true } else { false } }

  /// The same part, reading only what has changed.
  public var withoutUnchanged: ScanScope {
    if case .again(let scope) = self { scope.withoutUnchanged } else { self }
  }

  /// Adds the part of `other`. If unchanged files are read in one of them, they are read in the union, because it is
  /// scanned as a whole.
  public mutating func formUnion(_ other: ScanScope) {
    if isAgain || other.isAgain {
      var union = withoutUnchanged
      union.formUnion(other.withoutUnchanged)
      self = .again(union)
      return
    }
    guard case .directories(var directories) = self, case .directories(let others) = other else {
      self = .everything
      return
    }
    // Release the other reference to the set, so that it is not copied.
    self = .everything
    directories.formUnion(others)
    self = .directories(directories)
  }

  /// The same scope without directories that are below another one.
  public var simplified: ScanScope {
    if case .again(let scope) = self { return .again(scope.simplified) }
    guard case .directories(let directories) = self else { return self }
    return .directories(directories.filter { !$0.isBelowOne(of: directories) })
  }

  /// Whether this scope includes all of `other`.
  public func contains(_ other: ScanScope) -> Bool {
    switch (self, other) {
    case (.again(let scope), _): scope.contains(other.withoutUnchanged)
    case (_, .again): false
    case (.everything, _): true
    case (.directories, .everything): false
    case (.directories(let these), .directories(let those)):
      those.allSatisfy { these.contains($0) || $0.isBelowOne(of: these) }
    }
  }
}

extension FilePath {
  /// Whether it is below one of `directories`.
  fileprivate func isBelowOne(of directories: Set<FilePath>) -> Bool {
    var parent = self
    while parent.removeLastComponent() {
      if directories.contains(parent) { return true }
    }
    return false
  }
}

/// The progress of a scan.
public struct ScanProgress: Sendable, Hashable {
  /// The number of files seen so far.
  public var seenCount: Int
  /// The number of these files that were opened and read.
  public var readCount: Int
  /// The total number of files; `nil` while directories are still being listed.
  public var totalCount: Int?

  /// Creates progress with these counts.
  public init(seenCount: Int = 0, readCount: Int = 0, totalCount: Int? = nil) {
    self.seenCount = seenCount
    self.readCount = readCount
    self.totalCount = totalCount
  }
}

/// The changes made by a scan.
public struct ScanSummary: Sendable, Hashable {
  /// The number of new tracks.
  public var addedCount = 0
  /// The number of tracks whose files have changed.
  public var changedCount = 0
  /// The number of tracks whose files have a new path.
  public var movedCount = 0
  /// The number of tracks whose files no longer exist.
  public var goneCount = 0
  /// The number of tracks whose files are unchanged.
  public var unchangedCount = 0
  /// The number of files and directories that could not be added to the library.
  public var problemCount = 0
  /// The number of files and directories left out because of their names or a marker file.
  public var leftOutCount = 0
  /// Whether every directory of the library is missing, so that nothing was read and nothing removed.
  public var isAbsent = false
  /// The directories that are missing, if others exist; nothing of them was removed.
  public var absentDirectories: [FilePath] = []

  /// Creates a summary without changes.
  public init() {}

  /// Whether the index has changed.
  public var hasChanged: Bool { addedCount + changedCount + movedCount + goneCount > 0 }
}

/// A change that a scan made for a file, or a file that it left out.
public struct FileChange: Sendable, Equatable {
  /// The kind of change.
  public enum Kind: Sendable, Equatable {
    /// The file is new.
    case added
    /// The file has changed and was read again.
    case changed
    /// The file had this path before.
    case moved(from: FilePath)
    /// The file no longer exists.
    case gone
    /// The file could not be added to the library, for this reason.
    case refused(String)
    /// The file is left out because of its name, or the directory because of a marker file; this may not be new.
    case leftOut
  }

  /// The kind of change.
  public let kind: Kind
  /// The current path, or the last one of a missing file.
  public let path: FilePath

  /// Creates a change of the file at `path`.
  public init(kind: Kind, path: FilePath) {
    self.kind = kind
    self.path = path
  }
}
