/// What a listing is ordered by.
public struct LibraryOrder: Sendable, Hashable {
  /// The keys, by the words that the user writes. Of what is equal, the tracks of an album stay in playing order; the
  /// rest has an order that stays the same.
  public enum Key: String, Sendable, Hashable, CaseIterable {
    /// Artist, date, album, disc, number: the order in which albums are listed.
    case album
    /// The title.
    case title
    /// The artist, by sort name; albums follow by date.
    case artist
    /// The date of release.
    case year
    /// The day and time of adding.
    case added
    /// How long it lasts.
    case duration
  }

  /// What decides first.
  public var key: Key
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// The order by `key`.
  public init(_ key: Key = .album, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }
}
