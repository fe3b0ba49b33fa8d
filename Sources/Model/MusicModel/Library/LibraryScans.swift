// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// The part of a library to scan.
public enum ScanScope: Sendable, Hashable {
  case everything
  /// These directories (absolute paths), and everything below them.
  case directories(Set<FilePath>)
  /// The given scope, with unchanged files read again.
  indirect case rereading(ScanScope)

  /// Whether unchanged files are read again.
  public var rereadsUnchanged: Bool { if case .rereading = self { true } else { false } }

  /// The same scope, reading only files that have changed.
  public var changedOnly: ScanScope {
    if case .rereading(let scope) = self { scope.changedOnly } else { self }
  }

  /// Adds `other` to this scope. If either of the two reads unchanged files again, all of the union does, because it is
  /// scanned as a whole.
  public mutating func formUnion(_ other: ScanScope) {
    if rereadsUnchanged || other.rereadsUnchanged {
      var union = changedOnly
      union.formUnion(other.changedOnly)
      self = .rereading(union)
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

  /// The same scope without directories that are below another directory in it.
  public var simplified: ScanScope {
    if case .rereading(let scope) = self { return .rereading(scope.simplified) }
    guard case .directories(let directories) = self else { return self }
    return .directories(directories.filter { !$0.isBelow(anyOf: directories) })
  }

  /// Whether this scope covers all of `other`.
  public func contains(_ other: ScanScope) -> Bool {
    switch (self, other) {
    case (.rereading(let scope), _): scope.contains(other.changedOnly)
    case (_, .rereading): false
    case (.everything, _): true
    case (.directories, .everything): false
    case (.directories(let these), .directories(let those)):
      those.allSatisfy { these.contains($0) || $0.isBelow(anyOf: these) }
    }
  }
}

extension FilePath {
  fileprivate func isBelow(anyOf directories: Set<FilePath>) -> Bool {
    var parent = self
    while parent.removeLastComponent() {
      if directories.contains(parent) { return true }
    }
    return false
  }
}

/// The progress of a scan, in numbers of files.
public struct ScanProgress: Sendable, Hashable {
  /// The number of files seen so far.
  public var seenCount: Int
  /// The number of files that were opened and read so far.
  public var readCount: Int
  /// The total number of files; `nil` while directories are still being listed.
  public var totalCount: Int?

  /// Creates a progress report with these counts.
  public init(seenCount: Int = 0, readCount: Int = 0, totalCount: Int? = nil) {
    self.seenCount = seenCount
    self.readCount = readCount
    self.totalCount = totalCount
  }
}

/// The result of a scan: the number of tracks and files by kind of change.
public struct ScanSummary: Sendable, Hashable {
  /// The number of new tracks.
  public var addedCount = 0
  /// The number of tracks whose files have changed.
  public var changedCount = 0
  /// The number of tracks whose files have a new path.
  public var movedCount = 0
  /// The number of tracks whose files no longer exist.
  public var missingCount = 0
  /// The number of tracks whose files are unchanged.
  public var unchangedCount = 0
  /// The number of files and directories that could not be added to the library.
  public var problemCount = 0
  /// The number of files and directories that were skipped because of their names or a marker file.
  public var leftOutCount = 0
  /// Whether all directories of the library are missing. In that case, nothing was read or removed.
  public var isAbsent = false
  /// The missing directories, if only some of the library's directories are missing. Their tracks were not removed.
  public var absentDirectories: [FilePath] = []

  public init() {}

  /// The number of tracks in the library after the scan.
  public var trackCount: Int { addedCount + changedCount + movedCount + unchangedCount }

  /// Whether the scan changed the index.
  public var hasChanged: Bool { addedCount + changedCount + movedCount + missingCount > 0 }
}

/// A change to a file that a scan found, or a file that it skipped.
public struct FileChange: Sendable, Equatable {
  /// The kind of change.
  public enum Kind: Sendable, Equatable {
    case added
    /// The file has changed and was read again.
    case changed
    /// The file had this path before.
    case moved(from: FilePath)
    /// The file no longer exists.
    case missing
    /// The file could not be added to the library, for this reason.
    case rejected(String)
    /// The file was skipped because of its name, or the directory because of a marker file. This may not be a change.
    case leftOut
  }

  public let kind: Kind
  /// The current path; for a missing file, its last path.
  public let path: FilePath

  /// Creates a change of this kind to the file at `path`.
  public init(kind: Kind, path: FilePath) {
    self.kind = kind
    self.path = path
  }
}
