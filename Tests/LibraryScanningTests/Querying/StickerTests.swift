// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import LibraryIndex
@testable import LibraryScanning
@testable import MusicModel

@Suite struct StickerTests {
  private func trackID(_ rig: ScanRig, _ name: String) throws -> Int64? {
    guard case .tracks(let ids)? = try rig.library().browse({ try $0.target(at: FilePath(name)) }) ?? nil else {
      return nil
    }
    return ids.first
  }

  @Test func `Stickers stay with their track when it is moved, retagged or read again`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", album: "A", 1)
    try rig.add("a/2.flac", album: "A", 2)
    try rig.scan()
    let library = rig.library()
    let first = try #require(try trackID(rig, "a/1.flac"))
    try library.set(Sticker(name: Sticker.rating, value: "8"), of: first)
    try rig.move("a/1.flac", to: "b/c/one.flac")
    try rig.scan()
    #expect(try trackID(rig, "b/c/one.flac") == first)
    #expect(try library.stickers(of: first) == [Sticker(name: "rating", value: "8")])
    try rig.add("b/c/one.flac", album: "Another", 7, padding: 3)
    try rig.scan()
    let retagged = try #require(try trackID(rig, "b/c/one.flac"))
    #expect(try library.stickers(of: retagged) == [Sticker(name: "rating", value: "8")])
  }

  @Test func `Stickers of a missing track are not given to another track`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
    let library = rig.library()
    let first = try #require(try trackID(rig, "a/1.flac"))
    try library.set(Sticker(name: Sticker.rating, value: "8"), of: first)
    try rig.remove("a/1.flac")
    try rig.add("z/9.flac", album: "Z", 9, padding: 9)
    try rig.scan()
    let other = try #require(try trackID(rig, "z/9.flac"))
    #expect(try library.stickers(of: other).isEmpty)
    #expect(try library.stickers(Sticker.rating, within: "").isEmpty)
  }

  @Test func `Plays are counted only for tracks in the library`() throws {
    let rig = try ScanRig()
    try rig.add("a/1.flac", album: "A", 1)
    try rig.scan()
    let library = rig.library()
    let path = rig.root.pushing("a/1.flac")
    #expect(try library.count(.play, of: path, at: 1_000))
    #expect(try library.count(.play, of: path, at: 2_000))
    #expect(try !library.count(.play, of: path, TrackSegment(start: 75, end: nil), at: 3_000))
    #expect(try !library.count(.play, of: "/elsewhere/1.flac", at: 3_000))
    let first = try #require(try trackID(rig, "a/1.flac"))
    let expected = [Sticker(name: "lastPlayed", value: "2000"), Sticker(name: "playCount", value: "2")]
    #expect(try library.stickers(of: first) == expected)
    // Text set by another client is not a number and counts as 0.
    try library.set(Sticker(name: Sticker.playCount, value: "often"), of: first)
    #expect(try library.count(.play, of: path, at: 4_000))
    #expect(try library.stickers(Sticker.playCount, within: "a", .equalsNumber(1)).map(\.track) == [first])
  }
}
