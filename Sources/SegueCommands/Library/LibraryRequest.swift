public import MusicLibrary
public import SystemPackage

/// Which library a command works with.
public struct LibraryRequest: Sendable, Hashable {
  /// The directories of music.
  public let roots: LibraryRoots
  /// Where the index is kept.
  public let dataDirectory: FilePath
}
