// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import Testing

@testable import MusicModel

struct AlbumKeyTests {
  private static let paths: [FilePath] = [
    "/m/a/1.flac", "/m/1.flac", "/1.flac", "1.flac", "a/1.flac", "/", "", "//m//b//2.flac", "/m/é ü/ö.mp3",
    "./x", "../x/y",
  ]

  @Test(arguments: paths)
  func `Without an album title, the key depends on the bytes of the directory`(path: FilePath) {
    var key = StableHash()
    key.combine(0 as UInt64)
    for byte in path.removingLastComponent().string.utf8 { key.combine(byte: byte) }
    #expect(Track(path: path, title: "t").albumKey == key.value)
  }

  @Test func `With an album title and album artists, the key does not depend on the directory`() {
    var (one, other) = (Track(path: "/a/1", title: "1"), Track(path: "/b/2", title: "2"))
    (one.album, other.album) = ("Blue", "Blue")
    #expect(one.albumKey != other.albumKey)
    (one.albumArtists, other.albumArtists) = (["J"], ["J"])
    #expect(one.albumKey == other.albumKey)
  }
}

/// Whether a track is continued by the next one of its album.
@Suite struct TrackAlbumTests {
  private func track(
    _ path: String, album: String? = "A", artist: String? = "X", disc: Int? = nil, number: Int? = nil
  ) -> Track {
    var track = Track(path: FilePath(path), title: path)
    track.album = album
    track.albumArtists = artist.map { [$0] } ?? []
    track.disc = disc.map { Ordinal($0) }
    track.number = number.map { Ordinal($0) }
    return track
  }

  @Test func `Tracks of one album continue each other by disc and number, even across a gap`() {
    #expect(track("a/1", number: 1).isContinued(by: track("a/2", number: 2)))
    #expect(track("a/1", number: 1).isContinued(by: track("a/5", number: 5)))
    #expect(track("a/9", disc: 1, number: 9).isContinued(by: track("b/1", disc: 2, number: 1)))
    #expect(!track("a/2", number: 2).isContinued(by: track("a/1", number: 1)))
    #expect(!track("a/2", number: 2).isContinued(by: track("a/2", number: 2)))
    #expect(!track("b/1", disc: 2, number: 1).isContinued(by: track("a/9", disc: 1, number: 9)))
  }

  @Test func `Discs that only their titles tell apart continue each other`() {
    func track(_ subtitle: String, disc: Int? = nil, number: Int) -> Track {
      var track = self.track("a/\(subtitle)\(number)", disc: disc, number: number)
      track.additionalTags = AdditionalTags([AdditionalTags.Value(.discSubtitle, subtitle)])
      return track
    }
    #expect(track("Live", number: 2).isContinued(by: track("Studio", number: 1)))
    #expect(!track("Live", number: 2).isContinued(by: track("Live", number: 1)))
    #expect(!track("Live", disc: 1, number: 2).isContinued(by: track("Studio", disc: 1, number: 1)))
  }

  @Test func `A track of another album or album artist is not a continuation`() {
    #expect(!track("a/1", number: 1).isContinued(by: track("a/2", album: "B", number: 2)))
    #expect(!track("a/1", number: 1).isContinued(by: track("a/2", artist: "Y", number: 2)))
  }

  @Test func `Without an album artist or album, both tracks must be in one directory`() {
    #expect(track("a/1", artist: nil, number: 1).isContinued(by: track("a/2", artist: nil, number: 2)))
    #expect(!track("a/1", artist: nil, number: 1).isContinued(by: track("b/2", artist: nil, number: 2)))
    #expect(
      track("a/1", artist: nil, disc: 1, number: 9).isContinued(
        by: track("b/1", artist: nil, disc: 2, number: 1)))
    #expect(track("a/1", album: nil, artist: nil).isContinued(by: track("a/2", album: nil, artist: nil)))
    #expect(!track("a/1", album: nil, artist: nil).isContinued(by: track("b/2", album: nil, artist: nil)))
  }

  @Test func `Without an album, tracks of different artists do not continue each other`() {
    func single(_ path: String, _ artists: [String], albumArtist: String? = nil) -> Track {
      var track = track(path, album: nil, artist: albumArtist, number: path == "a/1" ? 1 : 2)
      track.artists = artists
      return track
    }
    #expect(!single("a/1", ["X"]).isContinued(by: single("a/2", ["Y"])))
    #expect(!single("a/1", ["X"]).isContinued(by: single("a/2", [])))
    #expect(!single("a/1", []).isContinued(by: single("a/2", ["X"])))
    #expect(!single("a/1", ["X"], albumArtist: "Z").isContinued(by: single("a/2", ["Y"], albumArtist: "Z")))
    #expect(single("a/1", ["X"]).isContinued(by: single("a/2", ["X"])))
  }

  @Test func `An item plays its album in order if the next or previous item belongs to it`() throws {
    var queue = PlayQueue()
    let tracks = [
      track("a/1", number: 1), track("a/2", number: 2), track("c", album: "C", number: 1),
      track("a/3", number: 3),
    ]
    queue.reduce(.enqueue(TrackCollection(title: "", tracks: tracks), item: nil))
    #expect(queue.items.map { queue.playsAlbumInOrder($0.id) } == [true, true, false, false])
  }
}
