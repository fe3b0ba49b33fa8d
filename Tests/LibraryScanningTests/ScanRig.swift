// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

extension Sticker {
  /// The name of the sticker under which clients store ratings.
  static let rating = "rating"
}

/// A music directory and an index, for one test.
struct ScanRig {
  let directory: TemporaryDirectory
  let index: LibraryIndex
  let threadCount: Int

  init(threadCount: Int = 2) throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("music")
    index = try LibraryIndex(directory: directory["data"])
    self.threadCount = threadCount
  }

  /// The path of the scanning program that is built with the tests.
  static var program: FilePath {
    get throws {
      let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") || $0.contains(".xctest/") }
      let buildDirectory = FilePath(try #require(bundle)).removingLastComponent()
      return buildDirectory.appending("ScanCheck")
    }
  }

  var root: FilePath { directory["music"] }

  func library(_ root: FilePath? = nil) -> IndexedLibrary {
    IndexedLibrary(
      index: index, roots: LibraryRoots(root ?? self.root), probe: nil, threadCount: threadCount)
  }

  /// Scans, and checks the consistency of the index.
  @discardableResult
  func scan() throws -> ScanSummary {
    let summary = try library().scan(progress: { _ in }, isCancelled: { false })
    try check()
    return summary
  }

  /// Runs a scan that is interrupted before it ends, if it finds that files are missing: everything that was read is
  /// stored, but nothing is known of what is missing.
  func scanInterrupted() throws {
    try refusing("INSERT ON missing_track") {
      _ = try? library().scan(progress: { _ in }, isCancelled: { false })
    }
  }

  /// Calls `body` while every statement that does this fails in the index, as if the process were killed.
  func refusing(_ change: String, _ body: () throws -> Void) throws {
    // A connection that is opened while there is a trigger takes it for damage.
    try index.write { _ in }
    let database = try DatabaseQueue(path: index.path.string)
    try database.write {
      try $0.execute(sql: "CREATE TRIGGER refused BEFORE \(change) BEGIN SELECT RAISE(ABORT, 'killed'); END")
    }
    defer { try? database.write { try $0.execute(sql: "DROP TRIGGER refused") } }
    try body()
  }

  /// Updates directories below the root, and checks the consistency of the index.
  @discardableResult
  func update(_ directories: String..., recursively: Bool = false) throws -> ScanSummary {
    let paths = directories.map { $0.isEmpty ? root : root.pushing(FilePath($0)) }
    let summary = try library().update(directories: paths, recursively: recursively)
    try check()
    return summary
  }

  /// Writes a FLAC file with these tags, followed by `padding` zero bytes.
  func add(_ name: String, _ tags: [(String, String)], padding: Int = 0) throws {
    let bytes = SoundBytes.flac(tags) + [UInt8](repeating: 0, count: padding)
    try directory.write(bytes, to: FilePath("music").pushing(FilePath(name)))
  }

  /// Writes a file that belongs to an album.
  func add(
    _ name: String, album: String, _ number: Int, artist: String = "Artist", padding: Int = 0
  ) throws {
    let tags = [("TITLE", "T\(number)"), ("ALBUM", album), ("TRACKNUMBER", "\(number)"), ("ARTIST", artist)]
    try add(name, tags, padding: padding)
  }

  /// Adds albums: some with discs, some with the same title, and one whose tracks are in many directories.
  func addLibrary() throws {
    for album in 0..<60 {
      for track in 1...6 {
        let title = album % 7 == 0 ? "Greatest Hits" : "Album \(album)"
        let disc = album % 5 == 0 ? "CD\(track % 2 + 1)/" : ""
        try add(
          "\(album % 9)/\(album)/\(disc)\(track).flac", album: title, track, artist: "Artist \(album % 9)")
      }
    }
    for track in 1...30 { try add("all/\(track)/x.flac", album: "Spread", track, artist: "Everywhere") }
  }

  func move(_ source: String, to target: String) throws {
    try directory.makeDirectory(FilePath("music").pushing(FilePath(target)).removingLastComponent().string)
    try AtomicFile.move(root.pushing(FilePath(source)), to: root.pushing(FilePath(target)))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: root.pushing(FilePath(name)).string)
  }

  /// Returns the rows of a query, with the values of each separated by spaces.
  func rows(_ sql: String) throws -> [String] {
    try DatabaseQueue(path: index.path.string).read { try Self.rows(sql, $0) }
  }

  private static func rows(_ sql: String, _ database: Database) throws -> [String] {
    try Row.fetchAll(database, sql: sql).map { row in
      row.databaseValues.map { value in
        switch value.storage {
        case .null: "-"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text.replacing("\u{1F}", with: "|")
        case .blob(let data): String(decoding: data, as: UTF8.self)
        }
      }.joined(separator: " ")
    }
  }

  /// The tracks with their albums, sorted by path. Equal files give equal contents.
  var contents: [String] {
    get throws {
      try rows(
        """
        SELECT directory.path, name, album.title, album.artist, album.track_count, place, track.title, disc, number,
          words.artist, words.album, words.album_artist, words.genre
        FROM track JOIN directory ON directory.id = track.directory JOIN album ON album.id = track.album JOIN words ON words.id = track.id
        ORDER BY directory.path, name
        """)
    }
  }

  /// The ids of the tracks, by title.
  var ids: [String: String] {
    get throws {
      let rows = try rows("SELECT id, title FROM track").map { $0.split(separator: " ", maxSplits: 1) }
      return Dictionary(rows.map { (String($0[1]), String($0[0])) }) { "\($0) \($1)" }
    }
  }

  /// Checks the invariants of the index.
  func check(_ location: SourceLocation = #_sourceLocation) throws {
    let rules = [
      "PRAGMA foreign_key_check": "rows with dangling references",
      "SELECT id FROM track WHERE grouped = 0 OR album IS NULL OR place IS NULL": "tracks without an album",
      "SELECT id FROM track WHERE id NOT IN (SELECT id FROM words)": "tracks without words",
      "SELECT id FROM words WHERE id NOT IN (SELECT id FROM track)": "words without tracks",
      """
      SELECT album.id FROM album LEFT JOIN track ON album = album.id GROUP BY album.id
      HAVING count(track.id) <> track_count OR sum(coalesce(track.duration, 0)) <> album.duration
        OR min(track.added) <> album.added OR max(place) <> count(track.id) - 1 OR count(DISTINCT place) <> count(track.id)
      """: "albums with wrong totals",
      "SELECT id FROM artist WHERE id NOT IN (SELECT artist FROM credit)": "artists without tracks",
      "SELECT id FROM genre WHERE id NOT IN (SELECT genre FROM track_genre)": "genres without tracks",
      "SELECT track FROM credit WHERE track NOT IN (SELECT id FROM track)": "credits without tracks",
      """
      SELECT track.id FROM track JOIN words ON words.id = track.id
      WHERE (SELECT count(*) FROM credit WHERE track = track.id AND role = 0)
          <> max(0, length(words.artist) - length(replace(words.artist, char(31), '')) - 1)
        OR (SELECT count(*) FROM credit WHERE track = track.id AND role = 1)
          <> max(0, length(album_artist) - length(replace(album_artist, char(31), '')) - 1)
        OR (SELECT count(*) FROM track_genre WHERE track = track.id)
          <> max(0, length(genre) - length(replace(genre, char(31), '')) - 1)
      """: "credits or genres that do not match the words",
    ]
    let database = try DatabaseQueue(path: index.path.string)
    try database.read { database in
      for (sql, rule) in rules {
        let violations = try Self.rows(sql, database)
        #expect(violations.isEmpty, "\(rule)", sourceLocation: location)
      }
      let integrity = try Self.rows("PRAGMA integrity_check", database)
      #expect(integrity == ["ok"], sourceLocation: location)
    }
    #expect(try index.read { try IndexRepair.problem($0) } == nil, sourceLocation: location)
    try database.write { database in
      try database.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
  }
}
