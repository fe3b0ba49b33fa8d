public import MusicModel

/// Rows of one listing, in their order.
public enum SearchRows: Sendable, Hashable {
  /// Albums.
  case albums([AlbumEntry])
  /// Tracks.
  case tracks([TrackEntry])
  /// Artists.
  case artists([NameEntry])
  /// Genres.
  case genres([NameEntry])
  /// What a text found, best first.
  case hits([SearchHit])

  /// What they are rows of.
  public var listing: SearchListing {
    switch self {
    case .albums: .albums
    case .tracks: .tracks
    case .artists: .artists
    case .genres: .genres
    case .hits: .hits
    }
  }

  /// How many there are.
  public var count: Int {
    switch self {
    case .albums(let rows): rows.count
    case .tracks(let rows): rows.count
    case .artists(let rows), .genres(let rows): rows.count
    case .hits(let rows): rows.count
    }
  }

  /// These rows and those of `next` which are not among them; those of another listing stay out.
  func appending(_ next: SearchRows) -> SearchRows {
    switch (self, next) {
    case (.albums(let rows), .albums(let more)): .albums(rows.appending(more, by: \.id))
    case (.tracks(let rows), .tracks(let more)): .tracks(rows.appending(more, by: \.id))
    case (.artists(let rows), .artists(let more)): .artists(rows.appending(more, by: \.name))
    case (.genres(let rows), .genres(let more)): .genres(rows.appending(more, by: \.name))
    case (.hits(let rows), .hits(let more)): .hits(rows.appending(more, by: \.key))
    default: self
    }
  }
}

extension Array {
  fileprivate func appending<Key: Hashable>(_ more: [Element], by key: (Element) -> Key) -> [Element] {
    var known = Set(map(key))
    return self + more.filter { known.insert(key($0)).inserted }
  }
}

extension SearchHit {
  /// What tells it from others.
  fileprivate enum Key: Hashable {
    case artist(String)
    case album(Int64)
    case track(Int64)
  }

  fileprivate var key: Key {
    switch self {
    case .artist(let entry): .artist(entry.name)
    case .album(let entry): .album(entry.id)
    case .track(let entry): .track(entry.id)
    }
  }
}
