// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel

/// Scans of directories that contain cue sheets.
struct CueScanTests {
  let rig: ScanRig

  init() throws { rig = try ScanRig() }

  /// Returns a sheet for `file` whose tracks T1, T2, ... begin at these seconds.
  func sheet(
    _ file: String, _ seconds: Int..., title: String = "Album", extra: String = ""
  ) -> String {
    var text = "PERFORMER \"Band\"\nTITLE \"\(title)\"\n\(extra)FILE \"\(file)\" WAVE\n"
    for (index, second) in seconds.enumerated() {
      text += "  TRACK \(index + 1) AUDIO\n    TITLE \"T\(index + 1)\"\n"
      text += "    INDEX 01 0:\(second):00\n"
    }
    return text
  }

  func write(_ text: String, to name: String) throws {
    try rig.directory.write(Array(text.utf8), to: FilePath("music").pushing(FilePath(name)))
  }

  /// Adds a FLAC file that is `seconds` long.
  func addImage(_ name: String, _ tags: [(String, String)] = [], seconds: UInt32 = 60) throws {
    try rig.directory.write(
      SoundBytes.flac(tags, seconds: seconds), to: FilePath("music").pushing(FilePath(name)))
  }

  /// The tracks in playing order: title, file, segment, and duration in milliseconds.
  var tracks: [String] {
    get throws {
      try rig.rows(
        "SELECT title, name, segment, segment_end, duration FROM track ORDER BY album, place")
    }
  }

  func identities() throws -> [String] {
    try rig.rows("SELECT title, id, added FROM track ORDER BY title")
  }

  @Test func `The tracks of a sheet replace its file`() throws {
    try addImage(
      "a/big.flac", [("ALBUM", "Other"), ("GENRE", "Jazz"), ("ARTIST", "Nobody"), ("TITLE", "Image")])
    try write(sheet("big.flac", 0, 20, 45), to: "a/big.cue")
    let summary = try rig.scan()
    #expect(summary.addedCount == 3 && summary.problemCount == 0)
    #expect(
      try tracks == [
        "T1 big.flac 0 1500 20000", "T2 big.flac 1500 3375 25000", "T3 big.flac 3375 - 15000",
      ])
    #expect(try rig.rows("SELECT title, artist, track_count, duration FROM album") == ["Album Band 3 60000"])
    #expect(
      try rig.rows("SELECT genres, artists, number, number_total FROM track ORDER BY place") == [
        "Jazz Band 1 3", "Jazz Band 2 3", "Jazz Band 3 3",
      ])
    let album = try #require(try rig.library().album(1))
    #expect(album.tracks.map(\.segment?.start) == [0, 1500, 3375])
    #expect(album.tracks.map(\.segment?.end) == [1500, 3375, nil])
  }

  @Test func `Unchanged files and sheets are not opened again`() throws {
    try addImage("a/big.flac")
    try write(sheet("big.flac", 0, 20), to: "a/big.cue")
    try write("no sheet", to: "a/broken.cue")
    #expect(try rig.scan().problemCount == 1)
    let before = try (identities(), rig.rows("SELECT * FROM sheet"), rig.rows("SELECT * FROM problem"))
    let second = try rig.scan()
    #expect(second.unchangedCount == 2 && !second.hasChanged && second.problemCount == 1)
    let after = try (identities(), rig.rows("SELECT * FROM sheet"), rig.rows("SELECT * FROM problem"))
    #expect(before == after)
    let readCount = Watched(0)
    _ = try rig.library().scan(
      progress: { progress in readCount.change { $0 = max($0, progress.readCount) } }, isCancelled: { false })
    #expect(readCount.value == 0)
  }

  @Test func `Adding, changing or deleting a sheet changes the tracks at the next scan`() throws {
    try addImage("a/big.flac", [("TITLE", "Image"), ("ALBUM", "Album")])
    try rig.scan()
    #expect(try tracks == ["Image big.flac -1 - 60000"])
    try write(sheet("big.flac", 0, 20), to: "a/big.cue")
    let added = try rig.scan()
    #expect(added.addedCount == 2 && added.missingCount == 1)
    #expect(try tracks == ["T1 big.flac 0 1500 20000", "T2 big.flac 1500 - 40000"])
    let before = try identities()
    try write(sheet("big.flac", 0, 21), to: "a/big.cue")
    let changed = try rig.scan()
    #expect(changed.changedCount == 2 && changed.addedCount == 0 && changed.missingCount == 0)
    #expect(try tracks == ["T1 big.flac 0 1575 21000", "T2 big.flac 1575 - 39000"])
    #expect(try identities() == before)
    try write(sheet("big.flac", 0, 10, 21), to: "a/big.cue")
    #expect(try rig.scan().addedCount == 1)
    #expect(
      try tracks == [
        "T1 big.flac 0 750 10000", "T2 big.flac 750 1575 11000", "T3 big.flac 1575 - 39000",
      ])
    try rig.remove("a/big.cue")
    let deleted = try rig.scan()
    #expect(deleted.addedCount == 1 && deleted.missingCount == 3)
    #expect(try tracks == ["Image big.flac -1 - 60000"])
    #expect(try rig.rows("SELECT * FROM sheet").isEmpty)
  }

  @Test func `Updating only the directory applies its sheet, too`() throws {
    try addImage("a/big.flac")
    try rig.scan()
    try write(sheet("big.flac", 0, 30), to: "a/big.cue")
    try rig.update("a")
    #expect(try tracks.count == 2)
    try write(sheet("big.flac", 0, 20, 30), to: "a/big.cue")
    try rig.update("a")
    #expect(try tracks.count == 3)
    try rig.remove("a/big.cue")
    try rig.update("a")
    #expect(try tracks == ["big big.flac -1 - 60000"])
    try rig.remove("a/big.flac")
    try rig.update("a")
    #expect(try tracks.isEmpty)
  }

  @Test func `Tracks keep their ids when their file is moved or renamed`() throws {
    try addImage("a/big.flac")
    try write(sheet("big.flac", 0, 20, 40), to: "a/big.cue")
    try rig.scan()
    let before = try identities()
    try rig.move("a", to: "b")
    #expect(try rig.scan().movedCount == 3)
    #expect(try identities() == before)
    try rig.move("b/big.flac", to: "b/large.flac")
    try write(sheet("large.flac", 0, 20, 40), to: "b/big.cue")
    let renamed = try rig.scan()
    #expect(renamed.movedCount == 3 && renamed.missingCount == 0 && renamed.addedCount == 0)
    #expect(try identities() == before)
    #expect(try tracks.allSatisfy { $0.contains("large.flac") })
  }

  @Test func `Files with sheets that swap names keep their tracks`() throws {
    try addImage("a/1.flac", seconds: 50)
    try addImage("a/2.flac", seconds: 60)
    try write(sheet("1.flac", 0, 20, title: "One"), to: "a/1.cue")
    try write(sheet("2.flac", 0, 30, title: "Two"), to: "a/2.cue")
    try rig.scan()
    try rig.move("a/1.flac", to: "a/x.flac")
    try rig.move("a/2.flac", to: "a/1.flac")
    try rig.move("a/x.flac", to: "a/2.flac")
    let summary = try rig.scan()
    #expect(summary.movedCount == 4 && summary.missingCount == 0 && summary.addedCount == 0)
    #expect(
      try tracks.sorted() == [
        "T1 1.flac 0 1500 20000", "T1 2.flac 0 2250 30000", "T2 1.flac 1500 - 40000",
        "T2 2.flac 2250 - 20000",
      ])
  }

  @Test func `A sheet with one file for each track fills in missing tags, and keeps one track for each file`()
    throws
  {
    try addImage("a/1.flac", [("TITLE", "Own Title")], seconds: 10)
    try addImage("a/2.flac", seconds: 12)
    try write(
      """
      TITLE "Album"
      PERFORMER "Band"
      FILE "1.wav" WAVE
        TRACK 01 AUDIO
          TITLE "Sheet's Title"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Second"
          INDEX 00 00:08:00
      FILE "2.wav" WAVE
          INDEX 01 00:00:00
      """, to: "a/x.cue")
    try rig.scan()
    #expect(try tracks == ["Own Title 1.flac -1 - 10000", "Second 2.flac -1 - 12000"])
    #expect(try rig.rows("SELECT title, artist, track_count FROM album") == ["Album Band 2"])
    #expect(try rig.scan().unchangedCount == 2)
  }

  @Test func `A sheet's track beyond the end of its file, or with a missing file, is a problem`()
    throws
  {
    try addImage("a/big.flac", seconds: 30)
    try write(sheet("big.flac", 0, 20, 40, 50), to: "a/big.cue")
    try write(sheet("gone.flac", 0, 20), to: "b/gone.cue")
    #expect(try rig.scan().problemCount == 2)
    #expect(try tracks == ["T1 big.flac 0 1500 20000", "T2 big.flac 1500 - 10000"])
    let problems = [
      "a/big.cue track 3 begins after the end of big.flac", "b/gone.cue gone.flac is missing",
    ]
    #expect(try rig.rows("SELECT path, reason FROM problem ORDER BY path") == problems)
    try rig.scan()
    #expect(try rig.rows("SELECT path, reason FROM problem ORDER BY path") == problems)
    // Another file in the directory does not change that.
    try addImage("a/other.flac", seconds: 5)
    try rig.scan()
    #expect(try rig.rows("SELECT path, reason FROM problem ORDER BY path") == problems)
    try addImage("b/gone.flac")
    try write(sheet("big.flac", 0, 20), to: "a/big.cue")
    try rig.scan()
    #expect(try rig.rows("SELECT path, reason FROM problem").isEmpty)
    #expect(try tracks.count == 5)
  }

  @Test func `ReplayGain, dates and similar fields of a sheet are applied to its tracks`() throws {
    try addImage("a/big.flac", [("REPLAYGAIN_TRACK_GAIN", "-1.00 dB"), ("DATE", "1900")])
    let extra = """
      REM DATE 1998
      REM GENRE Chamber
      REM DISCNUMBER 2
      REM TOTALDISCS 3
      REM REPLAYGAIN_ALBUM_GAIN -6.50 dB
      REM REPLAYGAIN_ALBUM_PEAK 0.95

      """
    let text =
      sheet("big.flac", 0, 20, extra: extra)
      + "    REM REPLAYGAIN_TRACK_GAIN +2.25 dB\n    ISRC DEABC9800001\n"
    try write(text, to: "a/big.cue")
    try rig.scan()
    #expect(
      try rig.rows(
        "SELECT year, genres, disc, disc_total, track_gain, album_gain, album_peak, tags FROM track ORDER BY place"
      ) == [
        "1998 Chamber 2 3 - -6.5 0.95 -",
        #"1998 Chamber 2 3 2.25 -6.5 0.95 {"ISRC":["DEABC9800001"]}"#,
      ])
    let track = try #require(try rig.library().album(1)?.tracks.last)
    #expect(rig.index.measurements(for: [track]).first?.replayGain.trackGain == 2.25)
    // A measurement of the whole file does not apply to its segments.
    try rig.index.store([
      StoredLoudness(
        path: track.path, status: FileStatus(of: track.path), integrated: -9, range: 1, truePeak: 0.5)
    ])
    #expect(rig.index.measurements(for: [track]).first?.replayGain.trackGain == 2.25)
  }

  @Test func `Malformed sheets become problems`() throws {
    try addImage("a/big.flac", seconds: 4_000)
    try rig.directory.write([UInt8](repeating: 0x41, count: 5 << 20), to: FilePath("music/a/huge.cue"))
    try rig.directory.write(
      (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, to: FilePath("music/a/binary.cue"))
    try rig.directory.makeFIFO("music/a/fifo.cue")
    try rig.directory.makeDirectory("music/a/directory.cue")
    try rig.directory.link("music/a/dangling.cue", to: "nowhere")
    try write(sheet("../../../etc/passwd", 0, 20), to: "a/outside.cue")
    try rig.scan()
    #expect(try tracks == ["big big.flac -1 - 4000000"])
    #expect(
      try rig.rows("SELECT path, reason FROM problem ORDER BY path") == [
        "a/binary.cue not a cue sheet: it has no audio tracks",
        "a/dangling.cue cannot be read: No such file or directory", "a/fifo.cue not a regular file",
        "a/huge.cue not a cue sheet: larger than 4 MiB", "a/outside.cue passwd is missing",
      ])
    #expect(try rig.scan().problemCount == 5)
  }

  @Test func `A file with a thousand tracks is added, kept and removed`() throws {
    try addImage("a/big.flac", seconds: 90_000)
    var text = "FILE big.flac WAVE\n"
    for number in 1...1_000 {
      text += "TRACK \(number) AUDIO\nINDEX 01 \(number / 75):00:\(number % 75)\n"
    }
    try write(text, to: "a/big.cue")
    #expect(try rig.scan().addedCount == 1_000)
    #expect(try rig.scan().unchangedCount == 1_000)
    try rig.remove("a/big.flac")
    #expect(try rig.scan().missingCount == 1_000)
  }

  @Test func `An index without segments is migrated and keeps its tracks`() throws {
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.scan()
    let before = try (rig.contents, identities())
    // Recreate the table by its old definition, with the same rows.
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(path: rig.index.path.string, configuration: configuration).write { database in
      let columns = try database.columns(in: "track").map(\.name).filter {
        !["segment", "segment_end", "sheet", "checksum", "sound"].contains($0)
      }.joined(separator: ", ")
      let definition = LibraryTables.creation(.original).split(separator: ";").filter { $0.contains("TABLE track (") }
      try database.execute(sql: "CREATE TABLE kept AS SELECT \(columns) FROM track; DROP TABLE track")
      try database.execute(sql: definition.joined(separator: ";"))
      try database.execute(sql: "INSERT INTO track SELECT * FROM kept; DROP TABLE kept; DROP TABLE sheet")
      try database.execute(sql: "ALTER TABLE directory DROP COLUMN sheets")
      try database.execute(sql: #"UPDATE track SET tags = '{"CUESHEET":["FILE"]}' WHERE title = 'T2'"#)
      for table in ["album", "words", "artist", "genre"] {
        try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN checksum")
      }
      try database.execute(
        sql: "DELETE FROM grdb_migrations WHERE identifier IN ('segments', 'checksums', 'no snapshot', 'identity')")
      let tables = [
        "missing_track", "file_move", "followed_move", "followed_playlist", "unfinished_scan", "renamed_library",
      ]
      for table in tables { try database.execute(sql: "DROP TABLE \(table)") }
      try database.execute(sql: "PRAGMA user_version = \(0x5365_6702)")
    }
    let index = try LibraryIndex(directory: rig.directory["data"])
    #expect(index.warning == nil)
    #expect(try before.0 == rig.contents && before.1 == identities())
    #expect(try rig.rows("SELECT DISTINCT segment, segment_end, sheet FROM track") == ["-1 - 0"])
    #expect(
      try rig.rows("SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name LIKE 'track_%'") == [
        "12"
      ])
    // All files are read again to identify their sound, and directories are searched for sheets.
    #expect(try rig.rows("SELECT DISTINCT mtime FROM directory") == ["0"])
    let summary = try rig.scan()
    #expect(summary.unchangedCount == 0 && summary.changedCount == 2)
    #expect(try before.0 == rig.contents && before.1 == identities())
  }
}
