// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import GRDB
import LibraryIndex
import MusicModel
import Platform
import UnicodeText

/// Writes the rows of tracks, with their search words and names.
final class TrackRows {
  /// The columns of the table `track`.
  static let columns = [
    "id", "library", "directory", "name", "size", "mtime", "inode", "device", "added", "grouped",
    "group_key", "release", "album", "place", "title", "title_key", "title_sort", "artists",
    "album_title", "album_artists", "genres", "composers", "number", "number_total", "disc",
    "disc_total", "derived", "year", "month", "day", "is_compilation", "sort_title", "sort_artist",
    "sort_album", "sort_album_artist", "track_gain", "track_peak", "album_gain", "album_peak",
    "duration", "rate", "channels", "bits", "format", "tags", "segment", "segment_end", "sheet",
    "sound",
  ]

  /// An album, and the index of a track in it.
  struct Placement {
    let album: Int64
    let index: Int
  }

  private let insertion: RowInsertion
  private let deletion: IndexStatement
  private let placement: IndexStatement
  private let groupedUpdate: IndexStatement
  private let fileState: IndexStatement
  private let derivation: IndexStatement
  private let wordsInsertion: RowInsertion
  private let wordsSelection: IndexStatement
  private let wordsDeletion: IndexStatement
  private let searchInsertion: IndexStatement
  private let searchDeletion: IndexStatement
  /// The words of names that have something between their letters.
  let joinedWords: JoinedWords
  /// The names of artists.
  let artists: NameRows
  /// The names of genres.
  let genres: NameRows

  init(_ database: Database, library: Int64) throws {
    insertion = RowInsertion(database, into: "track", columns: Self.columns, checksum: .track)
    deletion = IndexStatement(database, "DELETE FROM track WHERE id = ?")
    let placed = RowChecksum.track.assignments(["album": "?1", "place": "?2"])
    placement = IndexStatement(database, "UPDATE track SET grouped = 1, \(placed) WHERE id = ?3")
    groupedUpdate = IndexStatement(database, "UPDATE track SET grouped = 1 WHERE id = ?")
    fileState = IndexStatement(
      database, "UPDATE track SET size = ?, mtime = ?, inode = ?, device = ?, sound = ? WHERE id = ?")
    let derived = RowChecksum.track.assignments([
      "title": "?1", "title_key": "?2", "title_sort": "?3", "number": "?4", "number_total": "?5", "disc": "?6",
      "disc_total": "?7", "derived": "?8",
    ])
    derivation = IndexStatement(database, "UPDATE track SET \(derived) WHERE id = ?9")
    let columns = ["title", "artist", "album", "album_artist", "genre", "composer"]
    wordsInsertion = RowInsertion(database, into: "words", columns: ["id"] + columns, checksum: .words)
    let words = columns.joined(separator: ", ")
    wordsSelection = IndexStatement(database, "SELECT \(words) FROM words WHERE id = ?")
    wordsDeletion = IndexStatement(database, "DELETE FROM words WHERE id = ?")
    searchInsertion = IndexStatement(
      database, "INSERT INTO search (rowid, \(words)) VALUES (?, ?, ?, ?, ?, ?, ?)")
    searchDeletion = IndexStatement(
      database, "INSERT INTO search (search, rowid, \(words)) VALUES ('delete', ?, ?, ?, ?, ?, ?, ?)")
    joinedWords = JoinedWords(database)
    artists = try NameRows(database, .artists, library: library)
    genres = try NameRows(database, .genres, library: library)
  }

  /// Writes the rows of new tracks, and the search words and names of those that have an album.
  func insert(_ tracks: [NewTrack], library: Int64) throws {
    // FTS5 buffers words while the row IDs ascend, and writes the buffer out when one does not.
    let tracks = tracks.sorted { $0.id < $1.id }
    try insertion.add(tracks) { $0.bind(to: $1, library: library) }
    try wordsInsertion.add(tracks.filter { $0.prepared != nil }) { track, row in
      if let words = track.prepared?.words { Self.bind(track.id, words, to: row) }
    }
    for track in tracks {
      try joinedWords.add(namesOf: track)
      guard let prepared = track.prepared else { continue }
      Self.bind(track.id, prepared.words, to: searchInsertion)
      try searchInsertion.run()
      try link(prepared.names, to: track.id)
    }
  }

  /// Assigns a track to its place in an album.
  func assign(_ id: Int64, to newPlacement: Placement) throws {
    try placement.run(newPlacement.album, newPlacement.index, id)
  }

  /// Writes the fields of a track that grouping has derived.
  func derive(_ id: Int64, _ shown: ShownFields, from track: Track) throws {
    try derivation.run(
      shown.title, shown.title.searchWords, AlbumOrder.nameKey(shown.title, sortName: track.sortNames.title),
      shown.number?.number, shown.number?.total, shown.disc?.number, shown.disc?.total,
      DerivedFields(of: shown, from: track).rawValue, id)
    try joinedWords.add(shown.title)
  }

  /// Records that a track's album follows from its current tags.
  func markGrouped(_ id: Int64) throws { try groupedUpdate.run(id) }

  /// Writes the new state of a track's file, and what identifies its sound; the track is otherwise unchanged.
  func write(_ state: FileState, sound: Int64, of id: Int64) throws {
    try fileState.run(state.size, state.modificationTime, state.inode, state.device, sound, id)
  }

  /// Deletes a track with everything that belongs to it. Returns what ``removeWords(of:)`` returns.
  func delete(_ id: Int64) throws -> TrackWords? {
    let words = try removeWords(of: id)
    try deletion.run(id)
    return words
  }

  /// Returns the search words of a track, or `nil` if it has none.
  func words(of id: Int64) throws -> TrackWords? {
    try wordsSelection.first(id) { row in
      TrackWords(
        title: row.text(0), artist: row.text(1), album: row.text(2), albumArtist: row.text(3), genre: row.text(4),
        composer: row.text(5))
    }
  }

  /// Deletes the search words and names of a track. Returns the search words, without album artists whose names no
  /// longer exist; `nil` if it had none.
  @discardableResult
  func removeWords(of id: Int64) throws -> TrackWords? {
    guard var words = try words(of: id) else { return nil }
    Self.bind(id, words, to: searchDeletion)
    try searchDeletion.run()
    try wordsDeletion.run(id)
    try artists.remove(words.artist, role: 0, from: id)
    words.albumArtist = try artists.remove(words.albumArtist, role: 1, from: id)
    try genres.remove(words.genre, from: id)
    return words
  }

  /// Writes the search words and names of a track that has none.
  func add(_ words: TrackWords, of id: Int64, _ names: TrackNames) throws {
    try wordsInsertion.add([words]) { Self.bind(id, $0, to: $1) }
    Self.bind(id, words, to: searchInsertion)
    try searchInsertion.run()
    try link(names, to: id)
  }

  private func link(_ names: TrackNames, to id: Int64) throws {
    try artists.add(names.artists, role: 0, to: id)
    try artists.add(names.albumArtists, role: 1, to: id)
    try artists.add(words: names.formerAlbumArtists, role: 1, to: id)
    try genres.add(names.genres, to: id)
  }

  /// Records that a track with these names has moved to another album.
  func touch(_ names: TrackNames) throws {
    try artists.touch(names.artists)
    try artists.touch(names.albumArtists)
    try genres.touch(names.genres)
  }

  /// Removes the names that no track has any more, and deletes the cached counts of the names that changed.
  func finish() throws {
    try artists.finish()
    try genres.finish()
  }

  private static func bind(_ id: Int64, _ words: TrackWords, to row: IndexStatement) {
    row.bind(id)
    row.bind(words.title)
    row.bind(words.artist)
    row.bind(words.album)
    row.bind(words.albumArtist)
    row.bind(words.genre)
    row.bind(words.composer)
  }
}

/// The names by which a track is found.
struct TrackNames: Sendable {
  var artists: [IndexName]
  var albumArtists: [IndexName]
  var genres: [IndexName]
  /// The keys of the artists of the former album, as search words. These names already exist.
  var formerAlbumArtists = ""
}

extension JoinedWords {
  /// Adds the words of all names of a new track, except those that only its album has.
  fileprivate func add(namesOf new: NewTrack) throws {
    let track = new.row.record.track
    try add(new.prepared?.shown.title ?? track.title)
    for names in [track.artists, track.albumArtists, track.genres, track.composers] {
      for name in names { try add(name) }
    }
    let sortNames = track.sortNames
    for case let name? in [track.album, sortNames.title, sortNames.artist, sortNames.album, sortNames.albumArtist] {
      try add(name)
    }
  }
}

extension [String] {
  /// The values joined by U+001F for one column; `nil` if there are none.
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
}
