// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import Tagging
import Testing

struct AudioFileKindTests {
  @Test(arguments: [
    "wav", "wave", "bwf", "aif", "aiff", "aifc", "au", "snd", "caf", "flac", "ogg", "oga", "opus", "mp3",
    "mp2", "mp1", "oggflac",
    "mpga", "w64", "rf64", "FLAC", "Mp3",
  ])
  func `These can be played`(suffix: String) {
    #expect(AudioFileKind(FilePath("/a/b.\(suffix)")) == .playable)
  }

  @Test(arguments: [
    "m4a", "aac", "alac", "wv", "ape", "mpc", "dsf", "dff", "wma", "tta", "shn", "mka", "WMA",
    "mp4", "mkv", "webm", "asf",
  ])
  func `These are audio that cannot be played, and have a name`(suffix: String) throws {
    let kind = try #require(AudioFileKind(FilePath("b.\(suffix)")))
    guard case .unplayable(let format) = kind else {
      Issue.record("\(kind)")
      return
    }
    #expect(!format.isEmpty)
  }

  @Test(arguments: ["cover.jpg", "flac", "a.", "", "/", ".flac", "notes.txt", "a.flac.part"])
  func `These are no audio`(name: String) {
    #expect(AudioFileKind(FilePath(name)) == nil)
  }
}
