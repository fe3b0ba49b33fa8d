// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import Tagging

struct CachedCountsTests {
  private static func tags(_ artist: String, _ album: String, _ number: Int) -> [(String, String)] {
    [
      ("TITLE", "Title \(number)"), ("ARTIST", artist), ("ALBUM", album), ("GENRE", "Jazz"),
      ("TRACKNUMBER", "\(number)"),
    ]
  }

  @Test func `Cached counts stay correct when files are added, removed, or change albums`() throws {
    let directory = try TemporaryDirectory()
    for number in 1...4 {
      try directory.write(SoundBytes.flac(Self.tags("A", "One", number)), to: "lib/one/\(number).flac")
      try directory.write(SoundBytes.flac(Self.tags("B", "Two", number)), to: "lib/two/\(number).flac")
    }
    let index = try LibraryIndex(directory: directory["data"])
    let library = IndexedLibrary(index: index, roots: LibraryRoots(directory["lib"]))
    func scan() throws { _ = try library.scan(progress: { _ in }, isCancelled: { false }) }
    func names() throws -> [NameEntry] {
      try library.artists(.everything, window: .init()).elements
        + library.genres(.everything, window: .init()).elements
    }
    func cacheCounts() throws {
      _ = try index.write { database in
        let library = try Int64.fetchOne(database, sql: "SELECT id FROM library") ?? 0
        for kind in [NameKind.artists, .genres] {
          try NameCounts.complete(nil, kind, library: library, minimumTrackCount: 1, database)
        }
      }
    }
    func entry(_ name: String, _ albums: Int, _ tracks: Int) -> NameEntry {
      NameEntry(name: name, albumCount: albums, trackCount: tracks)
    }
    try scan()
    try cacheCounts()
    #expect(try names() == [entry("A", 1, 4), entry("B", 1, 4), entry("Jazz", 2, 8)])
    // One file is removed, one is added, and one now belongs to another album and artist.
    directory.remove("lib/one/1.flac")
    try directory.write(SoundBytes.flac(Self.tags("B", "Two", 5)), to: "lib/two/5.flac")
    try directory.write(SoundBytes.flac(Self.tags("A", "Three", 1)), to: "lib/two/4.flac")
    try scan()
    #expect(try names() == [entry("A", 2, 4), entry("B", 1, 4), entry("Jazz", 3, 8)])
    try cacheCounts()
    #expect(try names() == [entry("A", 2, 4), entry("B", 1, 4), entry("Jazz", 3, 8)])
  }
}
