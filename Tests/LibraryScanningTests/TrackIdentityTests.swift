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

/// What is known of a track follows its sound, wherever its file goes and whatever its tags say.
struct TrackIdentityTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  /// Writes a FLAC file whose samples have an MD5 that depends on `sound`.
  private func write(_ name: String, sound: Int, title: String, artist: String = "A", album: String = "B") throws {
    var bytes = SoundBytes.flac([("TITLE", title), ("ARTIST", artist), ("ALBUM", album)])
    withUnsafeBytes(of: UInt64(sound).littleEndian) { bytes.replaceSubrange(26..<34, with: $0) }
    bytes[41] = 1
    try rig.directory.write(bytes + [0], to: FilePath("music").pushing(FilePath(name)))
  }

  func rate(_ title: String, _ rating: String) throws {
    let id = try #require(try rig.ids[title].flatMap { Int64($0) })
    try rig.library().set(Sticker(name: Sticker.rating, value: rating), of: id)
  }

  /// The ratings of the tracks in the library, by their titles.
  var ratings: [String: String] {
    get throws {
      let rows = try rig.rows(
        "SELECT title, value FROM track JOIN sticker ON track = track.id WHERE sticker.name = 'rating'")
      return Dictionary(
        uniqueKeysWithValues: rows.map { row in
          let parts = row.split(separator: " ")
          return (String(parts[0]), String(parts[1]))
        })
    }
  }

  @Test func `A file that is retagged and moved in one step keeps its rating and its date`() throws {
    try write("a/1.flac", sound: 1, title: "Old")
    try rig.scan()
    try rate("Old", "8")
    let before = try rig.rows("SELECT id, added FROM track")
    try rig.remove("a/1.flac")
    try write("b/c/01 new.flac", sound: 1, title: "New", artist: "C", album: "D")
    let summary = try rig.scan()
    #expect(summary.movedCount == 1 && summary.addedCount == 0 && summary.missingCount == 0)
    #expect(try ratings == ["New": "8"] && rig.rows("SELECT id, added FROM track") == before)
  }

  @Test func `What is known of a missing file is remembered until it returns, at its place or elsewhere`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("One", "8")
    try rate("Two", "6")
    try rig.move("a", to: "../aside")
    #expect(try rig.scan().missingCount == 2)
    #expect(try ratings.isEmpty)
    try write("else/3.flac", sound: 3, title: "Three")
    try rig.scan()
    try rig.move("../aside/1.flac", to: "a/1.flac")
    #expect(try rig.scan().addedCount == 1)
    #expect(try ratings == ["One": "8"])
    try rig.move("../aside/2.flac", to: "new/other.flac")
    let summary = try rig.scan()
    #expect(summary.movedCount == 1 && summary.addedCount == 0)
    #expect(try ratings == ["One": "8", "Two": "6"])
    #expect(try rig.rows("SELECT count(*) FROM missing_track") == ["0"])
  }

  @Test(arguments: [true, false]) func `A copy takes over when the original is removed`(isLive: Bool) throws {
    try write("a/1.flac", sound: 1, title: "One")
    try rig.scan()
    try rate("One", "8")
    try rig.directory.makeDirectory("music/b")
    try rig.root.pushing("a/1.flac").copy(to: rig.root.pushing("b/1.flac"))
    if isLive { try rig.update("b") } else { try rig.scan() }
    #expect(try rig.rows("SELECT count(*) FROM track") == ["2"])
    try rig.remove("a/1.flac")
    if isLive { try rig.update("a") } else { try rig.scan() }
    #expect(try rig.rows("SELECT path FROM directory JOIN track ON directory = directory.id") == ["b"])
    #expect(try ratings == ["One": "8"])
  }

  @Test func `A new file in an old place is a new track, and one that is encoded again is not`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("One", "8")
    try rate("Two", "6")
    try write("a/1.flac", sound: 11, title: "Eleven")
    try write("a/2.flac", sound: 22, title: "Two")
    try rig.scan()
    #expect(try ratings == ["Two": "6"])
    // What was there before is still known.
    try write("b/1.flac", sound: 1, title: "One")
    try rig.scan()
    #expect(try ratings == ["One": "8", "Two": "6"])
  }

  @Test func `Files that swap their names and are retagged keep their ratings, and queues can follow`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("One", "8")
    try write("a/1.flac", sound: 2, title: "Second")
    try write("a/2.flac", sound: 1, title: "First")
    try rig.scan()
    #expect(try ratings == ["First": "8"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    let (one, two) = (rig.root.pushing("a/1.flac"), rig.root.pushing("a/2.flac"))
    #expect(moves.present(one) == two && moves.present(two) == one)
    #expect(MoveSource(directory: rig.directory["data"]).moves(since: moves.lastScan).isEmpty)
  }

  @Test func `A plain swap of names is two moves`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rig.move("a/1.flac", to: "a/x.flac")
    try rig.move("a/2.flac", to: "a/1.flac")
    try rig.move("a/x.flac", to: "a/2.flac")
    #expect(try rig.scan().movedCount == 2)
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    let (one, two) = (rig.root.pushing("a/1.flac"), rig.root.pushing("a/2.flac"))
    #expect(moves.present(one) == two && moves.present(two) == one)
  }

  @Test func `Of two missing tracks with the same sound, neither gives its rating to a copy`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("b/1.flac", sound: 1, title: "Two")
    try rig.scan()
    try rate("One", "8")
    try rate("Two", "6")
    try rig.remove("a/1.flac")
    try rig.remove("b/1.flac")
    try write("c/1.flac", sound: 1, title: "Three")
    try rig.scan()
    #expect(try ratings.isEmpty)
    #expect(try rig.rows("SELECT value FROM sticker ORDER BY value") == ["6", "8"])
  }

  @Test func `Between two equal candidates nothing is guessed`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try rig.scan()
    try rate("One", "8")
    try rig.remove("a/1.flac")
    try write("b/x.flac", sound: 1, title: "X")
    try write("b/y.flac", sound: 1, title: "Y")
    let summary = try rig.scan()
    #expect(summary.addedCount == 2 && summary.missingCount == 1)
    #expect(try ratings.isEmpty)
    // As soon as there is only one, there is no doubt.
    try rig.remove("b/y.flac")
    try write("a/1.flac", sound: 1, title: "One")
    try rig.scan()
    #expect(try ratings == ["One": "8"])
  }

  @Test func `A file that cannot be read for a while keeps its rating`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try rig.scan()
    try rate("One", "8")
    try rig.directory.write(Array("<html>".utf8), to: "music/a/1.flac")
    let summary = try rig.library().scan(progress: { _ in }, isCancelled: { false })
    #expect(summary.missingCount == 1 || summary.changedCount == 1)
    try write("a/1.flac", sound: 1, title: "One")
    try rig.scan()
    #expect(try ratings == ["One": "8"])
  }

  @Test func `A library whose directory is renamed keeps what is known`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("One", "8")
    let added = try rig.rows("SELECT added FROM track WHERE title = 'One'")
    try AtomicFile.move(rig.root, to: rig.directory["renamed"])
    _ = try rig.library(rig.directory["renamed"]).scan(progress: { _ in }, isCancelled: { false })
    let rows = try rig.rows(
      """
      SELECT value, added FROM track JOIN sticker ON track = track.id JOIN library ON library.id = library
      WHERE root = CAST('\(rig.directory["renamed"].string)' AS BLOB)
      """)
    #expect(rows == ["8 \(added[0])"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(rig.root.pushing("a/2.flac")) == rig.directory["renamed"].pushing("a/2.flac"))
  }

  @Test(arguments: [true, false])
  func `A file that is moved from one directory of the library to another keeps its rating`(isForward: Bool) throws {
    let (former, present) = isForward ? ("music", "other") : ("other", "music")
    try rig.directory.makeDirectory("other")
    try write("../\(former)/a/1.flac", sound: 1, title: "One")
    let library = IndexedLibrary(
      index: rig.index, roots: LibraryRoots(rig.root, [rig.directory["other"]]), probe: nil, threadCount: 2)
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    try rate("One", "8")
    try rig.move("../\(former)/a/1.flac", to: "../\(present)/b/1.flac")
    _ = try library.scan(progress: { _ in }, isCancelled: { false })
    #expect(try ratings == ["One": "8"] && rig.rows("SELECT count(*) FROM track") == ["1"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(
      moves.present(rig.directory["\(former)/a/1.flac"]) == rig.directory["\(present)/b/1.flac"])
  }

  @Test func `Saved playlists follow moved files, and keep everything else`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    let text = { (one: String, two: String) in
      "#EXTM3U\r\n# mine\r\n#EXTX-OTHER:1\r\n#EXTINF:2,A - One\r\n\(one)\r\n\(two)\r\nmissing.flac\r\n"
    }
    let list = "music/Playlists/list.m3u8"
    try rig.directory.write(Array(text("../a/1.flac", "\(rig.root)/a/2.flac").utf8), to: FilePath(list))
    try rig.scan()
    try rig.move("a/1.flac", to: "b/new.flac")
    try rig.remove("a/2.flac")
    try write("b/2.flac", sound: 2, title: "Second")
    try rig.scan()
    let contents = { String(decoding: try Data(contentsOf: URL(filePath: rig.directory[list].string)), as: UTF8.self) }
    let lines = try contents().split(separator: "\r\n")
    #expect(lines[..<4] == ["#EXTM3U", "# mine", "#EXTX-OTHER:1", "#EXTINF:2,A - One"])
    for (line, name) in zip(lines[4..<6], ["b/new.flac", "b/2.flac"]) {
      #expect(
        rig.root.pushing("Playlists").pushing(FilePath(String(line))).lexicallyNormalized()
          == rig.root.pushing(FilePath(name)))
    }
    #expect(lines[6...] == ["missing.flac"])
  }

  @Test func `What is missing for a year is forgotten`() throws {
    try write("a/1.flac", sound: 1, title: "One")
    try write("a/2.flac", sound: 2, title: "Two")
    try rig.scan()
    try rate("One", "8")
    try rate("Two", "6")
    for name in ["a/1.flac", "a/2.flac"] { try rig.remove(name) }
    try rig.scan()
    try DatabaseQueue(path: rig.index.path.string).write { database in
      try database.execute(
        sql: "UPDATE missing_track SET since = since - ? WHERE path = CAST('a/1.flac' AS BLOB)",
        arguments: [IdentityTables.memory + 1])
    }
    try rig.scan()
    #expect(try rig.rows("SELECT value FROM sticker") == ["6"])
    #expect(try rig.rows("SELECT path FROM missing_track") == ["a/2.flac"])
  }
}

/// Ten thousand random changes of a library, between which nothing is known of a track that belongs to another.
struct IdentityModelTests {
  /// A file: a piece of music, and the version of its tags.
  private struct File {
    var piece: Int
    var version: Int
  }

  @Test func `No track ever gets the rating of another`() throws {
    let rig = try ScanRig()
    var random = SeededGenerator(seed: 45)
    var files: [String: File] = [:]
    var aside: [File] = []
    var pieceCount = 0
    var nameCount = 0

    func newName() -> String {
      nameCount += 1
      return "\(Int.random(in: 0..<5, using: &random))/\(nameCount % 40).flac"
    }
    func write(_ name: String) throws {
      guard let file = files[name] else { return }
      let title = "P\(file.piece)v\(file.version)"
      var bytes = SoundBytes.flac([("TITLE", title), ("ARTIST", "A\(file.piece)"), ("ALBUM", "B\(file.piece % 60)")])
      withUnsafeBytes(of: UInt64(file.piece).littleEndian) { bytes.replaceSubrange(26..<34, with: $0) }
      bytes[41] = 1
      try rig.directory.write(bytes + [0], to: FilePath("music").pushing(FilePath(name)))
    }
    func put(_ file: File, _ name: String) throws {
      files[name] = file
      try write(name)
    }
    func remove(_ name: String) throws -> File? {
      if files[name] != nil { try rig.remove(name) }
      return files.removeValue(forKey: name)
    }
    func change() throws {
      guard let name = files.keys.sorted().randomElement(using: &random), let file = files[name] else {
        pieceCount += 1
        return try put(File(piece: pieceCount, version: 0), newName())
      }
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        pieceCount += 1
        try put(File(piece: pieceCount, version: 0), Bool.random(using: &random) ? name : newName())
      case 2:
        let target = newName()
        guard files[target] == nil else { return }
        try rig.move(name, to: target)
        files[target] = files.removeValue(forKey: name)
      case 3: try put(File(piece: file.piece, version: file.version + 1), name)
      case 4:
        let target = newName()
        guard files[target] == nil else { return }
        _ = try remove(name)
        try put(File(piece: file.piece, version: file.version + 1), target)
      case 5: try put(file, newName())
      case 6: _ = try remove(name)
      case 7:
        let target = files.keys.sorted().randomElement(using: &random) ?? name
        guard let other = files[target] else { return }
        try put(other, name)
        try put(file, target)
      default:
        if let file = try remove(name) { aside.append(file) }
        if aside.count > 5 { try put(aside.removeFirst(), newName()) }
      }
    }

    try rig.scan()
    var (keptCount, trackCount) = (0, 0)
    var rated: Set<Int> = []
    for step in 1...10_000 {
      try change()
      guard step % 10 == 0 || Int.random(in: 0..<30, using: &random) == 0 else { continue }
      if Int.random(in: 0..<5, using: &random) == 0 {
        try rig.scanInterrupted()
        try change()
      }
      _ = try rig.library().scan(progress: { _ in }, isCancelled: { false })
      let rows = try rig.rows(
        """
        SELECT track.id, artists, coalesce(value, 'none') FROM track
        LEFT JOIN sticker ON track = track.id AND sticker.name = 'rating'
        """)
      try #require(rows.count == files.count, "after \(step) changes")
      for row in rows {
        let parts = row.split(separator: " ")
        let piece = try #require(Int(parts[1].dropFirst()))
        if parts[2] != "none" { try #require(parts[2] == "\(piece)", "\(row) after \(step) changes") }
        if rated.contains(piece) {
          trackCount += 1
          keptCount += parts[2] == "none" ? 0 : 1
        } else {
          rated.insert(piece)
          let id = try #require(Int64(parts[0]))
          try rig.library().set(Sticker(name: Sticker.rating, value: "\(piece)"), of: id)
        }
      }
    }
    // Copies have no ratings of their own, so not all tracks have one.
    #expect(keptCount * 10 > trackCount * 7, "\(keptCount) of \(trackCount)")
    try rig.check()
  }
}

private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 33
  }
}
