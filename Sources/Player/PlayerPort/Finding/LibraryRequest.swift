// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage
public import Tagging

/// The library that a command uses.
public struct LibraryRequest: Sendable, Hashable {
  /// The music directories of the library.
  public let roots: LibraryRoots
  /// The directory of the index.
  public let dataDirectory: FilePath
  /// The patterns of file names to ignore.
  public var ignoredPatterns: [String]
  /// The directory of saved playlists that the user has chosen; `nil` for that of the library.
  public var playlists: FilePath?

  /// Creates a request for the library in `roots`.
  public init(roots: LibraryRoots, dataDirectory: FilePath, ignoredPatterns: [String] = [], playlists: FilePath? = nil)
  {
    self.roots = roots
    self.dataDirectory = dataDirectory
    self.ignoredPatterns = ignoredPatterns
    self.playlists = playlists
  }
}
