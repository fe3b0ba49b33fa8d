// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Platform
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

/// Results of queries while all files are read again.
struct RescanTests {
  let rig: ScanRig
  /// A library that queries the index through its own connection.
  let reader: IndexedLibrary

  init() throws {
    rig = try ScanRig()
    reader = IndexedLibrary(
      index: try LibraryIndex(directory: rig.directory["data"]), roots: LibraryRoots(rig.root))
  }

  /// Adds albums with many tracks: one in a single directory, one in two, one in many, and one whose track numbers are
  /// in the file names. If `prefix` is not `nil`, only files whose names begin with it are written.
  private func addLibrary(album: String = "Old", title: String = "T", prefix: String? = nil) throws {
    func add(_ name: String, _ tags: [(String, String)]) throws {
      if let prefix, !name.hasPrefix(prefix) { return }
      try rig.add(name, tags, padding: album.utf8.count)
    }
    for number in 1...150 {
      try add(
        "big/\(number).flac",
        [
          ("TITLE", "\(title)\(number)"), ("ALBUM", album), ("TRACKNUMBER", "\(number)"), ("ARTIST", "A"),
          ("GENRE", album),
        ])
    }
    for number in 1...60 {
      try add(
        "set/CD\(number % 2 + 1)/\(number).flac",
        [
          ("TITLE", "\(title)\(number)"), ("ALBUM", "Set \(album)"), ("TRACKNUMBER", "\(number)"),
          ("ARTIST", "B"),
        ])
      try add(
        "over/\(number / 4)/\(number).flac",
        [
          ("TITLE", "\(title)\(number)"), ("ALBUM", "All over"), ("TRACKNUMBER", "\(number)"),
          ("ALBUMARTIST", album), ("ARTIST", "C\(number % 7)"),
        ])
    }
    for number in 10...79 { try add("names/\(number) - \(title) x.flac", [("ARTIST", "D")]) }
  }

  /// Checks that every track is in an album and is found by every kind of query. Returns the albums with their track
  /// counts.
  private func checkedAlbums(_ location: SourceLocation = #_sourceLocation) throws -> [String] {
    let tracks = try reader.tracks(.everything, order: LibraryOrder(.album), window: .init()).elements
    #expect(tracks.count == 340, sourceLocation: location)
    let titleTracks = try reader.tracks(
      .text(.title, TextPattern("x", kind: .words)), order: LibraryOrder(.title), window: .init())
    #expect(titleTracks.elements.count == 70, sourceLocation: location)
    let artistTracks = try reader.tracks(
      .text(.artist, TextPattern("a", kind: .exact)), order: LibraryOrder(.added), window: .init())
    #expect(artistTracks.elements.count == 150, sourceLocation: location)
    var listedCount = 0
    _ = try reader.browse { browser in
      for directory in ["big", "set/CD1", "set/CD2", "names"] + (0...15).map({ "over/\($0)" }) {
        try browser.listSortedTracks(in: FilePath(directory)) { _ in listedCount += 1 }
      }
    }
    #expect(listedCount == 340, sourceLocation: location)
    let counts = Dictionary(grouping: tracks) { $0.albumID }.mapValues(\.count)
    let albums = try reader.albums(.everything, order: LibraryOrder(.album), window: .init()).elements
    for album in albums {
      #expect(counts[album.id] == album.trackCount, "\(album.title)", sourceLocation: location)
    }
    #expect(counts.count == albums.count, sourceLocation: location)
    let artists = try reader.artists(.everything, window: .init()).elements
    #expect(
      artists.allSatisfy { $0.trackCount > 0 && $0.albumCount > 0 }, "\(artists)", sourceLocation: location)
    return albums.map { "\($0.title): \($0.trackCount)" }
  }

  @Test func `Rereading unchanged files changes nothing, not even temporarily`() throws {
    try addLibrary()
    try rig.scan()
    let before = try checkedAlbums()
    #expect(before.sorted() == ["All over: 60", "Old: 150", "Set Old: 60", "names: 70"])
    let rows = try rig.rows("SELECT * FROM track") + rig.rows("SELECT * FROM album")
    var partCount = 0
    let summary = try SteppedRescan(rig: rig, partSize: 40).run { () throws in
      partCount += 1
      #expect(try checkedAlbums() == before)
    }
    #expect(partCount > 10)
    #expect(summary.changedCount == 0 && summary.unchangedCount == 340)
    #expect(try rig.rows("SELECT * FROM track") + rig.rows("SELECT * FROM album") == rows)
    try rig.check()
  }

  @Test(arguments: [20, 64])
  func `While changed files are read, each album has either its old or its new contents`(
    partSize: Int
  ) throws {
    try addLibrary()
    try rig.scan()
    let before = Set(try checkedAlbums())
    let ids = try rig.rows("SELECT id FROM track ORDER BY id")
    try addLibrary(album: "New")
    let expected = try ScanRig()
    _ = try expected.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
    let after: Set = ["All over: 60", "New: 150", "Set New: 60", "names: 70"]
    _ = try SteppedRescan(rig: rig, partSize: partSize).run { () throws in
      #expect(Set(try checkedAlbums()).isSubset(of: before.union(after)))
    }
    #expect(Set(try checkedAlbums()) == after)
    #expect(try rig.rows("SELECT id FROM track ORDER BY id") == ids)
    #expect(try rig.contents == expected.contents)
    try rig.check()
  }

  /// What is wrong with the rows, if anything.
  private func problem() throws -> String? { try rig.index.read { try IndexRepair.problem($0) } }

  /// What a scan writes, except for row IDs and what it takes from the disk.
  private func written() throws -> [String] {
    try rig.rows(
      """
      SELECT directory.path, track.name, group_key, track.title, track.title_key, track.title_sort, artists, album_title,
        album_artists, genres, number, disc, derived, track.year, rate, channels, bits, format, tags, place,
        album.title, album.artist, album.title_key, album.sort, album.duration, album.track_count,
        words.title, words.artist, words.album, words.album_artist, words.genre,
        (SELECT group_concat(name || key || hex(sort), ',') FROM (
          SELECT artist.* FROM artist JOIN credit ON artist.id = credit.artist WHERE credit.track = track.id ORDER BY key)),
        (SELECT group_concat(name || key || hex(sort), ',') FROM (
          SELECT genre.* FROM genre JOIN track_genre ON genre.id = genre WHERE track_genre.track = track.id ORDER BY key))
      FROM track JOIN directory ON directory.id = track.directory JOIN album ON album.id = track.album
        JOIN words ON words.id = track.id ORDER BY directory.path, track.name
      """)
  }

  @Test(arguments: [
    "UPDATE track SET channels = 18 WHERE id = 3", "UPDATE track SET genres = 'Tesv' WHERE id = 3",
    "UPDATE track SET title = 'x' WHERE id = 3", "UPDATE track SET title_sort = x'00' WHERE id = 3",
    "UPDATE track SET number = 9 WHERE title LIKE '% x'", "UPDATE track SET tags = '{}' WHERE id = 3",
    "UPDATE track SET group_key = 'x' WHERE id = 3", "UPDATE track SET place = 70 WHERE id = 3",
    "UPDATE track SET album = 1 + album % 3 WHERE id = 3", "UPDATE track SET name = x'78' WHERE id = 3",
    "UPDATE genre SET name = 'Olv'", "UPDATE genre SET key = 'olv'",
    "UPDATE genre SET sort = x'00'", "UPDATE artist SET name = 'x' WHERE id = 2",
    "UPDATE artist SET key = 'x' WHERE id = 2", "UPDATE words SET genre = 'x' WHERE id = 3",
    "UPDATE words SET artist = char(31) || 'x' || char(31) WHERE id = 3", "UPDATE album SET title = 'x' WHERE id = 1",
    "UPDATE album SET sort = x'00' WHERE id = 1", "UPDATE album SET track_count = 3 WHERE id = 1",
  ])
  func `Damage that leaves the database well-formed is found, and mended by rereading everything`(
    damage: String
  ) throws {
    try addLibrary()
    try rig.scan()
    let expected = try written()
    #expect(try problem() == nil)
    try rig.index.write { try $0.execute(sql: damage) }
    let table = damage.split(separator: " ")[1]
    let found = try problem()
    #expect(found?.contains("has changed") == true && found?.contains(" \(table) ") == true, "\(found ?? "nothing")")
    #expect(try written() != expected)
    _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
    #expect(try written() == expected)
    #expect(try problem() == nil)
    try rig.check()
  }

  @Test(arguments: [20, 64])
  func `Names that were removed as damaged come back with the albums that had to wait`(partSize: Int) throws {
    try addLibrary()
    try rig.scan()
    let expected = try written()
    let library = try rig.index.library(rig.root).id
    try rig.index.write { database in
      try database.execute(sql: "UPDATE artist SET name = 'x' WHERE name = 'Old'")
      try IndexRepair(database, library: library).run()
    }
    _ = try SteppedRescan(rig: rig, partSize: partSize).run {}
    #expect(try written() == expected)
    #expect(try problem() == nil)
    try rig.check()
  }

  @Test(arguments: [
    "INSERT OR REPLACE INTO name_count SELECT library, 0, artist.id, 1, 18 FROM artist, track LIMIT 1",
    "UPDATE name_count SET tracks = 18",
  ])
  func `Damaged copies are found, and made anew when everything is read again`(damage: String) throws {
    // Enough tracks of one genre for its count to be stored.
    for number in 1...300 {
      try rig.add("\(number).flac", [("TITLE", "T\(number)"), ("ARTIST", "A"), ("GENRE", "Old")])
    }
    try rig.scan()
    let copies = { try rig.rows("SELECT * FROM name_count") }
    let expected = try copies()
    #expect(try !expected.isEmpty && problem() == nil)
    try rig.index.write { try $0.execute(sql: damage) }
    #expect(try problem() != nil && copies() != expected)
    _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
    #expect(try problem() == nil && copies() == expected)
    try rig.check()
  }

  @Test func `A damaged full-text index is mended by rereading everything`() throws {
    try addLibrary()
    try rig.scan()
    try rig.index.write {
      let columns = "title, artist, album, album_artist, genre, composer"
      try $0.execute(
        sql: "INSERT INTO search (search, rowid, \(columns)) SELECT 'delete', id, \(columns) FROM words WHERE id = 3")
    }
    let found = "SELECT count(*) FROM search WHERE search MATCH 'title:t*'"
    let count = try rig.rows(found)
    _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
    #expect(try rig.rows(found) != count)
    try rig.check()
  }

  @Test(arguments: [("credit", "artist"), ("track_genre", "genre")])
  func `Links of names that are missing or wrong are mended by rereading everything`(
    links: String, column: String
  ) throws {
    try addLibrary()
    try rig.scan()
    let expected = try written()
    let first = "track = (SELECT min(track) FROM \(links))"
    let other = """
      SELECT id FROM track
      WHERE id NOT IN (SELECT track FROM \(links) AS link WHERE link.\(column) = \(links).\(column)) LIMIT 1
      """
    for damage in [
      "DELETE FROM \(links) WHERE \(first)", "UPDATE \(links) SET track = (\(other)) WHERE \(first)",
    ] {
      try rig.index.write { try $0.execute(sql: damage) }
      #expect(try written() != expected)
      #expect(try problem()?.contains("\(column)s of tracks do not match") == true)
      _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
      #expect(try written() == expected)
      try rig.check()
    }
  }

  @Test func `Rows without checksums are valid, and get them when everything is read again`() throws {
    try addLibrary()
    try rig.scan()
    let tables = ["track", "album", "words", "artist", "genre"]
    let missing = tables.map { "(SELECT count(*) FROM \($0) WHERE checksum IS NULL)" }.joined(separator: " + ")
    #expect(try rig.rows("SELECT \(missing)") == ["0"])
    let expected = try written()
    try rig.index.write { database in
      for table in tables { try database.execute(sql: "UPDATE \(table) SET checksum = NULL") }
    }
    #expect(try problem() == nil)
    // The index of an earlier version may be damaged, too.
    try rig.index.write { try $0.execute(sql: "UPDATE genre SET name = 'Olv'; UPDATE track SET channels = 18") }
    _ = try rig.library().rereadingAll.scan(progress: { _ in }, isCancelled: { false })
    #expect(try written() == expected && rig.rows("SELECT \(missing)") == ["0"])
    try rig.check()
  }

  @Test func `An album that changed in part is split once everything has been read`() throws {
    try addLibrary()
    try rig.scan()
    let before = try checkedAlbums()
    try addLibrary(album: "New", prefix: "big/1")
    try addLibrary(album: "New", prefix: "over/3")
    let expected = try ScanRig()
    _ = try expected.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
    var observed: [[String]] = []
    _ = try SteppedRescan(rig: rig, partSize: 30).run { observed.append(try checkedAlbums()) }
    #expect(observed.dropLast().allSatisfy { $0 == before })
    #expect(observed.last?.contains("New: 62") == true, "\(observed.last ?? [])")
    #expect(try rig.contents == expected.contents)
    try rig.check()
  }
}

struct FileChangeTests {
  private final class ChangeRecorder: Sendable {
    let changes = Mutex<[FileChange]>([])

    /// Returns the recorded changes, sorted, and forgets them.
    func takeAll() -> [String] {
      changes.withLock { changes in
        defer { changes = [] }
        return changes.map(\.description).sorted()
      }
    }
  }

  @Test func `The change handler is called for every changed file`() throws {
    let rig = try ScanRig()
    let library = rig.library()
    let recorder = ChangeRecorder()
    library.onFileChange { change in recorder.changes.withLock { $0.append(change) } }
    func scan() throws -> [String] {
      _ = try library.scan(progress: { _ in }, isCancelled: { false })
      return recorder.takeAll()
    }
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.directory.write([], to: "music/a/3.flac")
    let first = try scan()
    #expect(first.prefix(2) == ["added \(rig.root)/a/1.flac", "added \(rig.root)/a/2.flac"])
    #expect(first.count == 3 && first.last?.hasPrefix("skipped \(rig.root)/a/3.flac: ") == true, "\(first)")
    #expect(try scan().isEmpty)
    try rig.add("a/1.flac", album: "A", 1, padding: 10)
    try rig.move("a/2.flac", to: "b/2.flac")
    try rig.remove("a/3.flac")
    #expect(
      try scan() == [
        "changed \(rig.root)/a/1.flac", "moved \(rig.root)/b/2.flac (was \(rig.root)/a/2.flac)",
      ])
    try rig.remove("a/1.flac")
    #expect(try scan() == ["removed \(rig.root)/a/1.flac"])
    library.onFileChange(nil)
    try rig.add("a/4.flac", album: "A", 4)
    #expect(try scan().isEmpty)
  }
}

/// A scan that reads all files again, and calls a closure after writing each part.
struct SteppedRescan {
  let rig: ScanRig
  /// The number of files in a part.
  let partSize: Int

  /// Reads and writes the files of all directories, each part in its own transaction. Calls `didWrite` after each.
  func run(didWrite: () throws -> Void) throws -> ScanSummary {
    let row = try rig.index.library(rig.root)
    let plan = ScanPlan(
      root: rig.root.systemBytes, library: row.id, scope: .everything, isKnown: true, reader: TagReader(),
      readsUnchanged: true,
      isCancelled: { false })
    let directories = try rig.rows(
      "SELECT id, path FROM directory WHERE id IN (SELECT directory FROM track) ORDER BY path")
    return try rig.index.write { database in
      let writer = try ScanWriter(database, plan: plan, now: 1)
      for directory in directories {
        let parts = directory.split(separator: " ", maxSplits: 1)
        guard let id = Int64(parts[0]) else { continue }
        try read(String(parts[1]), id, plan, database, writer, didWrite)
      }
      try ScanCleanup(database, plan: plan, writer: writer).run()
      try didWrite()
      return writer.summary
    }
  }

  private func read(
    _ directory: String, _ id: Int64, _ plan: ScanPlan, _ database: Database, _ writer: ScanWriter,
    _ didWrite: () throws -> Void
  ) throws {
    var maker = TrackRecordMaker()
    let path = RelativePath(Array(directory.utf8))
    let visit = DirectoryVisit(path: path, id: id, storedTime: 1, modificationTime: 2)
    var results: [FileResult] = []
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, name FROM track WHERE directory = ? ORDER BY name", arguments: [id])
    for row in rows {
      let name: [UInt8] = Array(row[1] as Data)
      let file = plan.absolute(path.appending(name))
      let status = try FileStatus(of: file)
      let (track, fields) = try plan.reader.read(file, status)
      results.append(
        FileResult(
          name: name, state: FileState(status), identity: .known(row[0]),
          contents: .tracks([maker.record(track, fields: fields, in: plan.absolute(path))])))
    }
    var listed = ScanMessage.Listed()
    listed.partCount = (results.count + partSize - 1) / partSize
    try writer.handle(.listed(visit, listed))
    for start in stride(from: 0, to: results.count, by: partSize) {
      try writer.handle(.read(visit, Array(results[start..<min(start + partSize, results.count)])))
      try writer.flush()
      try didWrite()
    }
  }
}
