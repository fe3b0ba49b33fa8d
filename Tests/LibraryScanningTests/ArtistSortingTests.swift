// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import SystemPackage
import Tagging
import Testing

@testable import LibraryIndex
@testable import LibraryScanning

/// The order of artists whose albums do not all state the same sort name.
@Suite struct ArtistSortingTests {
  private let rig: ScanRig

  init() throws {
    rig = try ScanRig()
    for name in ["Bob", "Hal"] { try add(name, artist: name) }
  }

  private func add(_ album: String, artist: String = "Al Green", _ sortNames: [(String, String)] = []) throws {
    let tags = [("TITLE", "t"), ("ALBUM", album), ("ARTIST", artist), ("TRACKNUMBER", "1")] + sortNames
    try rig.add("\(album)/1.flac", tags, padding: sortNames.reduce(0) { $0 + $1.1.utf8.count })
  }

  /// The titles of the albums in the order of artists, and the names of the artists in order.
  private var order: [String] {
    get throws {
      try rig.rows("SELECT title FROM album ORDER BY sort, id") + rig.rows("SELECT name FROM artist ORDER BY sort")
    }
  }

  /// The sort keys of albums and artists, which depend only on the files.
  private var keys: [String] {
    get throws {
      try rig.rows("SELECT title, hex(sort) FROM album ORDER BY title")
        + rig.rows("SELECT key, hex(sort) FROM artist ORDER BY key")
        + rig.rows("SELECT count(*) FROM album WHERE sort_artist_key IS NOT NULL")
    }
  }

  private let underG = ["Bob", "X1", "X2", "Hal", "Bob", "Al Green", "Hal"]
  private let underA = ["X1", "X2", "Bob", "Hal", "Al Green", "Bob", "Hal"]

  @Test(arguments: [
    [("ARTISTSORT", "Green, Al")], [("ALBUMARTIST", "Al Green"), ("ALBUMARTISTSORT", "Green, Al")],
    [("ALBUMARTIST", "Al Green"), ("ARTISTSORT", "Green, Al")],
  ])
  func `A sort name that only one album states counts for all albums of the artist`(
    tags: [(String, String)]
  ) throws {
    try add("X1")
    try add("X2", tags)
    try rig.scan()
    #expect(try order == underG)
    let keys = try keys
    _ = try rig.library().scan(.rereading(.everything), progress: { _ in }, isCancelled: { false })
    try rig.check()
    #expect(try self.keys == keys)
  }

  @Test func `A sort name that is added, changed or removed later moves all albums of the artist`() throws {
    try add("X1")
    try add("X2")
    try rig.scan()
    #expect(try order == underA)
    let unstated = try keys
    try add("X2", [("ARTISTSORT", "Green, Al")])
    try rig.update("X2")
    #expect(try order == underG)
    try add("X2", [("ARTISTSORT", "Zzz, Al")])
    try rig.update("X2")
    #expect(try order == ["Bob", "Hal", "X1", "X2", "Bob", "Hal", "Al Green"])
    try add("X2")
    try rig.update("X2")
    #expect(try keys == unstated)
  }

  @Test func `Removing or retagging the only album that states a sort name moves the others back`() throws {
    try add("X1")
    try add("X2")
    try add("X3", [("ARTISTSORT", "Green, Al")])
    try rig.scan()
    #expect(try order == ["Bob", "X1", "X2", "X3", "Hal", "Bob", "Al Green", "Hal"])
    try add("X3", artist: "Iris", [("ARTISTSORT", "Iris")])
    try rig.update("X3")
    #expect(try order == ["X1", "X2", "Bob", "Hal", "X3", "Al Green", "Bob", "Hal", "Iris"])
    try add("X3", [("ARTISTSORT", "Green, Al")])
    try rig.scan()
    try rig.remove("X3")
    try rig.scan()
    #expect(try order == underA)
  }

  @Test func `The sort name that most albums state counts, or the first one by name`() throws {
    try add("X1", [("ARTISTSORT", "Zzz")])
    try add("X2", [("ARTISTSORT", "Green, Al")])
    try rig.scan()
    #expect(try order == underG)
    try add("X3", [("ARTISTSORT", "Zzz")])
    try rig.update("", recursively: true)
    #expect(try order == ["Bob", "Hal", "X1", "X2", "X3", "Bob", "Hal", "Al Green"])
  }

  @Test func `Albums of a library that an earlier scan left apart are brought together`() throws {
    try add("X1")
    try rig.scan()
    let natural = try rig.rows("SELECT hex(sort) FROM album WHERE title = 'X1'")[0]
    try add("X2", [("ARTISTSORT", "Green, Al")])
    try rig.scan()
    let keys = try keys
    try rig.index.write {
      try $0.execute(sql: "UPDATE album SET sort = x'\(natural)', checksum = NULL WHERE title = 'X1'")
    }
    #expect(try order != underG)
    try rig.scan()
    #expect(try self.keys == keys)
  }

  @Test func `A sort name counts for the albums of the artist in all directories of the library`() throws {
    try add("x/X1")
    try add("y/X2")
    let roots = LibraryRoots(rig.root.appending("x"), [rig.root.appending("y")])
    let library = IndexedLibrary(index: rig.index, roots: roots)
    func scan() throws -> [String] {
      _ = try library.scan(progress: { _ in }, isCancelled: { false })
      try rig.check()
      return try keys
    }
    let unstated = try scan()
    try add("y/X2", [("ARTISTSORT", "Green, Al")])
    let stated = try scan()
    let artists = "SELECT count(DISTINCT substr(sort, 1, instr(sort, x'00'))) FROM album"
    #expect(try stated != unstated && rig.rows(artists) == ["1"])
    #expect(try scan() == stated)
    try add("y/X2")
    #expect(try scan() == unstated)
  }
}
