// SPDX-License-Identifier: GPL-3.0-or-later

public import LibraryScanning
public import PlayerFlow
import SystemPackage
public import Tagging

/// How to open libraries, and to find music in them.
public struct LibraryAccess: Sendable {
  /// Reads the music files and directories at a path.
  public var scanner: LibraryScanner
  /// Opens the index of a library, creating it if needed. Called on any thread.
  public var open: @Sendable (LibraryRequest) throws(PlayerError) -> any BrowsableLibrary
  /// Opens the index of a library if it exists and is intact. Returns `nil` otherwise, and changes nothing. Called on
  /// any thread.
  public var openPresent: @Sendable (LibraryRequest) -> (any BrowsableLibrary)?
  /// Parses queries.
  public var language: QueryLanguage
  /// Reads the covers of tracks.
  public var covers: CoverSource

  public init(
    scanner: LibraryScanner, open: @escaping @Sendable (LibraryRequest) throws(PlayerError) -> any BrowsableLibrary,
    openPresent: @escaping @Sendable (LibraryRequest) -> (any BrowsableLibrary)?, language: QueryLanguage,
    covers: CoverSource = CoverSource()
  ) {
    self.scanner = scanner
    self.open = open
    self.openPresent = openPresent
    self.language = language
    self.covers = covers
  }
}
