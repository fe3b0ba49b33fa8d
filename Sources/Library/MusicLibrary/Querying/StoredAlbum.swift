import MusicModel

/// Rows of `album` as entries.
enum StoredAlbum {
  static let columns = """
    album.id, album.title, album.artist, album.year, album.month, album.day, album.is_compilation, album.track_count, \
    album.duration, album.added
    """

  /// The entry of a row of ``columns``.
  static func entry(_ row: some StoredRow) -> AlbumEntry {
    AlbumEntry(
      id: row.long(0) ?? 0, title: row.text(1) ?? "", artist: row.text(2), date: row.date(3),
      isCompilation: row.integer(6) == 1, trackCount: row.integer(7) ?? 0,
      duration: .milliseconds(row.integer(8) ?? 0), added: row.long(9) ?? 0)
  }
}
