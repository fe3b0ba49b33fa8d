/// What of a library is listed.
public enum SearchListing: String, Sendable, Hashable, CaseIterable {
  /// Albums, in an order that can be chosen.
  case albums
  /// Tracks, in an order that can be chosen.
  case tracks
  /// Artists, by name.
  case artists
  /// Genres, by name.
  case genres
  /// What a text finds, best first: it is searched for as it stands and is no query.
  case hits
}
