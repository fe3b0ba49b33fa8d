// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow
import PlayerPort
import SystemPackage
import Testing

@Suite struct NowPlayingTests {
  private static func queue(_ titles: [String]) -> PlayQueue {
    let tracks = titles.map { Track(path: FilePath("/music/\($0)"), title: $0) }
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Titles", tracks: tracks), item: 0))
    return queue
  }

  @Test func `The playing item is included, or else the current one, and each upcoming track once`() {
    var queue = Self.queue(["a", "b", "c"])
    let (first, second) = (queue.items[0].id, queue.items[1].id)
    let nowPlaying = NowPlaying(queue, playing: second)
    #expect(
      nowPlaying.track?.title == "b" && nowPlaying.position == 1 && nowPlaying.count == 3
        && nowPlaying.title == "Titles")
    #expect(nowPlaying.next.map(\.title) == ["c"])
    #expect(NowPlaying(queue, playing: nil).next.map(\.title) == ["b", "c"])
    queue.reduce(.setRepeat(.all))
    #expect(NowPlaying(queue, playing: first).next.map(\.title) == ["b", "c", "a"])
    #expect(NowPlaying(queue, playing: first).modes.repeat == "all")
    // An item that was removed meanwhile is not the playing one.
    queue.reduce(.remove(.items([second])))
    #expect(NowPlaying(queue, playing: second).track?.title == "a")
    queue.reduce(.setRepeat(.one))
    #expect(NowPlaying(queue, playing: first).next.map(\.title) == ["a"])
  }

  @Test func `A long queue has as many upcoming tracks as requested, an empty one none`() {
    let queue = Self.queue((0..<40).map { "t\($0)" })
    #expect(NowPlaying(queue, playing: nil).next.map(\.title) == ["t1", "t2", "t3", "t4", "t5"])
    #expect(NowPlaying(queue, playing: nil, nextLimit: 0).next.isEmpty)
    let empty = NowPlaying(PlayQueue(), playing: nil)
    #expect(empty.track == nil && empty.position == nil && empty.count == 0 && empty.next.isEmpty)
  }

  @Test func `What a stream says describes its item, and no other`() {
    let queue = Self.queue(["a", "b"])
    let text = SourceText(title: "Two")
    let (first, second) = (queue.items[0].id, queue.items[1].id)
    #expect(NowPlaying(queue, playing: first, sourceText: text).track?.title == "Two")
    #expect(NowPlaying(queue, playing: first, sourceText: text).next.map(\.title) == ["b"])
    #expect(NowPlaying(queue, playing: second, sourceText: text).track?.title == "Two")
    #expect(NowPlaying(queue, playing: nil, sourceText: text).track?.title == "a")
    #expect(NowPlaying(queue, PlaybackState()) == NowPlaying(queue, playing: nil))
  }
}
