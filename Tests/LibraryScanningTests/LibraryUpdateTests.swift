// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import MusicModel

struct LibraryUpdateTests {
  let rig: ScanRig

  init() throws {
    rig = try ScanRig()
    for name in ["a", "b"] {
      for number in 1...2 { try rig.add("\(name)/\(number).flac", album: name, number, artist: name) }
    }
    try rig.scan()
  }

  @Test func `Only the named directories are read`() throws {
    try rig.add("a/3.flac", album: "a", 3, artist: "a")
    try rig.add("b/3.flac", album: "b", 3, artist: "b")
    #expect(try rig.update("a").addedCount == 1)
    #expect(try rig.rows("SELECT title, track_count FROM album ORDER BY title") == ["a 3", "b 2"])
    #expect(try rig.update("", recursively: true).addedCount == 1)
    #expect(try rig.rows("SELECT count(*), (SELECT file_count FROM library) FROM track") == ["6 6"])
  }

  @Test func `New directories are read recursively, and missing ones are removed recursively`()
    throws
  {
    try rig.add("c/deep/1.flac", album: "c", 1)
    #expect(try rig.update("").addedCount == 1)
    try rig.remove("c")
    try rig.remove("b")
    #expect(try rig.update("").missingCount == 3)
    #expect(try rig.rows("SELECT path FROM directory ORDER BY path") == ["", "a"])
    try rig.remove("a")
    #expect(try rig.update("a").missingCount == 2)
  }

  @Test func `A move between two updated directories is recognised`() throws {
    let before = try rig.rows("SELECT id, added FROM track WHERE title = 'T2' AND album_title = 'a'")
    try rig.move("a/2.flac", to: "b/3.flac")
    #expect(try rig.update("a", "b").movedCount == 1)
    #expect(try rig.rows("SELECT id, added FROM track WHERE title = 'T2' AND album_title = 'a'") == before)
    try rig.move("a", to: "z/y")
    #expect(try rig.update("", "a", "z").movedCount == 1)
  }

  @Test func `A new link to a directory causes a full scan`() throws {
    let outside = try TemporaryDirectory()
    try outside.write(SoundBytes.flac([("ALBUM", "Outside")]), to: "1.flac")
    try rig.directory.link("music/a/inside", to: "../b")
    try rig.directory.link("music/a/outside", to: outside.path.string)
    let summary = try rig.update("a")
    #expect(summary.addedCount == 1 && summary.missingCount == 0)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["5"])
    try outside.write(SoundBytes.flac([("ALBUM", "Outside"), ("TITLE", "x")]), to: "2.flac")
    #expect(try rig.update("a/outside").addedCount == 1)
    #expect(try rig.update("a", recursively: true).missingCount == 0)
    #expect(try rig.rows("SELECT count(*) FROM track") == ["6"])
  }

  @Test func `A problem is removed with its file`() throws {
    try rig.directory.write([], to: "music/a/x.flac")
    try rig.directory.write([], to: "music/b/x.flac")
    #expect(try rig.update("a", "b").problemCount == 2)
    try rig.remove("a/x.flac")
    try rig.remove("b/x.flac")
    #expect(try rig.update("a").problemCount == 1)
    #expect(try rig.update("b").problemCount == 0)
  }

  @Test func `If the index cannot be updated, an album consists of its remaining files`() throws {
    let album = try #require(
      try rig.library().albums(.everything, order: .init(), window: .init()).elements.first)
    let tracks = try #require(try rig.library().album(album.id)).tracks
    try #require(tracks.count > 1)
    try AtomicFile.move(tracks[0].path, to: rig.directory["elsewhere"])
    // Prevent scans from taking the lock.
    let lock = rig.directory["data/library-1.lock"]
    try AtomicFile.move(lock, to: rig.directory["lock"])
    try rig.directory.makeDirectory("data/library-1.lock")
    #expect { try rig.library().refresh() } throws: { ($0 as? LibraryError)?.kind == .index }
    let refreshed = try #require(try rig.library().refreshedAlbum(album.id))
    #expect(refreshed.tracks.map(\.path) == tracks.dropFirst().map(\.path))
    for track in tracks.dropFirst() { try AtomicFile.move(track.path, to: rig.directory["elsewhere"]) }
    #expect(try rig.library().refreshedAlbum(album.id) == nil)
  }

  @Test func `Directories outside the library are ignored`() throws {
    let summary = try rig.library().update(directories: ["/", rig.directory.path])
    #expect(summary == ScanSummary())
  }

  @Test(arguments: [
    (0, 1, 1, true), (1, 500, 3, false), (0, 4, 4, false), (1, Int.max, 3, false),
    (Int.max, Int.max, 0, false),
    (4, Int.max - 4, 0, false), (0, 0, 0, true),
  ])
  func `Hits can be read in pages of any size`(offset: Int, limit: Int, count: Int, hasMore: Bool) throws {
    let page = try rig.library().hits("T", among: .everything, window: .init(offset: offset, limit: limit))
    #expect(page.elements.count == count && page.hasMore == hasMore)
  }

  @Test func `A refresh reads the directories whose modification time has changed`() throws {
    let library = rig.library()
    _ = try library.refresh()
    try rig.add("b/9.flac", album: "b", 9, artist: "b")
    try rig.remove("a/1.flac")
    let summary = try #require(try library.refresh())
    #expect(summary.addedCount == 1 && summary.missingCount == 1)
    try rig.check()
    #expect(try rig.library(rig.directory["other"]).refresh() == nil)
  }

  @Test func `Discs that only their titles tell apart stay apart when one of their files changes`() throws {
    func add(_ name: String, _ subtitle: String, _ number: Int, title: String = "t") throws {
      let tags = [("TITLE", title), ("ALBUM", "D"), ("ARTIST", "D"), ("TRACKNUMBER", "\(number)")]
      try rig.add("D/\(name).flac", tags + [("DISCSUBTITLE", subtitle)])
    }
    for number in 1...2 {
      try add("a\(number)", "Live", number)
      try add("b\(number)", "Studio", number)
    }
    func places() throws -> [String] {
      try rig.rows("SELECT name, disc FROM track WHERE album_title = 'D' ORDER BY place")
    }
    func listed() throws -> [String] {
      let library = rig.library()
      let found = try library.browse { browser in
        let sorted = try browser.tracks(browser.trackIDs(in: "D"))
        #expect(try browser.listTracks(in: "D", limit: 10) { _ in } == .unsorted)
        return sorted.map {
          "\($0.track.path.lastComponent?.string ?? "") \($0.track.disc.map { "\($0.number)" } ?? "-")"
        }
      }
      return try #require(found)
    }
    let expected = ["a1.flac -", "a2.flac -", "b1.flac -", "b2.flac -"]
    try rig.update("", recursively: true)
    #expect(try places() == expected)
    #expect(try listed() == expected)
    try add("a2", "Live", 2, title: "changed")
    try rig.update("D")
    #expect(try places() == expected)
    try add("b1", "Live", 0)
    try rig.update("D")
    #expect(try places() == ["b1.flac -", "a1.flac -", "a2.flac -", "b2.flac -"])
  }
}
