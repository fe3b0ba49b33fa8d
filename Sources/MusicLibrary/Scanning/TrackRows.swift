import GRDB
import MusicModel
import Platform
import UnicodeText

/// Writes the rows of tracks, with their words and names.
final class TrackRows {
  private static let columns = """
    id, library, directory, name, size, mtime, inode, device, added, grouped, group_key, release, album, place, \
    title, title_key, title_sort, artists, album_title, album_artists, genres, composers, \
    number, number_total, disc, disc_total, derived, year, month, day, is_compilation, \
    sort_title, sort_artist, sort_album, sort_album_artist, track_gain, track_peak, album_gain, album_peak, \
    duration, rate, channels, bits, format, tags, segment, segment_end, sheet
    """

  /// Where a track is in an album.
  struct Placement {
    let album: Int64
    let place: Int
  }

  private let insertion: IndexStatement
  private let deletion: IndexStatement
  private let placement: IndexStatement
  private let derivation: IndexStatement
  private let wordsInsertion: IndexStatement
  private let wordsSelection: IndexStatement
  private let wordsDeletion: IndexStatement
  private let searchInsertion: IndexStatement
  private let searchDeletion: IndexStatement
  /// The names of artists.
  let artists: NameRows
  /// The names of genres.
  let genres: NameRows
  /// What is kept of directories.
  let listings: ListingRows
  /// The arrays in which tracks are, too.
  let snapshot: SnapshotRows

  init(_ database: Database, library: Int64, snapshot limits: SnapshotLimits = SnapshotLimits()) throws {
    let marks = Array(repeating: "?", count: 48).joined(separator: ", ")
    insertion = try IndexStatement(database, "INSERT INTO track (\(Self.columns)) VALUES (\(marks))")
    deletion = try IndexStatement(database, "DELETE FROM track WHERE id = ?")
    placement = try IndexStatement(
      database, "UPDATE track SET album = ?, place = ?, grouped = 1 WHERE id = ?")
    derivation = try IndexStatement(
      database,
      """
      UPDATE track SET title = ?, title_key = ?, title_sort = ?, number = ?, number_total = ?, disc = ?, disc_total = ?, derived = ?
      WHERE id = ?
      """)
    let words = "title, artist, album, album_artist, genre, composer"
    wordsInsertion = try IndexStatement(
      database, "INSERT INTO words (id, \(words)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    wordsSelection = try IndexStatement(database, "SELECT \(words) FROM words WHERE id = ?")
    wordsDeletion = try IndexStatement(database, "DELETE FROM words WHERE id = ?")
    searchInsertion = try IndexStatement(
      database, "INSERT INTO search (rowid, \(words)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    searchDeletion = try IndexStatement(
      database, "INSERT INTO search (search, rowid, \(words)) VALUES ('delete', ?, ?, ?, ?, ?, ?, ?)")
    artists = try NameRows(database, .artists, library: library)
    genres = try NameRows(database, .genres, library: library)
    listings = try ListingRows(database)
    snapshot = try SnapshotRows(database, library: library, limits: limits)
  }

  /// Writes the row of a track that has none.
  ///
  /// What grouping made of it is in `shown`.
  func insert(_ row: PendingTrack, library: Int64, shown: Track, placement: Placement?) throws {
    snapshot.patch(row.id)
    try listings.forget(directory: row.directory)
    let record = row.record
    let track = record.track
    let statement = insertion
    statement.bind(row.id)
    statement.bind(library)
    statement.bind(row.directory)
    statement.bind(row.name)
    statement.bind(row.state.size)
    statement.bind(row.state.modificationTime)
    statement.bind(row.state.inode)
    statement.bind(row.state.device)
    statement.bind(row.added)
    statement.bind(placement != nil)
    statement.bind(record.groupKey)
    statement.bind(track.musicBrainzAlbumID)
    statement.bind(placement?.album)
    statement.bind(placement?.place)
    statement.bind(shown.title)
    statement.bind(record.titleWords(of: shown))
    statement.bind(record.titleSort(of: shown))
    for texts in [track.artists] { statement.bind(texts.asColumn) }
    statement.bind(track.album)
    for texts in [track.albumArtists, track.genres, track.composers] { statement.bind(texts.asColumn) }
    for ordinal in [shown.number, shown.disc] {
      statement.bind(ordinal?.number)
      statement.bind(ordinal?.total)
    }
    statement.bind(DerivedFields(of: shown, from: track).rawValue)
    statement.bind(track.date?.year)
    statement.bind(track.date?.month)
    statement.bind(track.date?.day)
    statement.bind(track.isCompilation)
    statement.bind(track.sortNames.title)
    statement.bind(track.sortNames.artist)
    statement.bind(track.sortNames.album)
    statement.bind(track.sortNames.albumArtist)
    statement.bind(track.replayGain.trackGain)
    statement.bind(track.replayGain.trackPeak)
    statement.bind(track.replayGain.albumGain)
    statement.bind(track.replayGain.albumPeak)
    statement.bind(row.duration)
    statement.bind(track.audio?.sampleRate)
    statement.bind(track.audio?.channels)
    statement.bind(track.audio?.bitDepth)
    statement.bind(record.format)
    statement.bind(record.tags)
    statement.bind(track.segment?.start ?? -1)
    statement.bind(track.segment?.end)
    statement.bind(row.sheet)
    try statement.run()
  }

  /// Puts a track into its album.
  func place(_ id: Int64, _ place: Placement) throws {
    snapshot.patch(id)
    try listings.forget(directoryOf: id)
    placement.bind(place.album)
    placement.bind(place.place)
    placement.bind(id)
    try placement.run()
  }

  /// Writes what grouping made of a track that its tags say otherwise.
  func derive(_ id: Int64, _ shown: Track, from track: Track) throws {
    snapshot.patch(id)
    try listings.forget(directoryOf: id)
    derivation.bind(shown.title)
    derivation.bind(shown.title.searchWords)
    derivation.bind(AlbumOrder.titleKey(of: shown))
    for ordinal in [shown.number, shown.disc] {
      derivation.bind(ordinal?.number)
      derivation.bind(ordinal?.total)
    }
    derivation.bind(DerivedFields(of: shown, from: track).rawValue)
    derivation.bind(id)
    try derivation.run()
  }

  /// Removes the row of a track and all that belongs to it.
  func delete(_ id: Int64) throws {
    try removeWords(of: id)
    snapshot.patch(id)
    try listings.forget(directoryOf: id)
    deletion.bind(id)
    try deletion.run()
  }

  /// The words of a track.
  func words(of id: Int64) throws -> TrackWords? {
    wordsSelection.bind(id)
    defer { wordsSelection.reset() }
    guard try wordsSelection.step() else { return nil }
    return TrackWords(
      title: wordsSelection.text(0), artist: wordsSelection.text(1), album: wordsSelection.text(2),
      albumArtist: wordsSelection.text(3), genre: wordsSelection.text(4), composer: wordsSelection.text(5))
  }

  /// Removes the words and names of a track.
  func removeWords(of id: Int64) throws {
    guard let words = try words(of: id) else { return }
    try run(searchDeletion, id, words)
    wordsDeletion.bind(id)
    try wordsDeletion.run()
    try artists.remove(words.artist, role: 0, from: id)
    try artists.remove(words.albumArtist, role: 1, from: id)
    try genres.remove(words.genre, from: id)
  }

  /// Writes the words and names of a track that has none.
  func add(_ words: TrackWords, of id: Int64, _ names: TrackNames) throws {
    try run(wordsInsertion, id, words)
    try run(searchInsertion, id, words)
    try artists.add(names.artists, role: 0, to: id)
    try artists.add(names.albumArtists, role: 1, to: id)
    try genres.add(names.genres, to: id)
  }

  /// Says that a track of these names is in another album.
  func touch(_ names: TrackNames) throws {
    try artists.touch(names.artists)
    try artists.touch(names.albumArtists)
    try genres.touch(names.genres)
  }

  /// Removes the names that nobody has any more, and forgets the counts of those that were changed, and the arrays' numbers.
  func settle() throws {
    try snapshot.settle()
    try artists.settle()
    try genres.settle()
  }

  private func run(_ statement: IndexStatement, _ id: Int64, _ words: TrackWords) throws {
    statement.bind(id)
    statement.bind(words.title)
    statement.bind(words.artist)
    statement.bind(words.album)
    statement.bind(words.albumArtist)
    statement.bind(words.genre)
    statement.bind(words.composer)
    try statement.run()
  }
}

/// The names that a track is found by.
struct TrackNames {
  var artists: [IndexName]
  var albumArtists: [IndexName]
  var genres: [IndexName]
}

/// A track that was read and is to be written.
struct PendingTrack {
  let id: Int64
  let directory: Int64
  let name: [UInt8]
  let state: FileState
  let added: Int64
  let record: TrackRecord
  /// What a cue sheet says of its file; 0 for nothing.
  let sheet: Int64

  /// How long it lasts, in milliseconds.
  var duration: Int64? { record.track.duration.map { Int64(clamping: $0.wholeMilliseconds) } }
}

extension [String] {
  /// The texts as they stand in one column; `nil` where there is none.
  var asColumn: String? {
    switch count {
    case 0: nil
    case 1: self[0].withoutSeparator
    default: map(\.withoutSeparator).joined(separator: "\u{1F}")
    }
  }
}

extension String {
  fileprivate var withoutSeparator: String {
    utf8.contains(0x1F)
      ? String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\u{1F}" ? " " : $0 })) : self
  }

  /// The texts that a column holds.
  var columnValues: [String] { isEmpty ? [] : split(separator: "\u{1F}").map { String($0) } }
}
