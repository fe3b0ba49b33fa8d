public import SystemPackage

/// Which part of a library is to be read again.
public enum ScanScope: Sendable, Hashable {
  /// All of it.
  case everything
  /// These directories, absolute, and all that is below them.
  case directories(Set<FilePath>)
  /// This scope, with the files that have not changed as well.
  indirect case again(ScanScope)

  /// Whether files that have not changed are read, too.
  public var isAgain: Bool { if case .again = self { true } else { false } }

  /// The same part, of which only what has changed is read.
  public var withoutUnchanged: ScanScope {
    if case .again(let scope) = self { scope.withoutUnchanged } else { self }
  }

  /// Adds what `other` names. Where one of them is read with what has not changed, all is: it is one reading.
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
    // Not held twice, so that it is not copied.
    self = .everything
    directories.formUnion(others)
    self = .directories(directories)
  }

  /// The same scope, which names nothing twice: no directory below another.
  public var simplified: ScanScope {
    if case .again(let scope) = self { return .again(scope.simplified) }
    guard case .directories(let directories) = self else { return self }
    return .directories(directories.filter { !$0.isBelowOne(of: directories) })
  }

  /// Whether all that `other` names is in this scope.
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
  /// Whether one of `directories` is on the way to it.
  fileprivate func isBelowOne(of directories: Set<FilePath>) -> Bool {
    var parent = self
    while parent.removeLastComponent() {
      if directories.contains(parent) { return true }
    }
    return false
  }
}

/// How far the reading of a library has come.
public struct ScanProgress: Sendable, Hashable {
  /// How many files were seen so far.
  public var seenCount: Int
  /// How many of them were opened and read.
  public var readCount: Int
  /// How many files there will be; `nil` while the directories are still being listed.
  public var totalCount: Int?

  /// Progress of these counts.
  public init(seenCount: Int = 0, readCount: Int = 0, totalCount: Int? = nil) {
    self.seenCount = seenCount
    self.readCount = readCount
    self.totalCount = totalCount
  }
}

/// What reading a library changed.
public struct ScanSummary: Sendable, Hashable {
  /// Tracks that are new.
  public var addedCount = 0
  /// Tracks whose files were changed.
  public var changedCount = 0
  /// Tracks whose files have another path now.
  public var movedCount = 0
  /// Tracks whose files are no more.
  public var goneCount = 0
  /// Tracks whose files are as they were.
  public var unchangedCount = 0
  /// Files and directories that cannot be in the library.
  public var problemCount = 0
  /// Files and directories that are left out by their names, or by a mark.
  public var leftOutCount = 0
  /// Whether no directory of the library is there, so that nothing was read and nothing forgotten.
  public var isAbsent = false
  /// The directories that are not there, where others are: nothing of them was forgotten.
  public var absentDirectories: [FilePath] = []

  /// Nothing changed.
  public init() {}

  /// Whether the index is another one now.
  public var hasChanged: Bool { addedCount + changedCount + movedCount + goneCount > 0 }
}

/// What a scan has done with a file that was not as it was known, or is left out.
public struct FileChange: Sendable, Equatable {
  /// What became of it.
  public enum Kind: Sendable, Equatable {
    /// It is new.
    case added
    /// It was read again.
    case changed
    /// It had this path before.
    case moved(from: FilePath)
    /// It is no more.
    case gone
    /// It cannot be in the library, for this reason.
    case refused(String)
    /// It is left out by its name, or the directory by a mark in it; so it was before, perhaps.
    case leftOut
  }

  /// What became of it.
  public let kind: Kind
  /// Where it is, or was.
  public let path: FilePath

  /// The change `kind` of the file at `path`.
  public init(kind: Kind, path: FilePath) {
    self.kind = kind
    self.path = path
  }
}
