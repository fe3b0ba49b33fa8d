// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import LibraryScanning
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import MusicModel

struct LibraryScanTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  @Test func `The index contains everything from the tags`() throws {
    try rig.add(
      "Album/CD2/01 x.flac",
      [
        ("TITLE", "Blå Train"), ("ARTIST", "Miles Davis"), ("ARTIST", "John\u{1F}Coltrane"),
        ("ALBUM", "Kind"),
        ("ALBUMARTIST", "Miles Davis"), ("GENRE", "Jazz"), ("GENRE", "Hard Bop"), ("COMPOSER", "A"),
        ("COMPOSER", "B"), ("TRACKNUMBER", "3/9"), ("DATE", "1959-08"), ("COMPILATION", "0"),
        ("ARTISTSORT", "Davis, Miles"), ("REPLAYGAIN_TRACK_GAIN", "-7.5 dB"),
        ("MUSICBRAINZ_ALBUMID", "A1B2C3D4-0000-1111-2222-333344445555"), ("MOOD", "blue \"and\\\u{7}"),
        ("MOOD", "calm"), ("LYRICS", String(repeating: "x", count: 70_000)),
      ])
    let summary = try rig.scan()
    #expect(summary.addedCount == 1 && summary.problemCount == 0 && summary.hasChanged)
    let row = try rig.rows(
      """
      SELECT title, artists, album_title, album_artists, genres, composers, number, number_total, disc, disc_total, year,
        month, day, is_compilation, sort_artist, track_gain, release, duration, rate, channels, bits, format, tags, title_key
      FROM track
      """)
    #expect(
      row == [
        "Blå Train Miles Davis|John Coltrane Kind Miles Davis Jazz|Hard Bop A|B 3 9 2 - 1959 8 - 0 Davis, Miles -7.5 "
          + "a1b2c3d4-0000-1111-2222-333344445555 2000 44100 2 16 flac "
          + #"{"MOOD":["blue \"and\\\u0007","calm"]}  bla train "#
      ])
    #expect(
      try rig.rows("SELECT title, artist, album, album_artist, genre, composer FROM words") == [
        "| bla train | | miles davis | johncoltrane | | kind | | miles davis | | jazz | hard bop | | a | b |"
      ])
    #expect(
      try rig.rows("SELECT title, artist, year, track_count, duration, is_compilation FROM album") == [
        "Kind Miles Davis 1959 1 2000 0"
      ])
    #expect(
      try rig.rows("SELECT name, role FROM credit JOIN artist ON artist.id = artist ORDER BY role, name")
        .count == 3)
    #expect(try rig.rows("SELECT rowid FROM search WHERE search MATCH 'genre: \"hard bop\"'").count == 1)
  }

  @Test func `An album is shown under its credit, and found under each person of it`() throws {
    func add(_ name: String, _ number: Int, _ tags: [(String, String)]) throws {
      let common = [
        ("TITLE", "T\(number)"), ("ALBUM", "Duets"), ("TRACKNUMBER", "A\(number)"), ("ARTIST", "Ann feat. Bea"),
        ("ARTISTS", "Ann"), ("ARTISTS", "Bea"), ("ALBUMARTIST", "Ann & Bea"), ("ALBUMARTISTSORT", "Zeta"),
      ]
      try rig.add(name, common + tags)
    }
    let persons = [("ALBUMARTISTS", "Ann"), ("ALBUMARTISTS", "Bea")]
    try add("a/1.flac", 1, persons)
    try rig.add("b/1.flac", album: "Other", 1, artist: "Mia")
    try rig.scan()
    // One more in another directory, without the persons, is grouped with what the index has.
    try add("c/2.flac", 2, [])
    try rig.scan()
    try add("a/3.flac", 3, persons)
    try rig.update("a")
    let library = rig.library()
    func albums(_ query: LibraryQuery) throws -> [String] {
      try library.albums(query, order: LibraryOrder(.artist), window: .init()).elements.map {
        "\($0.artist ?? "-")/\($0.title) \($0.trackCount)"
      }
    }
    // By the sort name.
    #expect(try albums(.everything) == ["Mia/Other 1", "Ann & Bea/Duets 3"])
    for name in ["Ann", "Bea"] {
      #expect(try albums(.text(.albumArtist, TextPattern(name, kind: .exact))) == ["Ann & Bea/Duets 3"])
    }
    let names = try library.artists(.everything, window: .init()).elements
    #expect(names.map(\.name) == ["Ann", "Bea", "Mia"])
    #expect(names.map(\.albumCount) == [1, 1, 1] && names.map(\.trackCount) == [3, 3, 1])
    #expect(try library.albums(completing: "ann", among: .everything, limit: 9).count == 1)
    let tracks = try library.tracks(.everything, order: LibraryOrder(.title), window: .init()).elements.map(\.track)
    // Two have the same title, and the order in which their files are read.
    let shown = tracks.map { "\($0.shownNumber ?? "") \($0.albumArtistCredit)" }.sorted()
    #expect(shown == ["1 ", "A1 Ann & Bea", "A2 Ann & Bea", "A3 Ann & Bea"])
  }

  @Test func `Unchanged files are read again on request`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("b/2.flac", album: "B", 2)
    try rig.directory.write([], to: "music/a/empty.flac")
    try rig.scan()
    let before = try rig.rows("SELECT id, added FROM track ORDER BY id")
    // Change the index, but nothing on the disk.
    try rig.index.write { try $0.execute(sql: "UPDATE track SET title = 'old'") }
    #expect(try rig.library().scan(progress: { _ in }, isCancelled: { false }).unchangedCount == 2)
    let scope = ScanScope.rereading(.directories([rig.root.appending("a")]))
    let summary = try rig.library().scan(scope, progress: { _ in }, isCancelled: { false })
    #expect(summary.unchangedCount == 0 && summary.problemCount == 1)
    #expect(try rig.rows("SELECT title FROM track ORDER BY name") == ["T1", "old"])
    let fullRescan = try rig.library().scan(.rereading(.everything), progress: { _ in }, isCancelled: { false })
    // Only rows that differed from the tags count as changed.
    #expect(fullRescan.changedCount == 1 && fullRescan.unchangedCount == 1)
    #expect(try rig.rows("SELECT title FROM track ORDER BY name") == ["T1", "T2"])
    #expect(try rig.rows("SELECT id, added FROM track ORDER BY id") == before)
    try rig.check()
  }

  @Test func `Unchanged files are not opened`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.directory.write([], to: "music/a/empty.flac")
    try rig.scan()
    let lastProgress = Watched(ScanProgress())
    let summary = try rig.library().scan(
      progress: { progress in lastProgress.change { $0 = progress } }, isCancelled: { false })
    #expect(summary.unchangedCount == 1 && summary.problemCount == 1 && !summary.hasChanged)
    #expect(lastProgress.value == ScanProgress(seenCount: 2, readCount: 0, totalCount: 2))
  }

  @Test func `A changed file keeps its id, and its album keeps its id`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.scan()
    let before = try (
      rig.rows("SELECT id, added, album FROM track ORDER BY name"), rig.rows("SELECT id FROM album")
    )
    try rig.add("a/2.flac", album: "B", 2, artist: "Another", padding: 9)
    try rig.add("a/1.flac", album: "B", 1, artist: "Another", padding: 9)
    let summary = try rig.scan()
    #expect(summary.changedCount == 2 && summary.addedCount == 0 && summary.missingCount == 0)
    let after = try (
      rig.rows("SELECT id, added, album FROM track ORDER BY name"), rig.rows("SELECT id FROM album")
    )
    #expect(before == after)
    #expect(try rig.rows("SELECT title, artist FROM album") == ["B Another"])
    #expect(try rig.rows("SELECT name FROM artist") == ["Another"])
    #expect(try rig.rows("SELECT rowid FROM search WHERE search MATCH 'album: a'").isEmpty)
  }

  @Test func `Missing tracks are removed, and an album with its last track`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.add("b/1.flac", album: "B", 1, artist: "B")
    try rig.scan()
    try rig.remove("a/1.flac")
    try rig.remove("b")
    #expect(try rig.scan().missingCount == 2)
    #expect(try rig.rows("SELECT title, track_count FROM album") == ["A 1"])
    #expect(try rig.rows("SELECT path FROM directory ORDER BY path") == ["", "a"])
    #expect(try rig.rows("SELECT count(*), (SELECT file_count FROM library) FROM track") == ["1 1"])
    try rig.remove("a")
    #expect(try rig.scan().missingCount == 1)
    for table in ["track", "album", "artist", "words", "credit"] {
      #expect(try rig.rows("SELECT * FROM \(table)").isEmpty)
    }
  }

  @Test func `An unreadable file is a problem until it becomes readable or is removed`() throws {
    try rig.directory.write([], to: "music/a.flac")
    try rig.directory.write([1], to: "music/b.mid")
    try rig.directory.makeFIFO("music/c.wav")
    try rig.directory.link("music/d.mp3", to: "nowhere")
    try rig.directory.write("text".utf8, to: "music/sub/e.txt")
    #expect(try rig.scan().problemCount == 4)
    #expect(
      try rig.rows("SELECT path, reason FROM problem ORDER BY path") == [
        "a.flac the file is empty", "b.mid MIDI is not supported", "c.wav not a regular file",
        "d.mp3 cannot be read: No such file or directory",
      ])
    try rig.add("a.flac", album: "A", 1)
    try rig.remove("b.mid")
    let summary = try rig.scan()
    #expect(summary.problemCount == 2 && summary.addedCount == 1)
    try rig.directory.write([], to: "music/a.flac")
    #expect(try rig.scan().problemCount == 3)
    #expect(try rig.rows("SELECT * FROM track").isEmpty)
  }

  @Test func `Each linked directory is read once, even with loops`() throws {
    try rig.add("real/1.flac", album: "One", 1)
    try rig.directory.link("music/a-first-by-name", to: "real")
    try rig.directory.link("music/real/up", to: "..")
    try rig.directory.link("music/real/self", to: "self")
    let outside = try TemporaryDirectory()
    try outside.write(SoundBytes.flac([("ALBUM", "Outside")]), to: "deep/1.flac")
    try rig.directory.link("music/linked", to: outside.path.string)
    try rig.directory.link("music/again", to: outside.path.string)
    try rig.directory.link("music/link.flac", to: outside["deep/1.flac"].string)
    #expect(try rig.scan().addedCount == 3)
    let paths = try rig.rows(
      "SELECT directory.path, name FROM track JOIN directory ON directory.id = directory ORDER BY 1, 2")
    #expect(paths == [" link.flac", "again/deep 1.flac", "real 1.flac"])
    #expect(try rig.scan().unchangedCount == 3)
    try rig.remove("again")
    let summary = try rig.scan()
    #expect(summary.movedCount == 1 && summary.unchangedCount == 2 && summary.missingCount == 0)
  }

  @Test func `A name that is not valid UTF-8 is stored unchanged`() throws {
    let name = try #require(FilePath(bytes: [0x61, 0xFF, 0xFE]))
    try rig.directory.write(
      SoundBytes.flac([("ALBUM", "A")]), to: FilePath("music").pushing(name).appending("1.flac"))
    #expect(try rig.scan().addedCount == 1)
    #expect(try rig.scan().unchangedCount == 1)
    #expect(try rig.rows("SELECT hex(path) FROM directory ORDER BY path") == ["", "61FFFE"])
  }

  @Test func `Broken files do not disturb a scan`() throws {
    let library = rig.library(Fixture.directory.appending("Broken"))
    let summary = try library.scan(progress: { _ in }, isCancelled: { false })
    try rig.check()
    #expect(summary.addedCount > 20 && summary.problemCount >= 2)
    let rescan = try library.scan(progress: { _ in }, isCancelled: { false })
    #expect(rescan.unchangedCount == summary.addedCount && !rescan.hasChanged)
  }

  @Test func `One index can hold several libraries`() throws {
    try rig.add("one/1.flac", album: "A", 1)
    try rig.add("two/1.flac", album: "A", 2)
    for name in ["one", "two", "one"] {
      _ = try rig.library(rig.root.appending(name)).scan(progress: { _ in }, isCancelled: { false })
    }
    try rig.check()
    #expect(
      try rig.rows("SELECT library, title, track_count FROM album ORDER BY library") == ["1 A 1", "2 A 1"])
    #expect(try rig.rows("SELECT id FROM library").count == 2)
  }

  @Test func `The fixtures are grouped into their four albums`() throws {
    let summary = try rig.library(Fixture.directory.appending("Music")).scan(
      progress: { _ in }, isCancelled: { false })
    #expect(summary.addedCount == 16 && summary.problemCount == 0)
    try rig.check()
    #expect(
      try rig.rows("SELECT title, artist, is_compilation, track_count FROM album ORDER BY track_count, title")
        == [
          "日本のうた 時計の楽団 0 3", "Ground and Air The Clockwork Consort 0 4",
          "Old Tunes, New Friends Various Artists 1 4", "Parlour Pieces Music Box Theatre 0 5",
        ])
  }
}
