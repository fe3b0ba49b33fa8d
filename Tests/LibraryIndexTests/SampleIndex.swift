// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import MusicModel
import SystemPackage
import TestSupport
import UnicodeText

@testable import LibraryIndex
@testable import Tagging

extension IndexReader {
  /// Returns the album with this id and its tracks in playing order, or `nil` if there is none.
  func album(_ id: Int64) throws -> Album? {
    try database.read { try AlbumLookup(database: $0, libraries: libraries).album(id) }
  }
}

/// An index of two libraries whose names use few words, so that random queries match something.
struct SampleIndex {
  struct Track {
    var id: Int64
    var library: Int64
    var directory: String
    var name: String
    var title: String
    var artists: [String]
    var album: Int64
    /// The position in the album's playing order, from 0.
    var position: Int
    var albumArtists: [String]
    var genres: [String]
    var composers: [String]
    var number: Int?
    var year: Int?
    var added: Int64
    var duration: Int?
    var bits: Int?
    var format: String

    /// The years of the dates that the tags state besides the one that is shown.
    var dates: (original: Int?, release: Int?) {
      guard let year else { return (nil, nil) }
      return switch id % 4 {
      case 1: (year, year + 3)
      case 2: (year, nil)
      case 3: (year - 3, year)
      default: (nil, nil)
      }
    }

    /// The stickers, of which some tracks lack each.
    var stickers: [String: String] {
      let time = 1_767_225_600 + id * 40_000 % 900_000
      let all: [(String, Int64, isPresent: Bool)] = [
        (Sticker.rating, id % 11, id % 3 > 0), (Sticker.albumRating, album % 11, album % 3 > 0),
        (Sticker.like, id % 3, id % 4 > 0),
        (Sticker.playCount, id % 7, id % 5 > 0),
        (Sticker.skipCount, id % 5, id % 2 > 0), (Sticker.lastPlayed, time, id % 5 > 0),
        (Sticker.lastSkipped, time + 100_000, id % 2 > 0),
      ]
      return Dictionary(all.filter(\.isPresent).map { ($0.0, "\($0.1)") }, uniquingKeysWith: { $1 })
    }

    /// The times of the plays in the log.
    var plays: [Int64] {
      (0..<id % 4).map { 1_767_225_600 + (id * 5 + $0 * 3) % 12 * 86_400 + $0 * 3_600 }
    }

    /// The column `tags`.
    var tags: String? {
      let values = [("EDITION DATE", dates.release), ("ORIGINALDATE", dates.original)]
      let texts = values.compactMap { name, year in year.map { "\"\(name)\":[\"\($0)-02-01\"]" } }
      return texts.isEmpty ? nil : "{" + texts.joined(separator: ",") + "}"
    }
  }

  struct Album {
    var id: Int64
    var library: Int64
    var title: String
    var artist: String?
    var year: Int?
  }

  let directory: TemporaryDirectory
  let database: DatabaseQueue
  private(set) var tracks: [Track] = []
  private(set) var albums: [Album] = []
  private var names: [String: [String: Int64]] = [:]

  init() throws {
    directory = try TemporaryDirectory()
    let index = try LibraryIndex(directory: directory.path)
    database = try DatabaseQueue(path: index.path.string)
    try database.write { database in
      try IndexSchema.addFunctions(to: database)
      for id in 1...2 {
        try database.execute(
          sql: "INSERT INTO library (id, root) VALUES (?, ?)", arguments: [id, Data("/music\(id)".utf8)])
      }
    }
  }

  /// Adds albums with random tracks.
  mutating func addAlbums(_ count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = [
      "Blue Train", "Live", "Liverpool", "The Blue", "夜曲", "Blue", "Train Blue", "Red, Red Wine", "Jazz",
      "Étude", "!!!", "Hard Bop",
      "Blue Trains", "%", "a* OR b", "\"x\"",
    ]
    func randomText() -> String { texts.randomElement(using: &random) ?? "" }
    func randomTexts(_ range: ClosedRange<Int>) -> [String] {
      Array(Set((0..<Int.random(in: range, using: &random)).map { _ in randomText() })).sorted()
    }
    var newAlbums: [(Album, [Track])] = []
    var trackCount = tracks.count
    for _ in 0..<count {
      let albumArtists = randomTexts(0...2)
      let year = Bool.random(using: &random) ? Int.random(in: 1955...1965, using: &random) : nil
      let album = Album(
        id: Int64(albums.count + newAlbums.count + 1),
        library: Int.random(in: 0...4, using: &random) == 0 ? 2 : 1,
        title: randomText(),
        artist: albumArtists.first, year: year)
      var newTracks: [Track] = []
      for position in 0..<Int.random(in: 1...4, using: &random) {
        newTracks.append(
          Track(
            id: Int64(trackCount + newTracks.count + 1), library: album.library,
            directory: ["", "Jazz", "Jazz/Blue", "Jazzy", "Ro%k"].randomElement(using: &random) ?? "",
            name: "\(album.id)-\(position).flac", title: randomText(), artists: randomTexts(0...2), album: album.id,
            position: position,
            albumArtists: albumArtists, genres: randomTexts(0...2), composers: randomTexts(0...1),
            number: Bool.random(using: &random) ? Int.random(in: 1...5, using: &random) : nil,
            year: Int.random(in: 0...5, using: &random) == 0
              ? nil : Int.random(in: 1955...1965, using: &random),
            added: 1_767_225_600 + Int64.random(in: 0...20, using: &random) * 40_000,
            duration: Int.random(in: 0...9, using: &random) == 0
              ? nil : Int.random(in: 100_000...400_000, using: &random),
            bits: [nil, 16, 24].randomElement(using: &random) ?? nil,
            format: ["flac", "mp3", "ogg"].randomElement(using: &random) ?? ""))
      }
      newAlbums.append((album, newTracks))
      trackCount += newTracks.count
    }
    try store(newAlbums)
  }

  /// Adds an album whose tracks have only titles and artists.
  mutating func add(
    _ title: String, by artist: String?, _ titles: [String], artists: [String]? = nil, genre: String? = nil
  ) throws {
    let album = Album(id: Int64(albums.count + 1), library: 1, title: title, artist: artist, year: nil)
    let newTracks = titles.enumerated().map { position, title in
      Track(
        id: Int64(tracks.count + position + 1), library: 1, directory: "", name: "\(album.id)-\(position)",
        title: title,
        artists: artists ?? [artist].compactMap { $0 }, album: album.id, position: position,
        albumArtists: [artist].compactMap { $0 }, genres: [genre].compactMap { $0 }, composers: [],
        number: position + 1,
        year: nil, added: 0, duration: 1000, bits: nil, format: "flac")
    }
    try store([(album, newTracks)])
  }

  /// Stores all albums in one transaction, since each transaction waits for the disk.
  private mutating func store(_ additions: [(Album, [Track])]) throws {
    var names = names
    try database.write { database in
      for (album, tracks) in additions { try Self.store(album, tracks, &names, in: database) }
      try database.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
    }
    for (album, tracks) in additions {
      albums.append(album)
      self.tracks.append(contentsOf: tracks)
    }
    self.names = names
  }

  private static func store(
    _ album: Album, _ tracks: [Track], _ names: inout [String: [String: Int64]], in database: Database
  ) throws {
    func nameID(_ table: String, _ text: String) throws -> Int64 {
      if let id = names[table]?[text.searchWords] { return id }
      try database.execute(
        sql: "INSERT INTO \(table) (key, name, sort) VALUES (?, ?, ?)",
        arguments: [text.searchWords, text, Data(text.foldedForMatching.utf8)])
      names[table, default: [:]][text.searchWords] = database.lastInsertedRowID
      return database.lastInsertedRowID
    }
    try database.execute(
      sql: """
        INSERT INTO album (id, library, title, artist, title_key, artist_key, sort, title_sort, year, is_compilation,
        track_count, duration, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
        """,
      arguments: [
        album.id, album.library, album.title, album.artist, album.title.searchWords,
        album.artist?.searchWords ?? "",
        Data(Self.sortKey(of: album).utf8), Data(album.title.foldedForMatching.utf8), album.year, tracks.count,
        tracks.reduce(0) { $0 + ($1.duration ?? 0) }, tracks.map(\.added).min() ?? 0,
      ])
    for track in tracks {
      try database.execute(
        sql: "INSERT OR IGNORE INTO directory (library, path, mtime) VALUES (?, ?, 0)",
        arguments: [track.library, Data(track.directory.utf8)])
      let directory = try Int64.fetchOne(
        database, sql: "SELECT id FROM directory WHERE library = ? AND path = ?",
        arguments: [track.library, Data(track.directory.utf8)])
      func list(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: "\u{1F}") }
      func words(_ values: [String]) -> String {
        values.isEmpty ? "" : "\u{1F}" + values.map(\.searchWords).joined(separator: "\u{1F}") + "\u{1F}"
      }
      try database.execute(
        sql: """
          INSERT INTO track (id, library, directory, name, size, mtime, inode, device, added, grouped, group_key, album, place, title,
          title_key, title_sort, artists, album_title, album_artists, genres, composers, number, year, is_compilation, duration, rate,
          channels, bits, format, tags) VALUES (?, ?, ?, ?, 1, 1, 1, 1, ?, 1, '', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 44100, 2, ?, ?, ?)
          """,
        arguments: [
          track.id, track.library, directory, Data(track.name.utf8), track.added, track.album, track.position,
          track.title,
          track.title.searchWords, Data(track.title.foldedForMatching.utf8), list(track.artists),
          album.title,
          list(track.albumArtists), list(track.genres), list(track.composers), track.number, track.year,
          track.duration,
          track.bits, track.format, track.tags,
        ])
      try database.execute(
        sql: "INSERT INTO words (id, title, artist, album, album_artist, genre, composer) VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          track.id, track.title.searchWords, words(track.artists), words([album.title]),
          words(track.albumArtists),
          words(track.genres), words(track.composers),
        ])
      for (role, artists) in [track.artists, track.albumArtists].enumerated() {
        for artist in artists {
          try database.execute(
            sql: "INSERT OR IGNORE INTO credit VALUES (?, ?, ?)",
            arguments: [try nameID("artist", artist), role, track.id])
        }
      }
      for (name, value) in track.stickers {
        try database.execute(sql: StickerTable.insertion, arguments: [track.id, name, value])
      }
      for (number, time) in track.plays.enumerated() {
        // The file was elsewhere when the track was first played.
        try database.execute(
          sql: """
            INSERT OR IGNORE INTO played_track (path, segment, title, artist, album, album_artist, genre, library_track)
            VALUES (?, -1, '', '', '', '', '', ?)
            """, arguments: [Data("/\(min(number, 1))/\(track.name)".utf8), track.id])
        try database.execute(
          sql: "INSERT INTO play (time, track, heard, origin) SELECT ?, id, 0, '' FROM played_track WHERE path = ?",
          arguments: [time, Data("/\(min(number, 1))/\(track.name)".utf8)])
      }
      for genre in track.genres {
        try database.execute(
          sql: "INSERT OR IGNORE INTO track_genre VALUES (?, ?)",
          arguments: [try nameID("genre", genre), track.id])
      }
    }
  }

  /// Returns the key by which the index sorts an album.
  static func sortKey(of album: Album) -> String {
    "\((album.artist ?? "").foldedForMatching)\u{1}\(album.year ?? 0)\u{1}\(album.title.foldedForMatching)"
  }
}

extension LibraryScope {
  /// Creates a scope of these libraries of a ``SampleIndex``.
  static func sample(_ ids: [Int64]) -> LibraryScope {
    let paths = ids.map { FilePath("/music\($0)") }
    let roots = LibraryRoots(paths[0], Array(paths.dropFirst()))
    return LibraryScope(roots) { Int64(String(decoding: $0.suffix(1), as: UTF8.self)) } ?? LibraryScope(1)
  }
}
