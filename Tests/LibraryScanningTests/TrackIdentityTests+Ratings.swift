// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import GRDB
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel
@testable import Tagging

/// Ratings in the tags of files.
extension TrackIdentityTests {
  private func write(_ name: String, sound: Int, title: String, rating: String?) throws {
    var bytes = SoundBytes.flac([("TITLE", title), ("ARTIST", "A")] + (rating.map { [("FMPS_RATING", $0)] } ?? []))
    withUnsafeBytes(of: UInt64(sound).littleEndian) { bytes.replaceSubrange(26..<34, with: $0) }
    bytes[41] = 1
    try rig.directory.write(bytes + [0], to: FilePath("music").pushing(FilePath(name)))
  }

  private var marked: Int { get throws { try rig.rows("SELECT 1 FROM sticker WHERE name = 'tagRating'").count } }

  @Test func `The rating in the tags counts where the user has not rated the track, and follows the tags`() throws {
    try write("a/1.flac", sound: 1, title: "One", rating: "0.6")
    try write("a/2.flac", sound: 2, title: "Two", rating: "0.6")
    try write("a/3.flac", sound: 3, title: "Three", rating: nil)
    try rig.scan()
    #expect(try ratings == ["One": "6", "Two": "6"] && marked == 2)
    try rate("Two", "10")
    #expect(try marked == 1)
    try write("a/1.flac", sound: 1, title: "One", rating: "0.85")
    try write("a/2.flac", sound: 2, title: "Two", rating: "0.2")
    try write("a/3.flac", sound: 3, title: "Three", rating: "1")
    try rig.scan()
    #expect(try ratings == ["One": "9", "Two": "10", "Three": "10"] && marked == 2)
    try write("a/1.flac", sound: 1, title: "One", rating: nil)
    try rig.scan()
    #expect(try ratings == ["Two": "10", "Three": "10"] && marked == 1)
    // Removing the rating removes that of the tags, too.
    let id = try #require(try rig.ids["Three"].flatMap { Int64($0) })
    #expect(try rig.library().removeSticker(Sticker.rating, of: id))
    #expect(try ratings == ["Two": "10"] && marked == 0)
  }

  @Test func `The user's rating of a track survives when its file is found elsewhere with a rating in its tags`() throws
  {
    try write("a/1.flac", sound: 1, title: "One", rating: nil)
    try rig.scan()
    try rate("One", "4")
    // The file is first found at its new path, as a new track, and then missed at the old one.
    try write("b/1.flac", sound: 1, title: "One", rating: "0.8")
    try rig.scan()
    try rig.remove("a/1.flac")
    try rig.scan()
    #expect(try ratings == ["One": "4"] && marked == 0)
  }
}
