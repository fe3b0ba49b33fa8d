// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
public import MusicModel
import Platform
public import SystemPackage
import Tagging
import UnicodeText

extension TrackBrowser {
  /// Returns the directory at `path`, or `nil` if the library has no directory there.
  public func directory(_ path: FilePath) throws -> BrowsedDirectory? {
    guard let (library, relativePath) = find(path) else { return nil }
    return try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT mtime FROM directory WHERE library = ? AND path = ?"),
      arguments: [library, Data(relativePath.bytes)]
    ).map { BrowsedDirectory(path: path, modified: $0) }
  }

  /// Returns the subdirectories of `path` that contain tracks at any depth or that `isIncluded` accepts, sorted by name
  /// according to `CollationKey`. `isIncluded` is called only for directories without tracks.
  public func directories(
    in path: FilePath, including isIncluded: (FilePath) throws -> Bool = { _ in false }
  ) throws -> [BrowsedDirectory] {
    guard let (library, path) = find(path) else {
      // The empty path contains one directory for each library, in the order in which the user listed them.
      return path.isEmpty
        ? try libraries.all.compactMap { try directory(FilePath(systemBytes: $0.name)) } : []
    }
    var found = try children(of: path, in: library)
    // The first condition is usually enough: most directories have tracks of their own.
    try found.removeAll { child in
      try !child.hasTracks && !(child.hasDirectories && hasTracks(RelativePath(child.path), in: library))
        && !isIncluded(shownPath(child.path, in: library))
    }
    let prefix = path == .root ? 0 : path.bytes.count + 1
    if found.count > 1 {
      let keys = found.map { CollationKey(String(decoding: $0.path.dropFirst(prefix), as: UTF8.self)) }
      found = zip(keys, found).sorted { $0.0 < $1.0 }.map(\.1)
    }
    return found.map { child in
      BrowsedDirectory(
        path: shownPath(child.path, in: library), modified: child.modified, hasTracks: child.hasTracks,
        hasDirectories: child.hasDirectories)
    }
  }

  /// Returns whether `isWanted` accepts the directory at `path` or one of the first 1,000 below it. They need not
  /// contain tracks.
  public func hasDirectory(in path: FilePath, where isWanted: (FilePath) -> Bool) throws -> Bool {
    guard let (library, path) = find(path) else { return false }
    let rows = IndexStatement(
      database, cached: true,
      """
      SELECT path FROM directory WHERE library = ?1 AND path = ?2
      UNION ALL SELECT path FROM directory WHERE library = ?1 AND path >= ?3 AND path < ?4 LIMIT 1000
      """)
    let (lower, upper) = path.contentBounds
    rows.bind(library, path.bytes, lower, upper)
    defer { rows.reset() }
    while try rows.step() {
      if isWanted(shownPath(rows.bytes(0), in: library)) { return true }
    }
    return false
  }

  /// A subdirectory of the directory that is listed.
  private struct Child {
    let path: [UInt8]
    let modified: Int64
    /// Whether the subdirectory itself contains tracks.
    let hasTracks: Bool
    var hasDirectories = false
  }

  /// Returns all direct subdirectories, ordered by the bytes of their paths. Only the first directory inside each of
  /// them is read; the others are skipped.
  private func children(of path: RelativePath, in library: Int64) throws -> [Child] {
    let rows = statements.children
    let slash = UInt8(ascii: "/")
    let upper = path.contentBounds.upper
    // The library's root has the empty path, and no path contains a zero byte, so a single byte 1 is the lower bound.
    var lower = path == .root ? [1] : path.bytes + [slash]
    let prefix = path == .root ? 0 : lower.count
    var found: [Child] = []
    defer { rows.reset() }
    while true {
      rows.bind(library, lower, upper)
      var nested: ArraySlice<UInt8>?
      while nested == nil, try rows.step() {
        let child = rows.bytes(0)
        if let end = child.dropFirst(prefix).firstIndex(of: slash) {
          nested = child[..<end]
        } else {
          found.append(Child(path: child, modified: rows.integer(1), hasTracks: rows.integer(2) != 0))
        }
      }
      guard let nested else { return found }
      // Usually the last child found, unless a longer name that continues with a byte below "/" came after it.
      if let index = found.lastIndex(where: { $0.path[...] == nested }) { found[index].hasDirectories = true }
      rows.reset()
      lower = nested + [slash + 1]
    }
  }

  /// Whether the directory at `path` contains tracks at any depth.
  func hasTracks(_ path: RelativePath, in library: Int64) throws -> Bool {
    let (lower, upper) = path.contentBounds
    return try statements.content.hasRow(library, path.bytes, lower, upper)
  }
}

/// A track that was found by browsing.
public struct BrowsedTrack: Sendable, Hashable, Identifiable {
  /// The track's row ID, which stays the same as long as the file is in the library.
  public var id: Int64
  /// The track; its path is absolute.
  public var track: Track
  /// The file's modification time, in nanoseconds since 1970.
  public var modified: Int64
}

/// A directory that was found by browsing. It contains tracks at some depth.
public struct BrowsedDirectory: Sendable, Hashable {
  /// The path, relative to the library's directory.
  public var path: FilePath
  /// The modification time, in nanoseconds since 1970.
  public var modified: Int64
  /// Whether the directory itself may contain tracks.
  public var hasTracks = true
  /// Whether the directory may have subdirectories.
  public var hasDirectories = true
}

/// The kind of entry at a path below the library's directory.
public enum BrowsedTarget: Sendable, Hashable {
  /// A directory that contains tracks at some depth.
  case directory
  /// A file, with the IDs of its tracks in order: one for the whole file, or one for each segment.
  case tracks([Int64])
}

/// The number of tracks in a selection, and their total duration.
public struct TrackTotals: Sendable, Hashable {
  /// The number of tracks.
  public var trackCount = 0
  /// The total duration in milliseconds, counting only tracks whose duration is known.
  public var milliseconds: Int64 = 0

  public init() {}

  /// Adds the totals of `other`.
  public mutating func add(_ other: TrackTotals) {
    trackCount += other.trackCount
    milliseconds = milliseconds.addingReportingOverflow(other.milliseconds).partialValue
  }
}

/// The numbers of artists, albums and tracks in a library.
public struct LibraryTotals: Sendable, Hashable {
  /// The number of track artists.
  public var artistCount = 0
  /// The number of albums.
  public var albumCount = 0
  /// The number and total duration of the tracks.
  public var tracks = TrackTotals()
  /// The time when a scan last completed, in seconds since 1970; `nil` if none has.
  public var scanned: Int64?

  public init() {}
}
