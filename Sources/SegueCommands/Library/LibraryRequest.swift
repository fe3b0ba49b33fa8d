public import SystemPackage

/// Which library a command works with.
public struct LibraryRequest: Sendable, Hashable {
  /// The directory of music.
  public let root: FilePath
  /// Where the index is kept.
  public let dataDirectory: FilePath
}
