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
