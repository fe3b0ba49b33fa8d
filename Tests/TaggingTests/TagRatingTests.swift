// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import Tagging

/// Ratings that programs write into tags.
@Suite struct TagRatingTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(
    arguments: [
      (["FMPS_RATING": "0.8"], 8), (["FMPS_RATING": "1"], 10), (["FMPS_RATING": "0.02"], 1),
      (["FMPS_RATING": "0"], nil),
      (["FMPS_RATING": "1.5"], nil), (["FMPS_RATING": "-1"], nil), (["FMPS/RATING": "0.5"], 5),
      (["POPM": "1"], 2), (["POPM": "64"], 4), (["POPM": "128"], 6), (["POPM": "196"], 8), (["POPM": "255"], 10),
      (["POPM": "0"], nil), (["POPM": "256"], nil), (["RATING": "4.5"], 9), (["RATING": "5"], 10),
      (["RATING": "80"], 8),
      (["RATING": "100"], 10), (["RATING": "0"], nil), (["RATING": "101"], nil), (["RATING": "good"], nil),
      (["RATING": "2", "POPM": "255"], 10), (["RATING": "2", "POPM": "255", "FMPS_RATING": "0.6"], 6),
      (["RATING": "2", "FMPS_RATING": "0"], 4), (["RATING WMP": "3"], 6), (["TITLE": "5"], nil),
      (["WM/SHAREDUSERRATING": "1"], 2), (["WM/SHAREDUSERRATING": "25"], 4), (["WM/SHAREDUSERRATING": "50"], 6),
      (["WM/SHAREDUSERRATING": "75"], 8), (["WM/SHAREDUSERRATING": "99"], 10), (["WM/SHAREDUSERRATING": "0"], nil),
      (["WM/SHAREDUSERRATING": "100"], nil), (["WM/SHAREDUSERRATING": "4294967295"], nil),
    ] as [([String: String], Int?)])
  func `A rating is read in the scale of its field`(values: [String: String], expected: Int?) {
    var fields = TagFields()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { fields.append(value, to: name) }
    #expect(fields.rating == expected, "\(values)")
  }

  /// Returns an ID3v2.4 tag of frames, given with their contents.
  static func tag(_ frames: [(String, [UInt8])]) -> [UInt8] {
    var body: [UInt8] = []
    for (name, content) in frames {
      let size = [UInt8(0), 0, UInt8(content.count >> 7), UInt8(content.count & 0x7F)]
      body += Array(name.utf8) + size + [0, 0] + content
    }
    let size = [UInt8(0), 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)]
    return Array("ID3".utf8) + [4, 0, 0] + size + body
  }

  private static func popularity(_ address: String, _ rating: UInt8) -> (String, [UInt8]) {
    ("POPM", Array(address.utf8) + [0, rating, 0, 0, 0, 1])
  }

  @Test func `The highest rating of any program counts, and FMPS_Rating before it`() throws {
    let title = ("TIT2", [3] + Array("T".utf8))
    let frames = [
      Self.popularity("a@b", 0), Self.popularity("Windows Media Player 9 Series", 128), Self.popularity("x", 64),
    ]
    let path = try directory.write(Self.tag([title] + frames) + SoundBytes.mp3(), to: "a.mp3")
    #expect(TagContents(path)?.fields.rating == 6)
    let described = ("TXXX", [3] + Array("FMPS_Rating\u{0}0.3".utf8))
    let txxx = try directory.write(Self.tag([title, described] + frames) + SoundBytes.mp3(), to: "b.mp3")
    #expect(TagContents(txxx)?.fields.rating == 3)
    let damaged = try directory.write(
      Self.tag([title, ("POPM", [0x61, 0]), ("POPM", [0])]) + SoundBytes.mp3(), to: "c.mp3")
    #expect(TagContents(damaged) != nil && TagContents(damaged)?.fields.rating == nil)
    let flac = try directory.write(SoundBytes.flac([("TITLE", "T"), ("Rating", "60")]), to: "d.flac")
    #expect(TagContents(flac)?.fields.rating == 6)
  }
}
