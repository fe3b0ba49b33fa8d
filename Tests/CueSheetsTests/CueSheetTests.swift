// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct CueSheetTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try contents(of: Fixture.directory.appending("CueSheets").appending(name))
  }

  private func sheet(_ name: String) throws -> CueSheet { try CueSheet(bytes(name)) }

  @Test(arguments: [
    "utf8.cue", "utf8-bom-crlf.cue", "latin1-crlf.cue", "utf16le.cue", "utf16be-cr.cue", "shift-jis.cue",
    "japanese-utf8.cue",
  ])
  func `All fields of a sheet are read, in every encoding`(name: String) throws {
    let sheet = try sheet(name)
    let isJapanese = ["shift-jis.cue", "japanese-utf8.cue"].contains(name)
    #expect(sheet.problems.isEmpty)
    #expect(sheet.texts.title == (isJapanese ? "日本のうた" : "Übergänge"))
    #expect(sheet.texts.performer == (isJapanese ? "時計の楽団" : "Ensemble Été"))
    #expect(sheet.files == [isJapanese ? "日本のうた.wav" : "Übergänge.wav"])
    #expect(
      sheet.texts.remarks == [
        "GENRE": "Chamber Music", "DATE": "1998", "DISCID": "3A0B1C04", "COMMENT": "Made by hand",
        "DISCNUMBER": "2", "TOTALDISCS": "3", "REPLAYGAIN_ALBUM_GAIN": "-6.50 dB",
        "REPLAYGAIN_ALBUM_PEAK": "0.987654",
      ])
    #expect(sheet.catalog == "4006381333931")
    #expect(sheet.tracks.map(\.number) == [1, 2, 3] && sheet.tracks.allSatisfy(\.isAudio))
    let titles = isJapanese ? ["さくらさくら", "荒城の月", "ちょうちょう"] : ["Prélude", "Gruß an Kö", "Coda"]
    #expect(sheet.tracks.map(\.texts.title) == titles)
    #expect(sheet.tracks.map(\.texts.performer) == [nil, isJapanese ? "滝廉太郎" : "Señor Müller", nil])
    #expect(sheet.tracks[0].texts.songwriter == "A. Writer" && sheet.tracks[0].isrc == "DEABC9800001")
    #expect(
      sheet.tracks[0].texts.remarks
        == ["REPLAYGAIN_TRACK_GAIN": "-5.25 dB", "REPLAYGAIN_TRACK_PEAK": "0.9"])
    #expect(sheet.tracks.map(\.start?.frame) == [0, 4 * 75 + 10, 6 * 75 + 37])
    #expect(sheet.tracks.map(\.pregapStart?.frame) == [nil, 3 * 75 + 70, 6 * 75])
    #expect(sheet.tracks.map(\.pregap) == [nil, 150, nil] && sheet.tracks.map(\.postgap) == [nil, nil, 75])
  }

  @Test(arguments: [LegacyText.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian])
  func `A sheet is read in UTF-16 and UTF-32, with and without a byte order mark`(
    encoding: LegacyText.Encoding
  ) throws {
    for name in ["utf8.cue", "japanese-utf8.cue"] {
      let text = LegacyText.decode(try bytes(name))
      let encoded = try #require(LegacyText.encode(text, as: encoding))
      #expect(try CueSheet(encoded) == CueSheet(text))
      #expect(try CueSheet(encoding.byteOrderMark + encoded) == CueSheet(text))
    }
  }

  @Test func `A track may have its pregap in the previous file`() throws {
    let sheet = try sheet("several-files.cue")
    #expect(sheet.files == [#"C:\Rips\01 - One.wav"#, "../Rips/02 - Two.wav", "03 - Data.bin"])
    #expect(sheet.tracks.map(\.playbackStart?.file) == [0, 1, 1, 2])
    #expect(sheet.tracks.map(\.playbackStart?.frame) == [33, 0, 150, 0])
    #expect(sheet.tracks.map(\.isAudio) == [true, true, true, false])
    #expect(sheet.tracks[1].pregapStart == CueSheet.Position(file: 0, frame: 225))
    #expect(sheet.problems.isEmpty)
  }

  @Test func `A pregap before the first track of a later file is played with that track`() throws {
    let sheet = try CueSheet(
      """
      FILE 1.wav WAVE
      TRACK 1 AUDIO
      INDEX 00 00:00:00
      INDEX 01 00:02:00
      FILE 2.wav WAVE
      TRACK 2 AUDIO
      INDEX 00 00:01:00
      INDEX 01 00:03:00
      TRACK 3 AUDIO
      INDEX 00 00:08:00
      INDEX 01 00:09:00
      """)
    #expect(sheet.tracks.map(\.playbackStart?.frame) == [150, 75, 675])
  }

  @Test func `Quotation marks, case and some indexes may be missing`() throws {
    let sheet = try sheet("loose.cue")
    #expect(sheet.texts.title == #"Without "marks" at all"#)
    #expect(sheet.texts.performer == #"He said "no" twice"#)
    #expect(sheet.texts.remarks == ["DATE": "2001-05-04"])
    #expect(sheet.files == ["Big File.flac"])
    #expect(sheet.tracks.map(\.playbackStart?.frame) == [0, 75, (100 * 60 + 59) * 75 + 74])
    #expect(sheet.tracks.map(\.texts.title) == [nil, nil, nil])
    #expect(sheet.problems.isEmpty)
  }

  @Test func `Invalid lines are left out and reported`() throws {
    let sheet = try sheet("broken.cue")
    #expect(sheet.tracks.map(\.number) == [2, 6])
    #expect(sheet.tracks.map(\.playbackStart?.frame) == [75, (999_999_999 * 60 + 59) * 75 + 74])
    #expect(
      sheet.problems.map(\.description) == [
        "line 1: INDEX outside a track",
        "line 2: TRACK 1 has no FILE",
        "line 4: FILE without a name",
        "line 6: TRACK needs a number up to 9999",
        "line 9: TRACK needs a number up to 9999",
        "line 11: INDEX needs a number and a time (MM:SS:FF)",
        "line 10: track 1 has no INDEX",
        "line 13: INDEX needs a number and a time (MM:SS:FF)",
        "line 16: INDEX needs a number and a time (MM:SS:FF)",
        "line 15: track 3 has no INDEX",
        "line 17: track 4 does not begin after track 2",
        "line 19: track 5 does not begin after track 2",
        "line 22: INDEX needs a number and a time (MM:SS:FF)",
        "line 23: INDEX needs a number and a time (MM:SS:FF)",
        "line 24: PREGAP or POSTGAP needs a time (MM:SS:FF)",
      ])
  }

  @Test func `Text that is not a cue sheet is an error`() {
    #expect(throws: CueSheetError.noTracks) { try CueSheet([UInt8]()) }
    #expect(throws: CueSheetError.noTracks) { try CueSheet("TITLE \"only\"\nFILE \"x.wav\" WAVE\n") }
    #expect(throws: CueSheetError.noTracks) { try CueSheet((0..<255).map { UInt8($0) }) }
    #expect(throws: CueSheetError.noTracks) {
      try CueSheet("FILE x.bin BINARY\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00")
    }
    #expect(throws: CueSheetError.tooLarge(limit: 4 << 20)) {
      try CueSheet([UInt8](repeating: 0x20, count: 4 << 20 + 1))
    }
  }

  @Test func `A sheet with 20,000 tracks is cut to 10,000`() throws {
    var text = "FILE \"x.flac\" WAVE\n"
    for number in 0..<20_000 {
      text +=
        "TRACK \(number % 10_000) AUDIO\nTITLE \"T\(number)\"\nINDEX 01 \(number / 75):00:\(number % 75)\n"
    }
    let sheet = try CueSheet(text)
    #expect(sheet.tracks.count == 10_000 && sheet.problems.count == CueSheet.problemLimit)
  }

  @Test func `Texts that are too long are left out, and control characters become spaces`() throws {
    let long = String(repeating: "x", count: 5_000)
    let sheet = try CueSheet(
      "TITLE \"\(long)\"\nPERFORMER \"a\u{1B}[2J\0b\"\nFILE x.wav WAVE\nTRACK 1 AUDIO\nINDEX 01 0:0:0")
    #expect(sheet.texts.title == nil && sheet.texts.performer == "a [2J b")
  }

  @Test func `Damaged sheets never trap, and the accepted tracks are consistent`() throws {
    let sources = try ["utf8.cue", "several-files.cue", "shift-jis.cue", "broken.cue", "utf16le.cue"].map(bytes)
    let failure = try FuzzRun.firstFailure(count: FuzzRun.count(standard: 2_000)) { seed in
      var mutator = Mutator(seed: seed)
      let first = sources[mutator.number(0...(sources.count - 1))]
      let bytes = mutator.damaged(first, other: sources[mutator.number(0...(sources.count - 1))])
      guard let sheet = try? CueSheet(bytes) else { return nil }
      var lastFrames: [Int: Int] = [:]
      for track in sheet.tracks {
        guard let start = track.playbackStart, sheet.files.indices.contains(start.file), start.frame >= 0 else {
          return "track \(track.number) begins nowhere"
        }
        if let last = lastFrames[start.file], last >= start.frame {
          return "track \(track.number) begins too early"
        }
        lastFrames[start.file] = start.frame
      }
      return CueSheet.trackNumbers.count >= sheet.tracks.count ? nil : "\(sheet.tracks.count) tracks"
    }
    #expect(failure == nil)
  }
}
