// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import Tagging
import Testing

struct AudioFileKindTests {
  @Test(arguments: [
    "wav", "wave", "bwf", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "ogg", "oga", "opus", "mp3",
    "mp2", "mp1", "oggflac",
    "mpga", "w64", "rf64", "FLAC", "Mp3",
    "m4a", "aac", "alac", "wv", "ape", "mpc", "dsf", "dff", "wma", "tta", "shn", "mka", "WMA", "mp4", "mkv", "webm",
    "asf",
  ])
  func `A file with one of these suffixes can be played`(suffix: String) {
    #expect(AudioFileKind(FilePath("/a/b.\(suffix)")) == .playable)
  }

  @Test(arguments: ["m4p", "mid", "ofr", "MIDI"])
  func `A file with one of these suffixes is unplayable, and its format has a name`(suffix: String) throws {
    let kind = try #require(AudioFileKind(FilePath("b.\(suffix)")))
    guard case .unplayable(let format) = kind else {
      Issue.record("\(kind)")
      return
    }
    #expect(!format.isEmpty)
  }

  @Test(arguments: ["cover.jpg", "flac", "a.", "", "/", ".flac", "notes.txt", "a.flac.part"])
  func `A file with one of these names is not audio`(name: String) {
    #expect(AudioFileKind(FilePath(name)) == nil)
  }
}
