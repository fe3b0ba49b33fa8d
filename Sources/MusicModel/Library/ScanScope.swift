public import SystemPackage

/// Which part of a library is to be read again.
public enum ScanScope: Sendable, Hashable {
  /// All of it.
  case everything
  /// These directories, absolute, and all that is below them.
  case directories(Set<FilePath>)

  /// Adds what `other` names.
  public mutating func formUnion(_ other: ScanScope) {
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
    guard case .directories(let directories) = self else { return self }
    return .directories(directories.filter { !$0.isBelowOne(of: directories) })
  }

  /// Whether all that `other` names is in this scope.
  public func contains(_ other: ScanScope) -> Bool {
    switch (self, other) {
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
