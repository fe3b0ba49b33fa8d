import FoundationEssentials
import GRDB
public import MusicModel
import Platform
public import SystemPackage
import Tagging
import UnicodeText

/// The statements that list directories, kept for as long as a browser is.
struct DirectoryStatements {
  fileprivate var children: IndexStatement?
  fileprivate var content: IndexStatement?
}

extension TrackBrowser {
  /// The directory at `path`; `nil` where the library has none there.
  public func directory(_ path: FilePath) throws -> BrowsedDirectory? {
    guard let (library, place) = find(path) else { return nil }
    return try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT mtime FROM directory WHERE library = ? AND path = ?"),
      arguments: [library, Data(place.bytes)]
    ).map { BrowsedDirectory(path: path, modified: $0) }
  }

  /// The directories in the one at `path` that have tracks, in the order in which people sort names.
  public func directories(in path: FilePath) throws -> [BrowsedDirectory] {
    guard let (library, path) = find(path) else {
      // In the order in which the user named them.
      return path.isEmpty
        ? try libraries.all.compactMap { try directory(FilePath(systemBytes: $0.name)) } : []
    }
    var found = try children(of: path, in: library)
    // Most have tracks of their own.
    try found.removeAll { child in
      try !child.hasTracks && !(child.hasDirectories && hasTracks(RelativePath(child.path), in: library))
    }
    let prefix = path == .root ? 0 : path.bytes.count + 1
    if found.count > 1 {
      let keys = found.map { CollationKey(String(decoding: $0.path.dropFirst(prefix), as: UTF8.self)) }
      found = zip(keys, found).sorted { $0.0 < $1.0 }.map(\.1)
    }
    return found.map { child in
      BrowsedDirectory(
        path: seen(child.path, in: library), modified: child.modified, hasTracks: child.hasTracks,
        hasDirectories: child.hasDirectories)
    }
  }

  /// A directory within another.
  private struct Child {
    let path: [UInt8]
    let modified: Int64
    /// Whether it has tracks of its own.
    let hasTracks: Bool
    var hasDirectories = false
  }

  /// All directories in one, by the bytes of their names. What lies within them is passed over but for its first.
  private func children(of path: RelativePath, in library: Int64) throws -> [Child] {
    let rows =
      try directoryStatements.children
      ?? kept(
        """
        SELECT path, mtime, EXISTS (SELECT 1 FROM track WHERE directory = directory.id AND album IS NOT NULL)
        FROM directory WHERE library = ? AND path >= ? AND path < ? ORDER BY path
        """)
    directoryStatements.children = rows
    let slash = UInt8(ascii: "/")
    let upper = path.contentBounds.upper
    // The library's own directory has the empty path; no path has a byte 0.
    var lower = path == .root ? [1] : path.bytes + [slash]
    let prefix = path == .root ? 0 : lower.count
    var found: [Child] = []
    defer { rows.reset() }
    while true {
      rows.bind(library)
      rows.bind(lower)
      rows.bind(upper)
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
      // Mostly in the last one; a name that goes on with a byte before the slash comes between.
      if let index = found.lastIndex(where: { $0.path[...] == nested }) { found[index].hasDirectories = true }
      rows.reset()
      lower = nested + [slash + 1]
    }
  }

  /// Whether there are tracks in the directory at `path`, or below it.
  func hasTracks(_ path: RelativePath, in library: Int64) throws -> Bool {
    let rows =
      try directoryStatements.content
      ?? kept(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM directory CROSS JOIN track ON track.directory = directory.id
          WHERE directory.library = ?1 AND directory.path = ?2 AND track.album IS NOT NULL)
        OR EXISTS (SELECT 1 FROM directory CROSS JOIN track ON track.directory = directory.id
          WHERE directory.library = ?1 AND directory.path >= ?3 AND directory.path < ?4 AND track.album IS NOT NULL)
        """)
    directoryStatements.content = rows
    let (lower, upper) = path.contentBounds
    rows.bind(library)
    rows.bind(path.bytes)
    rows.bind(lower)
    rows.bind(upper)
    defer { rows.reset() }
    return try rows.step()
  }
}

/// A track that was found while browsing.
public struct BrowsedTrack: Sendable, Hashable, Identifiable {
  /// Stays the same as long as the file is in the library.
  public var id: Int64
  /// The track; its path is absolute.
  public var track: Track
  /// When the file was changed: nanoseconds since 1970.
  public var modified: Int64
}

/// A directory that was found while browsing: it, or one below it, has tracks.
public struct BrowsedDirectory: Sendable, Hashable {
  /// Its path below the library's directory.
  public var path: FilePath
  /// When it was changed: nanoseconds since 1970.
  public var modified: Int64
  /// Whether it may have tracks of its own.
  public var hasTracks = true
  /// Whether it may have directories.
  public var hasDirectories = true
}

/// What is at a path below the library's directory.
public enum BrowsedPlace: Sendable, Hashable {
  /// A directory with tracks in it, or below it.
  case directory
  /// A file, with its tracks in their order: one, or its parts.
  case tracks([Int64])
}

/// How much music there is.
public struct TrackTotals: Sendable, Hashable {
  /// How many tracks there are.
  public var trackCount = 0
  /// How long they last in all, in milliseconds, as far as that is known.
  public var milliseconds: Int64 = 0

  /// Nothing yet.
  public init() {}

  /// Adds what `other` counts.
  public mutating func add(_ other: TrackTotals) {
    trackCount += other.trackCount
    milliseconds = milliseconds.addingReportingOverflow(other.milliseconds).partialValue
  }
}

/// How much there is in a library.
public struct LibrarySums: Sendable, Hashable {
  /// The artists of its tracks.
  public var artistCount = 0
  /// Its albums.
  public var albumCount = 0
  /// Its tracks.
  public var tracks = TrackTotals()
  /// When it was last read to its end: seconds since 1970.
  public var scanned: Int64?

  /// Nothing.
  public init() {}
}
