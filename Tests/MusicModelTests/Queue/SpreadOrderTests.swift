// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage
import TestSupport
import Testing

@testable import MusicModel

/// The random order in which the tracks of an artist are far apart.
struct SpreadOrderTests {
  /// Returns a queue of as many tracks of each artist as `counts` says, in albums of four, shuffled with `seed`.
  private func queue(_ counts: [Int], current: Int? = nil, seed: UInt64) -> PlayQueue {
    let tracks = counts.enumerated().flatMap { artist, count in
      (0..<count).map { number in
        var track = Track(path: FilePath("/m/\(artist)/\(number / 4)/\(number).flac"), title: "\(artist).\(number)")
        (track.artists, track.album) = (["Artist \(artist)"], "Album \(artist) \(number / 4)")
        return track
      }
    }
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "T", tracks: tracks), item: current))
    queue.reduce(.setRandom(.spread, seed: seed))
    return queue
  }

  private func played(_ queue: PlayQueue) -> [Track] {
    queue.itemsInPlayingOrder(count: queue.items.count).map(\.track)
  }

  @Test func `Each track is played once, and an artist follows itself only where it cannot be avoided`() {
    var random = SeededGenerator(seed: 3)
    for seed in 0..<200 {
      let counts = (0..<Int.random(in: 1...12, using: &random)).map { _ in Int.random(in: 1...20, using: &random) }
      let order = played(queue(counts, seed: UInt64(seed)))
      #expect(Set(order.map(\.title)).count == counts.reduce(0, +) && order.count == counts.reduce(0, +))
      let repetitions = zip(order, order.dropFirst()).filter { $0.artists == $1.artists }.count
      let most = counts.max() ?? 0
      #expect(repetitions == max(0, most - (order.count - most) - 1), "\(counts), seed \(seed)")
    }
  }

  @Test func `The tracks of an artist are spread evenly, and those of an album among them`() {
    for seed in 0..<20 {
      let order = played(queue(Array(repeating: 12, count: 10), seed: UInt64(seed)))
      for artist in 0..<10 {
        let places = order.indices.filter { order[$0].artists == ["Artist \(artist)"] }
        let gaps = zip(places, places.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { (5...16).contains($0) }, "\(gaps)")
        let albums = places.map { order[$0].album }
        #expect(!zip(albums, albums.dropFirst()).contains { $0 == $1 }, "\(albums)")
      }
    }
  }

  @Test func `The current track comes first, another artist next, and another seed gives another order`() {
    let first = queue([6, 6, 6], current: 3, seed: 1)
    let order = played(first)
    #expect(order[0].title == "0.3" && order[1].artists != order[0].artists)
    #expect(played(queue([6, 6, 6], current: 3, seed: 1)) == order)
    #expect(played(queue([6, 6, 6], current: 3, seed: 2)) != order)
  }

  @Test func `Tracks without an artist are not taken for those of one`() {
    var queue = PlayQueue()
    let tracks = (0..<9).map { Track(path: FilePath("/m/\($0).flac"), title: "\($0)") }
    queue.reduce(.enqueue(TrackCollection(title: "T", tracks: tracks), item: nil))
    queue.reduce(.setRandom(.spread, seed: 7))
    #expect(Set(played(queue).map(\.title)).count == 9)
  }

  @Test func `A stored queue keeps the order`() throws {
    let queue = queue([5, 5], current: 2, seed: 4)
    var restored = PlayQueue()
    restored.reduce(.restored(queue.stored))
    #expect(restored.modes.random == .spread && played(restored) == played(queue))
  }
}

/// Music that is added before the queue ends.
struct KeepPlayingTests {
  @Test(arguments: [
    ("similar", KeepPlaying(.similar)), ("Albums  SIMILAR", KeepPlaying(.similar, by: .albums)),
    ("genre:jazz rating:4..", KeepPlaying(.query("genre:jazz rating:4.."))),
    ("albums playlist:\"Late night\"", KeepPlaying(.query("playlist:\"Late night\""), by: .albums)),
    ("albums", KeepPlaying(.query("albums"))),
  ])
  func `The mode is read from text, and written so`(text: String, mode: KeepPlaying) {
    #expect(KeepPlaying(text) == mode)
    #expect(KeepPlaying(mode.text) == mode)
  }

  @Test func `What is added is marked, and undone as one step`() throws {
    var queue = PlayQueue()
    let tracks = (0..<3).map { Track(path: FilePath("/m/\($0).flac"), title: "\($0)") }
    queue.reduce(.enqueue(TrackCollection(title: "T", tracks: tracks), item: 1))
    queue.reduce(.setKeepPlaying(KeepPlaying(.similar)))
    #expect(queue.remainingCount == 1)
    queue.reduce(.refill(TrackCollection(title: "similar", tracks: tracks)))
    #expect(queue.items.map(\.isRefill) == [false, false, false, true, true, true])
    #expect(queue.remainingCount == 4 && queue.undoable.last == "keep playing similar (3 items)")
    var restored = PlayQueue()
    restored.reduce(.restored(queue.stored))
    #expect(restored.items.map(\.isRefill) == queue.items.map(\.isRefill))
    #expect(restored.modes.keepPlaying == KeepPlaying(.similar))
    queue.reduce(.undo(steps: 1))
    #expect(queue.items.count == 3 && queue.modes.keepPlaying != nil)
    #expect(KeepPlaying("  ") == nil)
  }
}
