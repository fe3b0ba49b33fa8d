/// By what a queue can be sorted. Items of equal keys keep their order.
public enum QueueSortKey: String, Sendable, Hashable, CaseIterable {
  /// The track's title.
  case title
  /// The track's artists.
  case artist
  /// The album artist, then the date, the album, the disc and the number.
  case album
  /// The date of release.
  case date
  /// How long it lasts.
  case duration
  /// Where the file is.
  case path
}

/// What a shuffle leaves together.
public enum ShuffleUnit: String, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case tracks
  /// Albums: each whole, in the order in which its items stood.
  case albums
}
