public import MusicModel
public import SystemPackage

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
