// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import Platform
import SystemPackage
import TestSupport

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

enum IndexCheck {
  /// Returns the problem in the results of queries to an index with the edits in `bytes`.
  static func fileProblem(in bytes: [UInt8]) -> String? {
    guard case .success(let template) = template else { return "cannot create an index" }
    var script = ByteScript(bytes)
    guard let directory = try? TemporaryDirectory(),
      (try? directory.write(script.edited(template), to: "index.sqlite")) != nil,
      let index = try? LibraryIndex(directory: directory.path)
    else { return nil }
    let library = IndexedLibrary(index: index, roots: LibraryRoots(root), probe: nil, threadCount: 1)
    return withExtendedLifetime(directory) { problem(of: library) }
  }

  /// Returns the problem in the entries read from rows with the values in `bytes`, which alternate between a column and
  /// a value; see ``ByteScript/value()``.
  static func rowProblem(in bytes: [UInt8]) -> String? {
    guard case .success(let database) = rowDatabase else { return "cannot create an index" }
    do {
      var problem: String?
      try database.inDatabase { database in
        try database.inTransaction {
          try change(database, ByteScript(bytes))
          problem = try Self.problem(of: database)
          return .rollback
        }
      }
      return problem
    } catch is DatabaseError {
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func problem(of library: IndexedLibrary) -> String? {
    _ = try? library.isScanned
    let window = LibraryPage<TrackEntry>.Window(limit: 20)
    let tracks = try? library.tracks(.everything, order: LibraryOrder(.title), window: window)
    _ = try? library.artists(.everything, window: .init())
    _ = try? library.genres(.everything, window: .init())
    _ = try? library.problems(window: .init())
    _ = try? library.search("tit", among: .everything, limit: 10)
    _ = try? library.findAlbum("album")
    let albums = try? library.albums(.everything, order: LibraryOrder(), window: .init(limit: 20))
    for album in albums?.elements ?? [] { _ = try? library.album(album.id) }
    _ = try? library.browse { browser in
      try browser.tracks(try browser.trackIDs(in: FilePath())).count + browser.directories(in: FilePath()).count
    }
    _ = try? library.index.loudness(of: [root.appending("0.flac")])
    return (tracks?.elements.count ?? 0) > 20 ? "more tracks than requested" : nil
  }

  private static func problem(of database: Database) throws -> String? {
    let tracks = IndexStatement(database, "SELECT \(StoredTrack.columns) FROM track \(StoredTrack.tables)")
    while try tracks.step() {
      let track = StoredTrack.entry(tracks).track
      if let date = track.date, ReleaseDate(year: date.year, month: date.month, day: date.day) != date {
        return "\(date)"
      }
      let gains = [track.replayGain.trackGain, track.replayGain.trackPeak, track.replayGain.albumGain]
      if gains.contains(where: { $0.map { !$0.isFinite } ?? false }) { return "\(track.replayGain)" }
      if track.path.systemBytes.contains(0) { return "a path with a NUL" }
      _ = (track.albumKey, track.duration.map { $0 / .seconds(1) })
      var packer = TrackPacker()
      if packer.append(track), PackedTracks(packer.finish())?.track(0) != track { return "unpacked, the track differs" }
    }
    for row in try Row.fetchAll(database, sql: LoudnessTable.selection, arguments: [Data(measuredPath.systemBytes)]) {
      guard let loudness = LoudnessTable.value(row, path: measuredPath) else { continue }
      if loudness.replayGain.validated != loudness.replayGain { return "\(loudness.replayGain)" }
    }
    let albums = IndexStatement(database, "SELECT \(StoredAlbum.columns) FROM album")
    while try albums.step() { _ = StoredAlbum.entry(albums) }
    return nil
  }

  private static let root = FilePath("/music")
  private static let measuredPath = FilePath("/music/a/0.flac")

  private static let tables = ["track", "album", "directory", "library", "loudness"]

  /// Sets columns to the values in `script`.
  private static func change(_ database: Database, _ script: ByteScript) throws {
    var script = script
    while !script.isAtEnd {
      let table = tables[Int(script.byte()) % tables.count]
      let columns = try database.columns(in: table).map(\.name)
      let column = columns[Int(script.byte()) % columns.count]
      // A constraint of the table may refuse the value.
      _ = try? database.execute(sql: "UPDATE \(table) SET \"\(column)\" = ?", arguments: [script.value()])
    }
  }

  /// The bytes of an index of a few tracks.
  static let template: Result<[UInt8], any Error> = Result {
    let directory = try TemporaryDirectory()
    let index = try filledIndex(in: directory)
    try index.write { try $0.execute(sql: "UPDATE library SET root = ?", arguments: [Data(root.systemBytes)]) }
    return try contents(of: index.path)
  }

  /// A copy of an index in memory.
  private static let rowDatabase: Result<DatabaseQueue, any Error> = Result {
    let directory = try TemporaryDirectory()
    let database = try DatabaseQueue()
    try DatabaseQueue(path: try filledIndex(in: directory).path.string).backup(to: database)
    return database
  }

  private static func filledIndex(in directory: TemporaryDirectory) throws -> LibraryIndex {
    for number in 0..<4 {
      let tags = [
        ("TITLE", "Title \(number)"), ("ARTIST", "Artist"), ("ALBUM", "Album \(number / 2)"), ("GENRE", "Jazz"),
        ("DATE", "1957-09-15"), ("TRACKNUMBER", "\(number)/4"), ("PERFORMER", "Performer"),
        ("REPLAYGAIN_TRACK_GAIN", "-3 dB"), ("COMPOSER", "Composer"),
      ]
      try directory.write(SoundBytes.flac(tags), to: "music/a/\(number).flac")
    }
    try directory.write([1, 2, 3], to: "music/b/broken.m4a")
    let index = try LibraryIndex(directory: directory["data"])
    let library = IndexedLibrary(
      index: index, roots: LibraryRoots(directory["music"]), probe: nil, threadCount: 1)
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    try index.store([
      StoredLoudness(
        path: measuredPath, size: 1, modificationTime: 1, integrated: -20, range: 5, truePeak: 0.9,
        album: .init(key: 1, integrated: -19, truePeak: 0.95))
    ])
    return index
  }
}
