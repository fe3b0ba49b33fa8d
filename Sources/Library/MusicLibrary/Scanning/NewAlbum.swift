import MusicModel

/// What the row of an album is to hold.
struct NewAlbum {
  /// The columns of the table.
  static let columns = [
    "id", "library", "title", "artist", "title_key", "artist_key", "sort_title_key", "sort_artist_key",
    "sort",
    "title_sort", "year", "month", "day", "is_compilation", "track_count", "duration", "added",
  ]

  let id: Int64
  let record: AlbumRecord
  /// When each of its tracks was added, and how long it lasts, in milliseconds.
  let tracks: [(added: Int64, duration: Int64?)]

  /// Gives `values` those of its row, in the order of the columns.
  func bind(to values: inout some ColumnValues & ~Copyable, library: Int64) {
    values.bind(id)
    values.bind(library)
    values.bind(record.title)
    values.bind(record.artist)
    values.bind(record.titleKey)
    values.bind(record.artistKey)
    values.bind(record.sortTitleKey)
    values.bind(record.sortArtistKey)
    values.bind(record.sort)
    values.bind(record.titleSort)
    values.bind(record.date?.year)
    values.bind(record.date?.month)
    values.bind(record.date?.day)
    values.bind(record.isCompilation)
    values.bind(tracks.count)
    values.bind(tracks.reduce(0 as Int64) { $0.addingReportingOverflow($1.duration ?? 0).partialValue })
    values.bind(tracks.lazy.map(\.added).min())
  }
}
