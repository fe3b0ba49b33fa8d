// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

/// Unpacked tracks are equal to the tracks that were packed.
@Suite struct TrackListTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func `Packing loses nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let tracks = (0..<700).map { _ in Self.track(&random) }
    let list = TrackList(tracks)
    #expect(list.count == tracks.count)
    for (packed, track) in zip(list, tracks) {
      #expect(packed == track)
      #expect(Self.bytes(packed) == Self.bytes(track))
    }
  }

  @Test func `A title may be longer than a page, and a list may be empty`() {
    var long = Track(path: "/a", title: String(repeating: "long ", count: 40_000))
    long.artists = [long.title]
    let tracks = [long, Track(path: "/b", title: "b"), long]
    #expect(Array(TrackList(tracks)) == tracks)
    #expect(TrackList([]).isEmpty && TrackList([]) == [])
  }

  /// Returns the bytes of the texts, in which even equal texts may differ.
  private static func bytes(_ track: Track) -> [[UInt8]] {
    let texts =
      [track.title, track.album ?? ""] + track.artists + track.albumArtists + track.genres + track.composers
    return texts.map { Array($0.utf8) }
  }

  private static func track(_ random: inout SeededGenerator) -> Track {
    func chance(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    func number() -> Int { [0, 1, 7, 300, -5, .max, .min, 123_456_789][chance(8)] }
    func text() -> String {
      ["", "A", "Cafe\u{301}", "Caf\u{E9}", "曲", "\0x", "A longer text of some words"][chance(7)]
    }
    func texts() -> [String] { (0..<chance(3)).map { _ in text() } }
    func double() -> Double? { [nil, -7.25, 0.988_553, 1.0 / 3, -0.0, .infinity, 1e300, 0][chance(8)] }
    var track = Track(path: FilePath("/music/\(chance(3))/\(chance(4))"), title: text())
    if chance(3) == 0 { track.path = "relative" }
    track.segment = chance(4) == 0 ? TrackSegment(start: chance(99), end: chance(2) == 0 ? nil : 100) : nil
    track.range =
      chance(4) == 0
      ? PlayedRange(
        start: .milliseconds(chance(9_000)), end: chance(2) == 0 ? nil : .seconds(10 + chance(9)),
        wholeDuration: chance(2) == 0 ? nil : .seconds(60)) : nil
    track.artists = texts()
    track.album = chance(2) == 0 ? nil : text()
    track.albumArtists = texts()
    track.genres = texts()
    track.composers = texts()
    track.number = chance(2) == 0 ? nil : Ordinal(number(), of: chance(2) == 0 ? nil : number())
    track.disc = chance(2) == 0 ? nil : Ordinal(number())
    track.date = ReleaseDate(year: chance(4_000), month: chance(2) == 0 ? nil : 12)
    track.isCompilation = chance(2) == 0
    track.sortNames.artist = chance(2) == 0 ? nil : text()
    track.sortNames.title = chance(2) == 0 ? nil : text()
    track.replayGain = ReplayGainTags(
      trackGain: double(), trackPeak: double(), albumGain: double(), albumPeak: double())
    track.musicBrainzAlbumID = chance(3) == 0 ? text() : nil
    track.additionalTags = AdditionalTags(
      AdditionalTags.Kind.allCases.shuffled(using: &random).prefix(chance(5)).map { kind in
        let identifier = "0123456\(chance(9))-89ab-cdef-0000-ffffeeeedddd"
        return AdditionalTags.Value(kind, chance(2) == 0 ? identifier : text())
      })
    track.duration =
      [
        nil, .seconds(3), .milliseconds(250_123), .microseconds(7), .nanoseconds(11), .seconds(-4),
        .seconds(1 << 60),
      ][chance(7)]
    track.audio =
      chance(2) == 0
      ? nil : AudioSummary(sampleRate: number(), channels: chance(9), bitDepth: chance(2) == 0 ? nil : 24)
    return track
  }
}
