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

/// The directory of a library gets another name, and later its former one again.
struct LibraryRenamingTests {
  private let rig: ScanRig
  private var names: (first: FilePath, second: FilePath, third: FilePath) {
    (rig.root, rig.directory["second"], rig.directory["third"])
  }

  init() throws {
    rig = try ScanRig()
    for number in 1...6 { try write("a/\(number).flac", sound: number, title: "T\(number)") }
    try scan(rig.root)
  }

  /// Writes a FLAC file whose samples have an MD5 that depends on `sound`, below a directory of the library.
  private func write(_ name: String, in directory: String = "music", sound: Int, title: String) throws {
    var bytes = SoundBytes.flac([("TITLE", title), ("ARTIST", "A"), ("ALBUM", "B")])
    withUnsafeBytes(of: UInt64(sound).littleEndian) { bytes.replaceSubrange(26..<34, with: $0) }
    bytes[41] = 1
    try rig.directory.write(bytes + [0], to: FilePath(directory).pushing(FilePath(name)))
  }

  @discardableResult
  private func scan(_ root: FilePath) throws -> ScanSummary {
    let summary = try rig.library(root).scan(progress: { _ in }, isCancelled: { false })
    try rig.check()
    return summary
  }

  /// Renames the library's directory, and scans it under its new name.
  @discardableResult
  private func rename(_ former: FilePath, to present: FilePath) throws -> ScanSummary {
    try AtomicFile.move(former, to: present)
    return try scan(present)
  }

  private func id(_ name: String, in root: FilePath) throws -> Int64 {
    let found = try rig.library(root).browse { try $0.track(FilePath(name), segment: -1) }
    return try #require(found ?? nil)
  }

  private func rate(_ name: String, _ rating: String?, in root: FilePath) throws {
    let track = try id(name, in: root)
    guard let rating else {
      _ = try rig.library(root).removeSticker(Sticker.rating, of: track)
      return
    }
    try rig.library(root).set(Sticker(name: Sticker.rating, value: rating), of: track)
  }

  /// The stickers of the tracks in a library, by the paths of their files.
  private func stickers(_ root: FilePath) throws -> [String] {
    try rig.rows(
      """
      SELECT directory.path || '/' || track.name, sticker.name, value
      FROM sticker JOIN track ON track.id = sticker.track
      JOIN directory ON directory.id = directory JOIN library ON library.id = track.library
      WHERE root = CAST('\(root.string)' AS BLOB) ORDER BY 1, 2
      """
    ).filter { !$0.contains(Sticker.lastPlayed) }
  }

  private func added(_ root: FilePath) throws -> [String] {
    try rig.rows(
      """
      SELECT title, added FROM track JOIN library ON library.id = library
      WHERE root = CAST('\(root.string)' AS BLOB) ORDER BY title
      """)
  }

  @Test func `A directory that gets its former name back keeps what has changed in between`() throws {
    let (first, second, _) = names
    try rate("a/1.flac", "8", in: first)
    try rate("a/2.flac", "6", in: first)
    try rig.index.write { database in
      for checksum in [RowChecksum.track, .album] {
        try database.execute(sql: "UPDATE \(checksum.table) SET \(checksum.assignments(["added": "1000"]))")
      }
    }
    let dates = try added(first)
    try rename(first, to: second)
    try rate("a/1.flac", "10", in: second)
    try rate("a/2.flac", nil, in: second)
    try rate("a/3.flac", "4", in: second)
    #expect(try rig.library(second).count(.play, of: second.pushing("a/4.flac"), at: 1_700_000_000))
    let played = second.pushing("a/4.flac")
    try rig.index.store([
      StoredLoudness(
        path: played, status: FileStatus(of: played), integrated: -9, range: 1, truePeak: 0.5,
        sound: MeasuredSound(threshold: -58.5, sampleRate: 48_000, from: 3, to: 5, of: 7))
    ])
    // Under that name, a file is moved, and another is added.
    try rig.directory.makeDirectory("second/b")
    try AtomicFile.move(second.pushing("a/3.flac"), to: second.pushing("b/moved.flac"))
    try write("a/7.flac", in: "second", sound: 7, title: "T7")
    try scan(second)
    try rate("a/7.flac", "2", in: second)
    let before = try stickers(second)

    let summary = try rename(second, to: first)
    #expect(summary.addedCount == 0 && summary.missingCount == 0 && summary.unchangedCount == 7)
    #expect(try stickers(first) == before)
    #expect(
      before == ["a/1.flac rating 10", "a/4.flac \(Sticker.playCount) 1", "a/7.flac rating 2", "b/moved.flac rating 4"])
    #expect(try added(first).prefix(6) == dates[...] && dates.first == "T1 1000")
    let present = first.pushing("a/4.flac")
    #expect(try rig.index.loudness(of: [present])[present]?.integrated == -9)
    #expect(try rig.index.loudness(of: [present])[present]?.sound?.frameCount == 7)
    #expect(try rig.rows("SELECT count(*) FROM carried") == ["0"])
    // A queue follows whenever it was stored.
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(first.pushing("a/1.flac")) == first.pushing("a/1.flac"))
    #expect(moves.present(first.pushing("a/3.flac")) == first.pushing("b/moved.flac"))
    #expect(moves.present(second.pushing("a/7.flac")) == first.pushing("a/7.flac"))
    // Nothing is taken back twice.
    try rate("a/1.flac", "2", in: first)
    #expect(try scan(first).unchangedCount == 7)
    #expect(try stickers(first).first == "a/1.flac rating 2")
  }

  @Test func `A directory may be renamed again and again, by way of other names`() throws {
    let (first, second, third) = names
    var present = first
    for (count, name) in [second, third, first, second, first, third, second, first].enumerated() {
      let before = try stickers(present)
      try rename(present, to: name)
      present = name
      #expect(try stickers(name) == before, "\(count)")
      let file = "a/\(count % 6 + 1).flac"
      try rate(file, count % 3 == 2 ? nil : "\(count + 1)", in: name)
    }
    #expect(try rig.rows("SELECT count(*) FROM library") == ["3"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    for root in [first, second, third] { #expect(moves.present(root.pushing("a/1.flac")) == first.pushing("a/1.flac")) }
  }

  @Test func `A directory that is renamed back before it was scanned, or in the middle of a scan, loses nothing`()
    throws
  {
    let (first, second, _) = names
    try rate("a/1.flac", "8", in: first)
    try AtomicFile.move(first, to: second)
    _ = try rig.library(second).scan(progress: { _ in }, isCancelled: { true })
    try rename(second, to: first)
    #expect(try stickers(first) == ["a/1.flac rating 8"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(first.pushing("a/1.flac")) == first.pushing("a/1.flac"))
    #expect(moves.present(second.pushing("a/1.flac")) == first.pushing("a/1.flac"))
  }

  @Test func `A command that only looks for changed directories takes back what has changed, too`() throws {
    let (first, second, _) = names
    try rename(first, to: second)
    try rate("a/1.flac", "10", in: second)
    try AtomicFile.move(second, to: first)
    _ = try rig.library(first).refresh()
    #expect(try stickers(first) == ["a/1.flac rating 10"])
  }

  @Test func `A library and its copy are two libraries as soon as both are there`() throws {
    let (first, second, _) = names
    try rate("a/1.flac", "8", in: first)
    // The first one is away for a while, and the second one is a copy of it.
    try AtomicFile.move(first, to: rig.directory["away"])
    try FileManager.default.copyItem(atPath: rig.directory["away"].string, toPath: second.string)
    try scan(second)
    try rate("a/1.flac", "2", in: second)
    try AtomicFile.move(rig.directory["away"], to: first)
    try scan(first)
    #expect(try stickers(first) == ["a/1.flac rating 8"])
    try FileManager.default.removeItem(atPath: second.string)
    try scan(first)
    #expect(try stickers(first) == ["a/1.flac rating 8"])
  }

  @Test func `Other music under the former name is another library`() throws {
    let (first, second, _) = names
    try rename(first, to: second)
    try rate("a/1.flac", "10", in: second)
    try AtomicFile.move(second, to: rig.directory["away"])
    for number in 1...6 { try write("a/\(number).flac", sound: number + 20, title: "Something else \(number)") }
    try scan(first)
    #expect(try stickers(first).isEmpty)
    try AtomicFile.move(rig.directory["away"], to: second)
    try scan(second)
    #expect(try stickers(second) == ["a/1.flac rating 10"])
  }

  @Test func `A file that is retagged while the directory is renamed keeps its rating`() throws {
    let (first, second, _) = names
    try rate("a/1.flac", "8", in: first)
    try rate("a/2.flac", "6", in: first)
    try AtomicFile.move(first, to: second)
    try write("a/1.flac", in: "second", sound: 1, title: "A much longer title")
    try rig.directory.makeDirectory("second/b")
    try AtomicFile.move(second.pushing("a/2.flac"), to: second.pushing("b/2.flac"))
    try scan(second)
    #expect(try stickers(second) == ["a/1.flac rating 8", "b/2.flac rating 6"])
    let moves = MoveSource(directory: rig.directory["data"]).moves(since: 0)
    #expect(moves.present(first.pushing("a/2.flac")) == second.pushing("b/2.flac"))
  }

  @Test func `Playlists in the library follow each move once, whatever the name of the directory is`() throws {
    let (first, second, _) = names
    let list = { (root: FilePath) in root.pushing("Playlists/list.m3u8") }
    try rig.directory.write(
      Array("../a/1.flac\n../a/2.flac\n\(first)/a/3.flac\n".utf8), to: "music/Playlists/list.m3u8")
    try scan(first)
    try rename(first, to: second)
    for (former, present) in [("1", "x"), ("2", "1"), ("x", "2")] {
      try AtomicFile.move(
        second.pushing(FilePath("a/\(former).flac")), to: second.pushing(FilePath("a/\(present).flac")))
    }
    try scan(second)
    try rename(second, to: first)
    let text = String(decoding: try contents(of: list(first)), as: UTF8.self)
    let lines = text.split(separator: "\n").map {
      first.pushing("Playlists").pushing(FilePath(String($0))).lexicallyNormalized()
    }
    #expect(lines == ["a/2.flac", "a/1.flac", "a/3.flac"].map { first.pushing(FilePath($0)) }, "\(text)")
  }
}
