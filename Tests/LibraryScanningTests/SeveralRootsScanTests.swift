// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import Playlists
@testable import Tagging

/// Scans of several directories, one after the other, each as a separate library.
@Suite struct SeveralRootsScanTests {
  private let rig: ScanRig
  private let library: IndexedLibrary

  init() throws {
    rig = try ScanRig()
    try rig.add("x/a/1.flac", album: "A", 1)
    try rig.add("y/a/1.flac", album: "A", 2)
    try rig.add("y/b/1.flac", album: "B", 1)
    library = IndexedLibrary(
      index: rig.index, roots: LibraryRoots(rig.root.appending("x"), [rig.root.appending("y")]))
  }

  private func scan() throws -> ScanSummary {
    let summary = try library.scan(progress: { _ in }, isCancelled: { false })
    try rig.check()
    return summary
  }

  private func albums() throws -> [String] {
    try library.albums(.everything, order: LibraryOrder(), window: .init()).elements.map {
      "\($0.title) \($0.trackCount)"
    }
  }

  @Test func `All directories are scanned, reported and queried together, but an album belongs to one`() throws {
    let reports = Watched<[ScanProgress]>([])
    let summary = try library.scan(
      progress: { progress in reports.change { $0.append(progress) } }, isCancelled: { false })
    #expect(summary.addedCount == 3 && summary.problemCount == 0 && summary.absentDirectories.isEmpty)
    #expect(reports.value.last == ScanProgress(seenCount: 3, readCount: 3, totalCount: 3))
    #expect(reports.value.map(\.seenCount) == reports.value.map(\.seenCount).sorted())
    #expect(try albums() == ["A 1", "A 1", "B 1"])
    let isScanned = try library.isScanned
    #expect(isScanned)
    #expect(try scan().unchangedCount == 3)
    // Each is known as a separate library, too, and nothing is read again.
    #expect(
      try rig.library(rig.root.appending("y")).scan(progress: { _ in }, isCancelled: { false }).unchangedCount
        == 2)
  }

  @Test func `A missing directory is reported, keeps its tracks, and does not stop the others`() throws {
    _ = try scan()
    try rig.move("x", to: "away")
    try rig.add("y/c/1.flac", album: "C", 1)
    let summary = try scan()
    #expect(summary.absentDirectories == [rig.root.appending("x")] && !summary.isAbsent)
    #expect(summary.addedCount == 1 && summary.missingCount == 0)
    #expect(try albums() == ["A 1", "A 1", "B 1", "C 1"])
    #expect(try rig.rows("SELECT is_absent FROM library ORDER BY root") == ["1", "0"])
    try rig.move("y", to: "away2")
    #expect(try scan().isAbsent)
  }

  @Test func `A directory that never existed need not be scanned, unless all are missing`() throws {
    let missing = rig.root.appending("gone")
    let library = IndexedLibrary(index: rig.index, roots: LibraryRoots(missing, [rig.root.appending("y")]))
    var isScanned = try library.isScanned
    #expect(!isScanned)
    let summary = try library.scan(progress: { _ in }, isCancelled: { false })
    #expect(summary.absentDirectories == [missing] && summary.addedCount == 2)
    isScanned = try library.isScanned
    #expect(isScanned)
    try rig.add("gone/1.flac", album: "D", 1)
    isScanned = try library.isScanned
    #expect(!isScanned)
    let unavailable = IndexedLibrary(
      index: rig.index, roots: LibraryRoots(rig.root.appending("no"), [rig.root.appending("none")]))
    #expect(throws: LibraryError.self) { try unavailable.scan(progress: { _ in }, isCancelled: { false }) }
  }

  @Test func `A directory is updated in its own library, and a refresh covers all`() throws {
    _ = try scan()
    try rig.add("x/n/1.flac", album: "N", 1)
    try rig.add("y/n/1.flac", album: "N", 1)
    #expect(try library.update(directories: [rig.root.pushing("y/n"), "/elsewhere"]).addedCount == 1)
    #expect(try library.update(directories: [rig.root.appending("x")], recursively: true).addedCount == 1)
    try rig.add("x/a/2.flac", album: "A", 2)
    try rig.add("y/b/2.flac", album: "B", 2)
    #expect(try library.refresh()?.addedCount == 2)
    try rig.check()
    #expect(try albums() == ["A 2", "A 1", "B 2", "N 1", "N 1"])
    let scope = ScanScope.rereading(.directories([rig.root.appending("y")]))
    #expect(try library.scan(scope, progress: { _ in }, isCancelled: { false }).unchangedCount == 4)
  }

  @Test func `An album is refreshed in its own directory`() throws {
    _ = try scan()
    for entry in try library.albums(.everything, order: LibraryOrder(), window: .init()).elements {
      let album = try #require(try library.album(entry.id))
      let directory = try #require(album.tracks.first).path.removingLastComponent()
      let bytes = SoundBytes.flac([("TITLE", "New"), ("ALBUM", entry.title), ("ARTIST", "Artist")])
      try rig.directory.write(bytes, to: directory.appending("9.flac"))
      #expect(try library.refreshedAlbum(entry.id)?.tracks.count == 2)
    }
  }

  @Test func `A cancelled scan reads no further directory`() throws {
    let summary = try library.scan(progress: { _ in }, isCancelled: { true })
    #expect(summary.addedCount == 0)
    #expect(try rig.rows("SELECT count(*) FROM library") == ["1"])
  }

  @Test func `A playlist may refer to files in any of the directories, but not outside`() throws {
    _ = try scan()
    let list = try rig.directory.write(
      "../a/1.flac\n../../y/b/1.flac\n../../z.flac\n".utf8, to: "music/x/Playlists/l.m3u8")
    try rig.add("z.flac", album: "Z", 1)
    let loader = PlaylistLoader(reach: library.reach, library: library)
    let loaded = try loader.load(list)
    #expect(loaded.collection.tracks.map(\.album) == ["A", "B"])
    #expect(loaded.problems.map(\.missing) == [.outsideLibrary])
  }

  @Test func `Directories are browsed under their own names`() throws {
    _ = try scan()
    let found = try #require(
      try library.browse { browser in
        try (
          browser.directories(in: "").map(\.path), browser.directories(in: "y").map(\.path),
          browser.trackIDs(in: "").count, browser.trackIDs(in: "y/b").count,
          browser.trackIDs(in: "x/a").count,
          browser.directory("y/b")?.path, browser.directory("z"), browser.target(at: "z"),
          browser.totals().albumCount
        )
      })
    #expect(
      found.0 == ["x", "y"] && found.1 == ["y/a", "y/b"] && found.2 == 0 && found.3 == 1 && found.4 == 1)
    #expect(found.5 == "y/b" && found.6 == nil && found.7 == nil && found.8 == 3)
  }
}
