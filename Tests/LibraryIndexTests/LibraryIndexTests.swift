// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex

@Suite struct LibraryIndexTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var indexDirectory: FilePath { directory["data/segue"] }

  private func open() throws -> LibraryIndex { try LibraryIndex(directory: indexDirectory) }

  /// Returns the path of the index that was set aside.
  private func setAsidePath() throws -> FilePath? {
    try DirectoryListing(of: indexDirectory).entries.map(\.name)
      .first { $0.string.hasPrefix("index.sqlite.damaged-") && !$0.string.hasSuffix("-wal") }
      .map { indexDirectory.appending($0.string) }
  }

  private func measurement(
    of path: FilePath, loudness: Double? = -11, album: Double? = nil
  ) throws -> StoredLoudness {
    let part = album.map { StoredLoudness.AlbumPart(key: -7, integrated: $0, truePeak: 0.9) }
    return StoredLoudness(
      path: path, status: try FileStatus(of: path), integrated: loudness, range: 5.5, truePeak: 0.5,
      album: part, sound: MeasuredSound(threshold: -58.5, sampleRate: 48_000, from: 3, to: 5, of: 7))
  }

  @discardableResult
  private func writeFile(_ name: String, _ text: String = "x") throws -> FilePath {
    try directory.write(text.utf8, to: name)
  }

  @Test func `A stored measurement is found again, also after reopening the index`() throws {
    let path = try writeFile("a.flac")
    let silent = try writeFile("b.flac")
    let values = try [measurement(of: path, album: -10), measurement(of: silent, loudness: nil)]
    let index = try open()
    try index.store(values)
    #expect(try index.loudness(of: [path, silent, "/other"]) == [path: values[0], silent: values[1]])
    #expect(try open().loudness(of: [path]) == [path: values[0]])
    #expect(index.warning == nil)
    var changed = values[0]
    changed.integrated = -3
    try index.store([changed])
    #expect(try index.loudness(of: [path]) == [path: changed])
  }

  @Test func `Writing waits for the disk unless the index has no contents`() throws {
    let index = try open()
    func mode() throws -> Int? { try index.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } }
    #expect(try mode() == 0)
    try index.store([try measurement(of: writeFile("a.flac"))])
    #expect(try mode() == 1)
  }

  @Test func `A new index is readable by its owner only`() throws {
    let index = try open()
    try index.store([try measurement(of: writeFile("a.flac"))])
    #expect(try directory.permissions(of: "data/segue/index.sqlite") == 0o600)
    withExtendedLifetime(index) {}
  }

  @Test func `A file name that is not valid UTF-8 is stored unchanged`() throws {
    let name = try #require(FilePath(bytes: [0x61, 0xFF, 0xFE, 0x62]))
    let path = try directory.write("x".utf8, to: name)
    let other = try #require(
      FilePath(bytes: Array(directory.path.string.utf8) + Array("/a\u{FFFD}\u{FFFD}b".utf8)))
    let index = try open()
    try index.store([measurement(of: path)])
    #expect(try index.loudness(of: [path, other]).keys.map { $0 } == [path])
  }

  @Test func `An album's key does not depend on the order of its files`() {
    let paths: [FilePath] = ["/a/1", "/a/2", "/a/3"]
    let key = StoredLoudness.key(ofAlbum: paths)
    #expect(key == StoredLoudness.key(ofAlbum: paths.reversed()))
    #expect(key != StoredLoudness.key(ofAlbum: Array(paths.dropLast())))
    #expect(StoredLoudness.key(ofAlbum: ["/a", "/b"]) != StoredLoudness.key(ofAlbum: ["/a/b"]))
  }

  @Test func `A measurement takes precedence over the tags, separately for track and album`() throws {
    let path = try writeFile("a.flac")
    var track = Track(path: path, title: "A")
    track.replayGain = ReplayGainTags(trackGain: 1, trackPeak: 0.1, albumGain: 2, albumPeak: 0.2)
    let index = try open()
    #expect(index.measurements(for: [track]).map(\.replayGain) == [track.replayGain])
    try index.store([measurement(of: path, album: -10)])
    #expect(
      index.measurements(for: [track]).map(\.replayGain)
        == [ReplayGainTags(trackGain: -7, trackPeak: 0.5, albumGain: -8, albumPeak: 0.9)])
    try index.store([measurement(of: path)])
    #expect(
      index.measurements(for: [track]).map(\.replayGain)
        == [ReplayGainTags(trackGain: -7, trackPeak: 0.5, albumGain: 2, albumPeak: 0.2)])
    try index.store([measurement(of: path, loudness: nil, album: -10)])
    #expect(
      index.measurements(for: [track]).map(\.replayGain)
        == [ReplayGainTags(trackGain: 1, trackPeak: 0.1, albumGain: -8, albumPeak: 0.9)])
  }

  @Test func `The tags are used if a file has changed or is missing`() throws {
    let path = try writeFile("a.flac")
    var track = Track(path: path, title: "A")
    let index = try open()
    try index.store([measurement(of: path, album: -10)])
    track.replayGain = ReplayGainTags(trackGain: 1)
    try writeFile("a.flac", "xy")
    #expect(index.measurements(for: [track]).map(\.replayGain) == [track.replayGain])
    track.path = directory["nosuch"]
    #expect(index.measurements(for: [track]).map(\.replayGain) == [track.replayGain])
    #expect(index.measurements(for: []).isEmpty)
  }

  @Test(arguments: [0, 16, 100, 4096, 20_000])
  func `A damaged index is set aside`(offset: Int) throws {
    let path = try writeFile("a.flac")
    var index: LibraryIndex? = try open()
    let values = try (0..<500).map { number in
      var value = try measurement(of: path)
      value.path = FilePath("/a/path/of/some/length/\(number).flac")
      return value
    }
    try index?.store(values)
    index = nil
    let file = indexDirectory.appending("index.sqlite")
    var bytes = try contents(of: file)
    for position in offset..<bytes.count { bytes[position] = UInt8(truncatingIfNeeded: position &* 31 &+ 7) }
    try directory.write(bytes, to: "data/segue/index.sqlite")
    let reopened = try open()
    // The damage may be noticed only when rows are read.
    if reopened.warning == nil {
      #expect(throws: LibraryError.self) {
        _ = try reopened.loudness(of: values.map(\.path))
        try reopened.store(values)
      }
      #expect(reopened.measurements(for: [Track(path: path, title: "A")]).map(\.replayGain) == [ReplayGainTags()])
    }
    let recreated = try open()
    try recreated.store([measurement(of: path)])
    #expect(try recreated.loudness(of: [path]).count == 1)
    #expect(try contents(of: try #require(try setAsidePath())).count >= bytes.count)
  }

  @Test func `A value that fails to decode only once does not set the index aside`() throws {
    _ = try open()
    let memory = try DatabaseQueue()
    func read(_ sql: String) throws -> Int { try memory.read { try Int.fetchAll($0, sql: sql).first ?? 0 } }
    var queries = ["SELECT NULL", "SELECT 7"]
    let value = try IndexSchema.perform(indexDirectory.appending("index.sqlite")) { try read(queries.removeFirst()) }
    #expect(value == 7)
    #expect(try setAsidePath() == nil)
    #expect(throws: LibraryIndexError.self) {
      try IndexSchema.perform(indexDirectory.appending("index.sqlite")) { try read("SELECT NULL") }
    }
    #expect(try setAsidePath() != nil)
  }

  @Test func `An index of a later version is not changed`() throws {
    _ = try open()
    let file = indexDirectory.appending("index.sqlite")
    try DatabaseQueue(path: file.string).write { database in
      try database.execute(sql: "PRAGMA user_version = \(0x5365_67FF)")
    }
    #expect(throws: LibraryIndexError.tooNew(file)) { _ = try open() }
  }

  @Test func `Another program's database is set aside unchanged`() throws {
    try directory.makeDirectory("data/segue")
    let file = indexDirectory.appending("index.sqlite")
    try DatabaseQueue(path: file.string).write { database in
      try database.execute(sql: "CREATE TABLE note (text); INSERT INTO note VALUES ('mine')")
    }
    let index = try open()
    #expect(index.warning?.contains("another program") == true)
    #expect(try open().warning == nil)
    let other = try DatabaseQueue(path: try #require(try setAsidePath()).string)
    #expect(try other.read { try String.fetchAll($0, sql: "SELECT text FROM note") } == ["mine"])
  }

  @Test func `An index of an earlier version is migrated and keeps its data`() throws {
    try directory.makeDirectory("data/segue")
    let database = try DatabaseQueue(path: indexDirectory.appending("index.sqlite").string)
    try database.write { database in
      try database.execute(
        sql: """
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('loudness');
          CREATE TABLE loudness (path BLOB NOT NULL PRIMARY KEY, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
            loudness REAL, range REAL, true_peak REAL NOT NULL, album_key INTEGER, album_loudness REAL, album_peak REAL)
            WITHOUT ROWID;
          INSERT INTO loudness VALUES (CAST('/a' AS BLOB), 1, 2, -9, 1, 0.5, NULL, NULL, NULL);
          """)
    }
    try database.close()
    #expect(try open().loudness(of: ["/a"])["/a"]?.integrated == -9)
    #expect(try open().warning == nil)
  }

  @Test func `An error for an unwritable directory names the index`() throws {
    try writeFile("data", "a file")
    #expect {
      _ = try open()
    } throws: {
      "\($0)".contains("cannot use the library index ") && "\($0)".contains("data/segue/index.sqlite: ")
    }
  }

  @Test func `Concurrent writers lose nothing`() throws {
    let path = try writeFile("a.flac")
    let value = try measurement(of: path)
    let failures = Watched<[String]>([])
    let indexDirectory = indexDirectory
    let workers = try (0..<4).map { worker in
      try WorkerThread(name: "index-\(worker)") {
        do {
          let index = try LibraryIndex(directory: indexDirectory)
          for number in 0..<20 {
            var value = value
            value.path = FilePath("/\(worker)/\(number)")
            try index.store([value])
          }
        } catch { failures.change { $0.append("\(error)") } }
      }
    }
    for worker in workers {
      #expect(worker.join(until: MonotonicInstant.now.advanced(byMilliseconds: 60_000)))
    }
    #expect(failures.value.isEmpty)
    let paths = (0..<4).flatMap { worker in (0..<20).map { FilePath("/\(worker)/\($0)") } }
    #expect(try open().loudness(of: paths).count == 80)
  }
}
