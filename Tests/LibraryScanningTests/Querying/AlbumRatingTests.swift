// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel

/// The ratings of whole albums.
@Suite struct AlbumRatingTests {
  private let rig: ScanRig
  private var library: IndexedLibrary { rig.library() }

  init() throws {
    rig = try ScanRig()
    for number in 1...4 { try rig.add("a/\(number).flac", album: "A", number) }
    for number in 1...3 { try rig.add("b/\(number).flac", album: "B", number) }
    try rig.scan()
  }

  private func id(_ name: String) throws -> Int64 {
    try #require(try library.browse { try $0.track(FilePath(name), segment: -1) } ?? nil)
  }

  private func rate(_ name: String, _ value: String) throws {
    try library.set(Sticker(name: Sticker.albumRating, value: value), of: id(name))
  }

  /// The titles of the tracks with a rating of their album, and the rating.
  private var ratings: [String] {
    get throws {
      try rig.rows(
        "SELECT track.album_title || track.number || '=' || value FROM sticker JOIN track ON track.id = track "
          + "WHERE sticker.name = 'albumRating' ORDER BY 1"
      )
    }
  }

  /// The ratings of the albums as listings show them, by their titles.
  private var shown: [String: Int] {
    get throws {
      let albums = try library.albums(.everything, order: LibraryOrder(), window: .init()).elements
      let marks = try library.marks(ofAlbums: albums.map(\.id))
      return Dictionary(albums.compactMap { album in marks[album.id]?.rating.map { (album.title, $0) } }) { $1 }
    }
  }

  private func titles(_ query: String) throws -> [String] {
    let parser = LibraryQueryParser(today: try #require(ReleaseDate(year: 2026)))
    return try library.albums(parser.parse(query), order: LibraryOrder(.title), window: .init()).elements.map(\.title)
  }

  @Test func `All tracks of an album share its rating, whichever of them it is given to`() throws {
    try rate("a/3.flac", "8")
    #expect(try ratings == ["A1=8", "A2=8", "A3=8", "A4=8"])
    #expect(try titles("albumrating:4..") == ["A"] && titles("albumrating:0") == ["B"])
    // The average of the tracks shows where the album itself is not rated.
    for name in ["a/1.flac", "b/1.flac"] {
      try library.set(Sticker(name: Sticker.rating, value: "2"), of: id(name))
    }
    #expect(try shown == ["A": 8, "B": 2])
    try library.change(Sticker.albumRating, of: .track(try id("a/1.flac")), by: 1, initial: 1)
    #expect(try ratings.allSatisfy { $0.hasSuffix("=9") } && ratings.count == 4)
    #expect(try library.removeSticker(Sticker.albumRating, of: id("a/2.flac")))
    #expect(try ratings == [] && shown == ["A": 2, "B": 2])
  }

  @Test func `The rating follows the tracks of the album to another place and name, and new tracks get it`() throws {
    try rate("a/1.flac", "8")
    for number in 1...4 { try rig.move("a/\(number).flac", to: "c/\(number).flac") }
    try rig.scan()
    #expect(try ratings == ["A1=8", "A2=8", "A3=8", "A4=8"])
    for number in 1...4 { try rig.add("c/\(number).flac", album: "C", number, padding: 1) }
    try rig.scan()
    #expect(try ratings == ["C1=8", "C2=8", "C3=8", "C4=8"] && shown == ["C": 8])
    for number in 5...8 { try rig.add("c/\(number).flac", album: "C", number) }
    try rig.scan()
    #expect(try ratings.count == 8 && ratings.allSatisfy { $0.hasSuffix("=8") })
    // While the files are missing, the tracks that remain have it, and so have the others again later.
    for number in 1...7 { try rig.move("c/\(number).flac", to: "../away/\(number).flac") }
    try rig.scan()
    #expect(try shown == ["C": 8])
    for number in 1...7 { try rig.move("../away/\(number).flac", to: "d/\(number).flac") }
    try rig.scan()
    #expect(try ratings.count == 8 && shown == ["C": 8])
  }

  @Test func `A track that comes from another album does not bring its rating along`() throws {
    try rate("a/1.flac", "8")
    try rig.add("b/4.flac", album: "B", 4)
    try rig.scan()
    // One of five tracks has it.
    try rig.add("a/4.flac", album: "B", 5, padding: 1)
    try rig.scan()
    #expect(try ratings == ["A1=8", "A2=8", "A3=8"] && titles("albumrating:1..") == ["A"])
    // Of two albums that become one, the rating of the larger part remains.
    try rate("b/1.flac", "4")
    for number in 1...3 { try rig.add("a/\(number).flac", album: "B", number + 10, padding: 1) }
    try rig.scan()
    #expect(try ratings.count == 8 && ratings.allSatisfy { $0.hasSuffix("=4") })
  }
}
