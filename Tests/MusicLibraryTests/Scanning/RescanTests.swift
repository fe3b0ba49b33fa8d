import SystemPackage
import TestSupport
import Testing

@testable import MusicLibrary
@testable import MusicModel

/// What who asks sees while all files are read anew.
struct RescanTests {
  let rig: ScanRig
  /// Who asks, by a connection of its own.
  let reader: IndexedLibrary

  init() throws {
    rig = try ScanRig()
    reader = IndexedLibrary(
      index: try LibraryIndex(directory: rig.directory["data"]), roots: LibraryRoots(rig.root))
  }

  /// Albums of many tracks: in one directory, in two, in many, and one whose numbers are in the names of its files.
  private func addLibrary(album: String = "Old", title: String = "T", only: String? = nil) throws {
    func add(_ name: String, _ tags: [(String, String)]) throws {
      if let only, !name.hasPrefix(only) { return }
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

  /// The albums, each with how many tracks it says it has; every track is in one of them, and found every way.
  private func look(_ location: SourceLocation = #_sourceLocation) throws -> [String] {
    let tracks = try reader.tracks(.everything, order: LibraryOrder(.album), window: .init()).elements
    #expect(tracks.count == 340, sourceLocation: location)
    let found = try reader.tracks(
      .text(.title, TextPattern("x", kind: .words)), order: LibraryOrder(.title), window: .init())
    #expect(found.elements.count == 70, sourceLocation: location)
    let artist = try reader.tracks(
      .text(.artist, TextPattern("a", kind: .exact)), order: LibraryOrder(.added), window: .init())
    #expect(artist.elements.count == 150, sourceLocation: location)
    var told = 0
    _ = try reader.browse { browser in
      for directory in ["big", "set/CD1", "set/CD2", "names"] + (0...15).map({ "over/\($0)" }) {
        try browser.listSortedTracks(in: FilePath(directory)) { _ in told += 1 }
      }
    }
    #expect(told == 340, sourceLocation: location)
    let counts = Dictionary(grouping: tracks) { $0.albumID }.mapValues(\.count)
    let albums = try reader.albums(.everything, order: LibraryOrder(.album), window: .init()).elements
    for album in albums {
      #expect(counts[album.id] == album.trackCount, "\(album.title)", sourceLocation: location)
    }
    #expect(counts.count == albums.count, sourceLocation: location)
    let named = try reader.artists(.everything, window: .init()).elements
    #expect(
      named.allSatisfy { $0.trackCount > 0 && $0.albumCount > 0 }, "\(named)", sourceLocation: location)
    return albums.map { "\($0.title): \($0.trackCount)" }
  }

  @Test func `While files are read that are as they were, all is as it was`() throws {
    try addLibrary()
    try rig.scan()
    let before = try look()
    #expect(before.sorted() == ["All over: 60", "Old: 150", "Set Old: 60", "names: 70"])
    let rows = try rig.rows("SELECT * FROM track") + rig.rows("SELECT * FROM album")
    var count = 0
    let summary = try SteppedRescan(rig: rig, partSize: 40).run { () throws in
      count += 1
      #expect(try look() == before)
    }
    #expect(count > 10)
    #expect(summary.changedCount == 0 && summary.unchangedCount == 340)
    #expect(try rig.rows("SELECT * FROM track") + rig.rows("SELECT * FROM album") == rows)
    try rig.check()
  }

  @Test(arguments: [20, 64])
  func `While files are read whose tags have changed, each album is as it was or as it will be`(
    partSize: Int
  ) throws {
    try addLibrary()
    try rig.scan()
    let before = Set(try look())
    let ids = try rig.rows("SELECT id FROM track ORDER BY id")
    try addLibrary(album: "New")
    let expected = try ScanRig()
    _ = try expected.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
    let after: Set = ["All over: 60", "New: 150", "Set New: 60", "names: 70"]
    _ = try SteppedRescan(rig: rig, partSize: partSize).run { () throws in
      #expect(Set(try look()).isSubset(of: before.union(after)))
    }
    #expect(Set(try look()) == after)
    #expect(try rig.rows("SELECT id FROM track ORDER BY id") == ids)
    #expect(try rig.contents == expected.contents)
    try rig.check()
  }

  @Test func `An album of which a part has changed is divided when everything is read`() throws {
    try addLibrary()
    try rig.scan()
    let before = try look()
    try addLibrary(album: "New", only: "big/1")
    try addLibrary(album: "New", only: "over/3")
    let expected = try ScanRig()
    _ = try expected.library(rig.root).scan(progress: { _ in }, isCancelled: { false })
    var seen: [[String]] = []
    _ = try SteppedRescan(rig: rig, partSize: 30).run { seen.append(try look()) }
    #expect(seen.dropLast().allSatisfy { $0 == before })
    #expect(seen.last?.contains("New: 62") == true, "\(seen.last ?? [])")
    #expect(try rig.contents == expected.contents)
    try rig.check()
  }
}
