/// What the tracks of a filter are ordered by.
public struct TrackOrder: Sendable, Hashable {
  /// The keys. What is equal stays in the order ``library``.
  public enum Key: Sendable, Hashable {
    /// Artist, date, album, disc, number: the order in which albums are listed.
    case library
    /// A field, or what stands in for it.
    case field(TrackTag)
    /// When the file was changed.
    case modified
    /// When the track was added.
    case added
  }

  /// What decides.
  public var key: Key
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// The order by `key`.
  public init(_ key: Key = .library, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// What rows of `track` and `album` are sorted by.
  var sql: String {
    let way = isDescending ? " DESC" : ""
    let own: String
    switch key {
    case .library: return "album.sort\(way), album.id\(way), track.place\(way)"
    case .field(.title): own = "track.title_sort"
    case .field(let field): own = field.numberColumn ?? "\(field.columnWithFallback) COLLATE NOCASE"
    case .modified: own = "track.mtime"
    case .added: own = "track.added"
    }
    return "\(own)\(way), album.sort, album.id, track.place"
  }
}
