// SPDX-License-Identifier: GPL-3.0-or-later

import CueSheets
import Tagging
import TestSupport
import Testing

/// Tests of the chapters of files that contain a cue sheet, and are played as a whole.
@Suite struct SheetChapterTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let sheet = """
    TITLE "Image"
    FILE "image.wav" WAVE
      TRACK 01 AUDIO
        TITLE "First"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        INDEX 00 00:10:00
        INDEX 01 00:12:25
      TRACK 03 AUDIO
        TITLE "Third"
        INDEX 01 01:00:00
    """

  private func chapters(_ tags: [(String, String)], seconds: UInt32 = 100) throws -> [String] {
    let path = try directory.write(SoundBytes.flac(tags, seconds: seconds), to: "a.flac")
    return TagReader().chapters(at: path).map { "\($0.start) \($0.title)" }
  }

  @Test func `The tracks of a cue sheet in the tags are chapters of the whole file`() throws {
    #expect(try chapters([("CUESHEET", Self.sheet)]) == ["0 First", "12333 Track 2", "60000 Third"])
    #expect(try chapters([("CUESHEET", Self.sheet)], seconds: 50) == ["0 First", "12333 Track 2"])
  }

  @Test func `A tag for one track of the sheet precedes the title in the sheet`() throws {
    let own = [("CUE_TRACK02_TITLE", "Second"), ("CUE_TRACK03_TITLE", "Last")]
    #expect(try chapters(own + [("CUESHEET", Self.sheet)]) == ["0 First", "12333 Second", "60000 Last"])
  }

  @Test func `Chapters that the tags list precede those of a cue sheet`() throws {
    let listed = [("CHAPTER001", "00:00:07"), ("CHAPTER001NAME", "Listed")]
    #expect(try chapters(listed + [("CUESHEET", Self.sheet)]) == ["7000 Listed"])
    #expect(try chapters(listed) == ["7000 Listed"])
  }

  @Test(arguments: [
    "", "no sheet", "FILE \"a\" WAVE\n", "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00",
    "FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 99:00:00",
  ])
  func `A sheet that does not divide the file gives no chapters`(sheet: String) throws {
    #expect(try chapters([("TITLE", "One"), ("CUESHEET", sheet)]) == [])
  }

  @Test func `A file that cannot be read has no chapters`() throws {
    #expect(TagReader().chapters(at: directory.file("missing.flac")) == [])
    #expect(TagReader().chapters(at: try directory.write([], to: "empty.flac")) == [])
  }
}
