import MusicModel
import QueueFlow

/// A row of a list.
protocol ListRow: Sendable, Equatable {
  /// The rows of this kind that were read; none where others were.
  static func rows(of rows: SearchRows) -> [Self]
}

extension AlbumEntry: ListRow {
  static func rows(of rows: SearchRows) -> [AlbumEntry] {
    if case .albums(let rows) = rows { rows } else { [] }
  }
}

extension TrackEntry: ListRow {
  static func rows(of rows: SearchRows) -> [TrackEntry] {
    if case .tracks(let rows) = rows { rows } else { [] }
  }
}

extension NameEntry: ListRow {
  static func rows(of rows: SearchRows) -> [NameEntry] {
    switch rows {
    case .artists(let rows), .genres(let rows): rows
    default: []
    }
  }
}

extension SearchHit: ListRow {
  static func rows(of rows: SearchRows) -> [SearchHit] {
    if case .hits(let rows) = rows { rows } else { [] }
  }
}
