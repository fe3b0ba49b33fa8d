// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

/// Matching of cue sheets with their files.
extension CueScanTests {
  @Test func `A sheet finds its file despite case, suffix or Windows paths, or by its own name`()
    throws
  {
    try addImage("a/Big File.flac")
    try write(sheet(#"C:\Music\big file.wav"#, 0, 20), to: "a/x.cue")
    try addImage("b/Album.flac")
    try write(sheet("CDImage.ape", 0, 20), to: "b/album.flac.cue")
    try addImage("c/日本.flac")
    try rig.directory.write(
      Array("FILE \"".utf8) + [0x93, 0xFA, 0x96, 0x7B]
        + Array(".WAV\" WAVE\nTRACK 1 AUDIO\nINDEX 01 0:10:00".utf8),
      to: FilePath("music/c/x.cue"))
    #expect(try rig.scan().problemCount == 0)
    #expect(
      try rig.rows("SELECT name, segment, segment_end FROM track ORDER BY name, segment") == [
        "Album.flac 0 1500", "Album.flac 1500 -", "Big File.flac 0 1500", "Big File.flac 1500 -",
        "日本.flac 750 -",
      ])
  }

  /// A sheet that covers two subdirectories, with two tracks in the first and one in the second.
  private static let twoDiscSheet = #"""
    TITLE "Album"
    PERFORMER "Band"
    FILE "CD1/01.wav" WAVE
    TRACK 01 AUDIO
    TITLE "One"
    INDEX 01 00:00:00
    TRACK 02 AUDIO
    TITLE "Two"
    INDEX 01 00:20:00
    FILE "cd2\01.flac" WAVE
    TRACK 03 AUDIO
    TITLE "Three"
    INDEX 01 00:00:00
    """#

  @Test func `A sheet can name files in its subdirectories`() throws {
    for disc in 1...2 { try addImage("a/CD\(disc)/01.flac") }
    try write(Self.twoDiscSheet, to: "a/album.cue")
    #expect(try rig.scan().problemCount == 0)
    let expected = ["One 01.flac 0 1500 20000", "Two 01.flac 1500 - 40000", "Three 01.flac -1 - 60000"]
    #expect(try tracks == expected)
    #expect(try rig.rows("SELECT title, artist, track_count FROM album") == ["Album Band 3"])
    let rescan = try rig.scan()
    #expect(rescan.unchangedCount == 3 && rescan.changedCount == 0)
    #expect(try tracks == expected)
    // The file in the subdirectory takes precedence over one of the same name beside the sheet.
    try addImage("a/01.flac", seconds: 9)
    try rig.scan()
    #expect(try tracks.sorted() == (expected + ["01 01.flac -1 - 9000"]).sorted())
  }

  @Test func `A sheet of another machine can name files in its subdirectories`() throws {
    for disc in 1...2 { try addImage("a/D\u{EF}sc \(disc)/01.flac") }
    let foreign = Self.twoDiscSheet.replacing("CD1/01.wav", with: #"C:\Music\Artist\Album\di\#u{308}sc 1\01.WAV"#)
    try write(
      foreign.replacing(#"cd2\01.flac"#, with: "/Volumes/x/Album/D%C3%AFsc%202/01.flac"), to: "a/album.cue")
    #expect(try rig.scan().problemCount == 0)
    #expect(
      try tracks == ["One 01.flac 0 1500 20000", "Two 01.flac 1500 - 40000", "Three 01.flac -1 - 60000"])
  }

  @Test func `Files in subdirectories follow their sheet, whichever is added first`() throws {
    try addImage("a/CD1/01.flac")
    try rig.scan()
    try write(Self.twoDiscSheet, to: "a/album.cue")
    try rig.update("a")
    #expect(try tracks == ["One 01.flac 0 1500 20000", "Two 01.flac 1500 - 40000"])
    #expect(try rig.rows("SELECT path, reason FROM problem") == ["a/album.cue 01.flac is missing"])
    try addImage("a/CD2/01.flac")
    try rig.update("a")
    #expect(try tracks.count == 3)
    #expect(try rig.rows("SELECT path FROM problem").isEmpty)
    try write(Self.twoDiscSheet.replacing("\"Two\"", with: "\"Zwei\""), to: "a/album.cue")
    try rig.update("a")
    #expect(try tracks[1] == "Zwei 01.flac 1500 - 40000")
    try rig.update("a/CD1")
    #expect(try tracks[1] == "Zwei 01.flac 1500 - 40000")
    try addImage("a/CD1/01.flac", seconds: 50)
    try rig.update("a/CD1")
    #expect(try tracks[1] == "Zwei 01.flac 1500 - 30000")
    try rig.remove("a/album.cue")
    try rig.scan()
    #expect(try tracks.allSatisfy { $0.contains(" -1 ") })
    #expect(try rig.rows("SELECT * FROM sheet").isEmpty)
  }

  @Test func `A sheet beside a file takes precedence over one in the parent directory`() throws {
    try addImage("a/CD1/01.flac")
    try write(Self.twoDiscSheet, to: "a/album.cue")
    try write(sheet("01.flac", 0, 30, title: "Disc"), to: "a/CD1/disc.cue")
    try rig.scan()
    #expect(try rig.rows("SELECT title FROM album") == ["Disc"])
  }

  @Test func `A FLAC cue sheet block defines tracks, unless it describes the whole CD`() throws {
    func block(leadOut: Int) -> [UInt8] {
      func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      }
      func index(_ number: UInt8, _ second: Int) -> [UInt8] { bigEndian(second * 44_100, 8) + [number, 0, 0, 0] }
      func track(_ second: Int, _ number: UInt8, _ points: [[UInt8]]) -> [UInt8] {
        let isrc = number == 1 ? Array("USRC17607839".utf8) : [UInt8](repeating: 0, count: 12)
        return bigEndian(second * 44_100, 8) + [number] + isrc + [0] + [UInt8](repeating: 0, count: 13)
          + [UInt8(points.count)] + points.joined()
      }
      let catalog = Array("1234567890123".utf8) + [UInt8](repeating: 0, count: 115)
      let header = catalog + bigEndian(88_200, 8) + [0x80] + [UInt8](repeating: 0, count: 258) + [4]
      return header + track(0, 1, [index(1, 0)]) + track(18, 2, [index(0, 0), index(1, 2)])
        + track(45, 3, [index(1, 0)]) + track(leadOut, 170, [])
    }
    for (name, leadOut) in [("a", 60), ("b", 600)] {
      let flac = SoundBytes.flac([("ALBUM", name), ("ARTIST", "Band"), ("TITLE", "Image")], seconds: 60)
      let sheet = block(leadOut: leadOut)
      let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: sheet.count >> $0) }
      let bytes = Array(flac.prefix(42)) + [5] + length + sheet + flac.dropFirst(42)
      try rig.directory.write(bytes, to: FilePath("music/\(name)/big.flac"))
    }
    try rig.scan()
    #expect(
      try tracks.sorted() == [
        "Image big.flac -1 - 60000", "Track 1 big.flac 0 1500 20000", "Track 2 big.flac 1500 3375 25000",
        "Track 3 big.flac 3375 - 15000",
      ])
    #expect(try rig.rows("SELECT title, artist FROM album ORDER BY title") == ["a Band", "b Band"])
  }

  @Test func `A sheet in a file's tags defines its tracks, but one beside the file takes precedence`() throws {
    let embedded = sheet("whatever.wav", 0, 20, 30, title: "Inside")
    try addImage("a/big.flac", [("CUESHEET", embedded), ("ARTIST", "Band")])
    try rig.scan()
    #expect(
      try tracks.map { String($0.prefix(16)) } == [
        "T1 big.flac 0 15", "T2 big.flac 1500", "T3 big.flac 2250",
      ])
    #expect(try rig.rows("SELECT title FROM album") == ["Inside"])
    #expect(try rig.scan().unchangedCount == 3)
    let before = try identities()
    try write(sheet("big.flac", 0, 20, title: "Beside"), to: "a/x.cue")
    try rig.scan()
    #expect(try rig.rows("SELECT title, track_count FROM album") == ["Beside 2"])
    try rig.remove("a/x.cue")
    try rig.scan()
    #expect(try rig.rows("SELECT title, track_count FROM album") == ["Inside 3"])
    #expect(try identities().prefix(2) == before.prefix(2))
  }
}
