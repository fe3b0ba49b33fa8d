// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import MusicModel
import SystemPackage
import Testing

/// Properties of grouping that hold for any tracks.
struct AlbumGroupingPropertyTests {
  private static let seeds = Array(UInt64(1)...5)

  private func tracks(_ seed: UInt64, root: String = "/m") -> [Track] {
    var random = SeededRandom(state: seed)
    let releases: [String?] = [nil, nil, nil, "1111", "2222", "3333"]
    let count = 10 * (1 + Int(seed % 6))
    return (0..<count).map { index in
      let directory =
        ["a", "b", "A", "CD1", "CD2", "a/Disc 1", "b CD2", ""].randomElement(using: &random) ?? ""
      let name = ["x\(index)", "\(index) x", "x", "\(index % 4) y"].randomElement(using: &random) ?? ""
      let suffix = ["flac", "flac", "mp3", "OGG"].randomElement(using: &random) ?? ""
      return track(
        "\(root)/\(directory.isEmpty ? "" : directory + "/")\(name).\(suffix)",
        album: [nil, nil, "A", "a", "B", "A (Disc 2)"].randomElement(using: &random) ?? nil,
        artist: [nil, "X", "Y", "X feat. Y"].randomElement(using: &random) ?? nil,
        albumArtist: [nil, nil, nil, "X", "VA"].randomElement(using: &random) ?? nil,
        number: [nil, nil, 1, 2, 3, index].randomElement(using: &random) ?? nil,
        disc: [nil, nil, nil, 1, 2].randomElement(using: &random) ?? nil,
        release: releases.randomElement(using: &random) ?? nil, isCompilation: index % 11 == 0)
    }.reduce(into: [String: Track]()) { $0[$1.path.string] = $1 }.sorted { $0.key < $1.key }.map(\.value)
  }

  private func paths(_ albums: [Album]) -> Set<[FilePath]> { Set(albums.map { $0.tracks.map(\.path) }) }

  @Test(arguments: seeds)
  func `Every track is in exactly one album`(seed: UInt64) {
    let tracks = tracks(seed)
    let albums = AlbumGrouping.unsortedAlbums(of: tracks)
    #expect(albums.allSatisfy { !$0.tracks.isEmpty })
    #expect(albums.flatMap(\.tracks).map(\.path.string).sorted() == tracks.map(\.path.string))
  }

  @Test(arguments: seeds)
  func `The order of the tracks does not matter`(seed: UInt64) {
    var random = SeededRandom(state: seed)
    let tracks = tracks(seed)
    let albums = AlbumGrouping.albums(of: tracks)
    for _ in 0..<2 { #expect(AlbumGrouping.albums(of: tracks.shuffled(using: &random)) == albums) }
  }

  @Test(arguments: seeds)
  func `Grouping the tracks of albums again changes nothing`(seed: UInt64) {
    let albums = AlbumGrouping.albums(of: tracks(seed))
    #expect(AlbumGrouping.albums(of: albums.flatMap(\.tracks)) == albums)
  }

  @Test(arguments: seeds)
  func `Unrelated directories give the same albums alone and together`(seed: UInt64) {
    let left = tracks(seed, root: "/left")
    let right = tracks(seed + 100, root: "/right").map { track in
      var track = track
      track.album = track.album.map { "Other \($0)" }
      track.musicBrainzAlbumID = track.musicBrainzAlbumID.map { $0 + "-other" }
      return track
    }
    let separate = paths(AlbumGrouping.albums(of: left)).union(paths(AlbumGrouping.albums(of: right)))
    #expect(paths(AlbumGrouping.albums(of: left + right)) == separate)
  }

  @Test(arguments: seeds)
  func `Related tracks give the same albums alone and among others`(seed: UInt64) {
    let tracks = tracks(seed) + tracks(seed + 50, root: "/other")
    // Sets of tracks joined by a key or an id, which an index groups again together.
    var sets = tracks.indices.map { [$0] }
    var setIndices = Array(tracks.indices)
    func join(_ left: Int, _ right: Int) {
      let (target, source) = (setIndices[left], setIndices[right])
      guard target != source else { return }
      for index in sets[source] { setIndices[index] = target }
      sets[target] += sets[source]
      sets[source] = []
    }
    var firstIndices: [String: Int] = [:]
    for (index, track) in tracks.enumerated() {
      let names =
        ["key " + AlbumGrouping.groupKey(of: track)] + (track.musicBrainzAlbumID.map { ["id " + $0] } ?? [])
      for name in names {
        if let first = firstIndices[name] { join(first, index) } else { firstIndices[name] = index }
      }
    }
    let related = sets.filter { !$0.isEmpty }.map { $0.sorted().map { tracks[$0] } }
    let separate = related.reduce(into: Set<Album>()) { $0.formUnion(AlbumGrouping.albums(of: $1)) }
    #expect(separate == Set(AlbumGrouping.albums(of: tracks)))
  }
}

private struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}
