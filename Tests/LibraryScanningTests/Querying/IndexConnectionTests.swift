// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import Tagging

@Suite struct IndexConnectionTests {
  private static func canOpen(_ path: FilePath) -> Bool { (try? IndexSchema.connectToPresent(path)) != nil }

  @Test func `Only an index with the current schema is opened`() throws {
    let directory = try TemporaryDirectory()
    #expect(!Self.canOpen(directory["index.sqlite"]))
    let path = try LibraryIndex(directory: directory.path).path
    #expect(Self.canOpen(path))
    try DatabaseQueue(path: path.string).writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA user_version = 7")
    }
    #expect(!Self.canOpen(path))
    let damaged = try directory.write([UInt8](repeating: 0x41, count: 8_192), to: "damaged.sqlite")
    #expect(!Self.canOpen(damaged))
  }

  @Test func `A connection sees what others have written since it was opened`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", [("TITLE", "One"), ("ALBUM", "Blue Train"), ("ARTIST", "John Coltrane")])
    try rig.scan()
    let library = IndexedLibrary(
      index: try LibraryIndex(directory: rig.directory["data"]), roots: LibraryRoots(rig.root))
    #expect(try library.isScanned)
    guard case .found(let name) = try library.findAlbum("coltrane/blue train") else {
      Issue.record("not found")
      return
    }
    try rig.add("a/2.flac", [("TITLE", "Two"), ("ALBUM", "Blue Train"), ("ARTIST", "John Coltrane")])
    try rig.scan()
    #expect(try library.album(name.id)?.tracks.map(\.title) == ["One", "Two"])
    // This query reads more than a player does at startup.
    #expect(try library.tracks(.everything, order: .init(), window: .init()).elements.count == 2)
    #expect(try library.album(name.id)?.tracks.count == 2)
  }

  @Test func `A long scan leaves a small write-ahead log, which would be read first after a crash`()
    throws
  {
    let rig = try ScanRig()
    for number in 1...150 {
      try rig.add("\(number).flac", [("TITLE", "Title \(number)"), ("ALBUM", "Album \(number)")])
    }
    try rig.scan()
    let log = rig.index.path.removingLastComponent().appending("index.sqlite-wal")
    #expect(try FileStatus(of: log).size <= 64 * 1024)
    #expect(try FileStatus(of: rig.index.path).size > 128 * 1024)
  }
}
