public import MusicLibrary
public import SystemPackage

/// Which library a command works with.
public struct LibraryRequest: Sendable, Hashable {
  /// The directories of music.
  public let roots: LibraryRoots
  /// Where the index is kept.
  public let dataDirectory: FilePath
  /// Patterns of the names that are left out of it.
  public var ignoredPatterns: [String] = []
}

extension LibraryRequest {
  /// The library in `roots`, as the settings of `session` have it.
  init(roots: LibraryRoots, dataDirectory: FilePath, in session: Session) {
    self.init(
      roots: roots, dataDirectory: dataDirectory, ignoredPatterns: session.settings.ignoredPatterns)
  }
}
