// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import Testing

/// The rules of playback, editing and undo, one by one.
@Suite struct PlayQueueRulesTests {
  private func queue(_ actions: QueueAction...) -> PlayQueue {
    var queue = PlayQueue()
    let tracks = (0..<10).map { QueueExamples.track($0 + 20) }
    queue.reduce(.enqueue(TrackCollection(title: "Ten", tracks: tracks), item: 4))
    actions.forEach { queue.reduce($0) }
    return queue
  }

  private func id(_ raw: UInt64) -> PlayQueue.Item.ID { PlayQueue.Item.ID(rawValue: raw) }

  private func few(_ count: Int) -> TrackCollection {
    TrackCollection(title: "Few", tracks: (0..<count).map { QueueExamples.track($0) })
  }

  @Test func `Edits are named after what they did`() {
    let queue = queue(
      .add(few(2), at: .end), .shuffle(nil, by: .tracks, seed: 1), .sort(nil, by: .path, descending: true),
      .remove(.positions([0..<1])), .clear)
    #expect(
      queue.undoable == [
        "play Ten (10 items)", "add Few (2 items)", "shuffle", "sort by path, descending", "remove (1 item)",
        "clear (11 items)",
      ])
  }

  @Test func `An item loses its priority when it is played, but not by becoming current`() {
    let all = QueueSelection.positions([0..<10])
    var queue = queue(.prioritise(all, 9))
    #expect(queue.items.allSatisfy { $0.priority == 9 })
    queue.reduce(.play(id(2), from: .zero))
    queue.reduce(.skipped(to: id(3)))
    queue.reduce(.advanced(to: id(4)))
    #expect(queue.items.map(\.priority) == [9, 0, 0, 0, 9, 9, 9, 9, 9, 9])
    queue.reduce(.finished)
    #expect(queue.current?.id == id(5) && queue.items[4].priority == 9)
  }

  @Test func `Undo after clear restores the current item and its elapsed time`() {
    var queue = queue(.elapsed(.seconds(70)), .clear)
    #expect(queue.items.isEmpty && queue.current == nil && queue.elapsed == .zero)
    queue.reduce(.undo(steps: 1))
    #expect(queue.items.count == 10 && queue.current?.id == id(5) && queue.elapsed == .seconds(70))
    #expect(queue.redoable == ["clear (10 items)"])
  }

  @Test func `Undo keeps the playing item current if it is still there`() {
    let queue = queue(
      .shuffle(nil, by: .tracks, seed: 1), .play(id(7), from: .seconds(3)), .undo(steps: 1))
    #expect(queue.current?.id == id(7) && queue.elapsed == .seconds(3))
  }

  @Test func `Items that are swapped or sorted are those that were named, wherever they are by then`() {
    let names = { (queue: PlayQueue) in queue.items.map(\.id.rawValue) }
    let swapped = queue(.remove(.items([id(1)])), .move(.items([id(9)]), to: 0), .swap(id(4), id(2)))
    #expect(names(swapped) == [9, 4, 3, 2, 5, 6, 7, 8, 10])
    #expect(names(queue(.remove(.items([id(4)])), .swap(id(4), id(2)))) == [1, 2, 3, 5, 6, 7, 8, 9, 10])
    // The chosen items are at the positions 0, 2 and 7, and the path of a track grows with the ID of its item.
    let sorted = queue(
      .move(.items([id(5)]), to: 0), .sort(.items([id(8), id(2), id(5)]), by: .path, descending: true))
    #expect(names(sorted) == [8, 1, 5, 3, 4, 6, 7, 2, 9, 10])
  }

  private func sorted(_ key: QueueSortKey, _ tracks: [(name: String, change: (inout Track) -> Void)]) -> [String] {
    var queue = PlayQueue()
    let tracks = tracks.enumerated().map { index, entry in
      var track = Track(path: FilePath("/m/\(entry.name)"), title: entry.name)
      track.number = Ordinal(index + 1)
      entry.change(&track)
      return track
    }
    queue.reduce(.enqueue(TrackCollection(title: "Sorted", tracks: tracks), item: 0))
    queue.reduce(.sort(nil, by: key, descending: false))
    return queue.items.map(\.track.title)
  }

  @Test(arguments: [QueueSortKey.artist, .album])
  func `A sort name that only some tracks state sorts all tracks of the artist`(key: QueueSortKey) {
    let names = sorted(
      key,
      [
        ("a", { $0.artists = ["Al Green"] }), ("b", { $0.artists = ["Bob"] }),
        ("c", { ($0.artists, $0.sortNames.artist) = (["AL GREEN"], "Green, Al") }),
        ("d", { ($0.albumArtists, $0.artists) = (["Al Green"], ["Al Green"]) }), ("e", { $0.artists = ["Hal"] }),
      ])
    #expect(names == ["b", "a", "c", "d", "e"])
  }

  @Test func `Sorting by album keeps discs together that only their titles tell apart`() {
    func on(_ title: String?, disc: Int? = nil) -> (inout Track) -> Void {
      { track in
        (track.album, track.disc) = ("A", disc.map { Ordinal($0) })
        track.additionalTags = AdditionalTags(title.map { [AdditionalTags.Value(.discSubtitle, $0)] } ?? [])
      }
    }
    #expect(
      sorted(.album, [("a", on("Studio")), ("b", on("Live")), ("c", on("studio")), ("d", on("live")), ("e", on(nil))])
        == ["e", "b", "d", "a", "c"])
    #expect(
      sorted(.album, [("a", on("X", disc: 1)), ("b", on("L", disc: 1)), ("c", on("X", disc: 1))]) == ["a", "b", "c"])
  }

  @Test func `Two hundred edits can be undone`() {
    var queue = queue()
    for _ in 0..<250 { queue.reduce(.swap(id(1), id(2))) }
    #expect(queue.undoable.count == 200)
    queue.reduce(.undo(steps: 1_000))
    #expect(queue.redoable.count == 200)
    queue.reduce(.redo(steps: .max))
    #expect(queue.undoable.count == 200 && queue.redoable.isEmpty)
  }

  @Test(arguments: QueueModes.Random.allCases)
  func `Items added to play next come after the current item in the order of adding`(
    random: QueueModes.Random
  ) {
    var queue = queue(.setRandom(random, seed: 3), .add(few(2), at: .next), .add(few(1), at: .next))
    #expect((5...7).map { queue.items.id(at: $0) } == [id(11), id(12), id(13)])
    for next in [11, 12, 13] as [UInt64] {
      let successor = queue.current.flatMap { queue.successor(of: $0.id) }
      #expect(successor?.id == id(next))
      queue.reduce(.advanced(to: id(next)))
    }
  }

  @Test func `If the current item is removed, the next one in playing order becomes current`() {
    let plain = queue(.elapsed(.seconds(1)), .remove(.positions([2..<7])))
    #expect(plain.current?.id == id(8) && plain.elapsed == .zero)
    #expect(queue(.remove(.positions([4..<10]))).current == nil)
    var random = queue(.setRandom(.tracks, seed: 9))
    let order = random.idsInPlayingOrder
    random.reduce(.remove(.items([order[0], order[1]])))
    #expect(random.current?.id == order[2])
  }

  @Test func `Single pauses before the next item, or repeats the same item if repeat is on`() {
    let single = queue(.setSingle(.on))
    #expect(single.pausesAfterItems && single.successor(of: id(5)) == nil)
    #expect(single.withSingleOff.successor(of: id(5))?.id == id(6))
    #expect(queue(.setSingle(.on), .stopAfter(.current)).withSingleOff.successor(of: id(5)) == nil)
    #expect(queue(.setSingle(.on)).item(after: id(5))?.id == id(6))
    let repeated = queue(.setSingle(.once), .setRepeat(.album))
    #expect(!repeated.pausesAfterItems && repeated.successor(of: id(5))?.id == id(5))
  }

  @Test func `Single once turns off after a pause, but not if the item repeats or nothing follows`() {
    let waiting = queue(.setSingle(.once), .paused(before: id(6)))
    #expect(waiting.modes.single == .off && waiting.current?.id == id(6))
    #expect(queue(.setSingle(.on), .paused(before: id(6))).modes.single == .on)
    #expect(queue(.setSingle(.once), .setRepeat(.all), .advanced(to: id(5))).modes.single == .once)
    #expect(queue(.setSingle(.once), .finished).modes.single == .once)
    let consumed = queue(.setConsume(true), .setSingle(.once), .paused(before: id(6)))
    #expect(consumed.items.count == 9 && consumed.current?.id == id(6))
  }

  @Test func `A consumed item is not played again`() {
    let single = queue(.setSingle(.on), .setRepeat(.all), .setConsume(true))
    #expect(single.successor(of: id(5))?.id == id(6) && single.successor(of: id(10))?.id == id(1))
    let alone = queue(.setRepeat(.all), .setConsume(true), .crop(nil))
    #expect(alone.current.map { alone.successor(of: $0.id) } == .some(nil))
  }

  @Test func `Repeat continues with the item, the album or the queue`() {
    #expect(queue().successor(of: id(10)) == nil)
    #expect(queue(.setRepeat(.all)).successor(of: id(10))?.id == id(1))
    #expect(queue(.setRepeat(.one)).successor(of: id(10))?.id == id(10))
    #expect(queue(.setRepeat(.one)).item(after: id(9))?.id == id(10))
    #expect(queue(.setRepeat(.album)).successor(of: id(5))?.id == id(1))
    #expect(queue(.setRepeat(.album)).item(after: id(5))?.id == id(6))
  }

  @Test func `Consume once removes one item`() {
    var queue = queue(.setConsume(true, once: true), .advanced(to: id(6)))
    #expect(queue.items.count == 9 && !queue.modes.consume && !queue.modes.consumesOnce)
    queue.reduce(.advanced(to: id(7)))
    #expect(queue.items.count == 9)
    queue.reduce(.setConsume(false, once: true))
    #expect(!queue.modes.consume && !queue.modes.consumesOnce)
  }

  @Test func `A range limits an item, which keeps its id`() {
    var whole = queue()
    let item = whole.items[2]
    whole.reduce(.setRange(item.id, from: .milliseconds(100), to: nil))
    let part = whole.items[2]
    #expect(part.id == item.id && part.track.range?.start == .milliseconds(100) && part.track.title == item.track.title)
    #expect(part.track.duration == item.track.duration.map { $0 - .milliseconds(100) })
    whole.reduce(.setRange(item.id, from: .zero, to: nil))
    #expect(whole.items[2] == item && whole.undoable.last == "range")
    whole.reduce(.undo(steps: 1))
    #expect(whole.items[2] == part)
  }

  @Test func `Stop after applies once`() {
    #expect(queue(.stopAfter(.current), .setRepeat(.one)).successor(of: id(5)) == nil)
    #expect(queue(.stopAfter(.album)).successor(of: id(2))?.id == id(3))
    #expect(queue(.stopAfter(.album)).successor(of: id(5)) == nil)
    let stopped = queue(.stopAfter(.current), .finished)
    #expect(stopped.modes.stopAfter == nil && stopped.current?.id == id(6) && stopped.elapsed == .zero)
    #expect(queue(.play(id(10), from: .zero), .finished).current == nil)
  }

  @Test func `Consume removes the item that was played, and does not affect undo`() {
    var queue = queue(.setConsume(true), .swap(id(1), id(2)), .advanced(to: id(6)))
    #expect(queue.items.count == 9 && queue.position(of: id(5)) == nil && queue.undoable.last == "swap")
    queue.reduce(.undo(steps: 1))
    #expect(queue.items.count == 10 && queue.current?.id == id(6))
  }

  @Test(arguments: [QueueModes.Random.tracks, .albums], 1...5 as ClosedRange<UInt64>)
  func `After a repeated random order, a new one begins with the announced item`(
    random: QueueModes.Random, seed: UInt64
  ) throws {
    var queue = queue(.setRepeat(.all), .setRandom(random, seed: seed))
    for _ in 0..<3 {
      let last = try #require(queue.idsInPlayingOrder.last)
      queue.reduce(.skipped(to: last))
      let next = try #require(queue.successor(of: last))
      #expect(next.id != last && queue.successor(of: last) == next)
      queue.reduce(.advanced(to: next.id))
      #expect(queue.idsInPlayingOrder.first == next.id && queue.idsInPlayingOrder.count == 10)
    }
  }

  @Test func `Changing the order never changes the current item`() {
    var queue = queue(.elapsed(.seconds(9)))
    for mode in [QueueModes.Random.tracks, .albums, .tracks, .off] {
      queue.reduce(.setRandom(mode, seed: 4))
      #expect(queue.current?.id == id(5) && queue.elapsed == .seconds(9))
    }
    #expect(queue.idsInPlayingOrder == (1...10).map { id($0) })
  }

  @Test func `Items of a higher priority are played first in random order`() {
    let queue = queue(
      .setRandom(.tracks, seed: 4), .prioritise(.items([id(9), id(2)]), 5), .prioritise(.items([id(7)]), 9))
    let order = queue.idsInPlayingOrder
    #expect(order[0] == id(5) && order[1] == id(7) && Set(order[2...3]) == [id(2), id(9)])
  }

  @Test func `Dedupe keeps one item for each segment of a file, preferably the current one`() {
    let tracks = [0, 7, 15, 0, 7, 0].map { QueueExamples.track($0) }
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "", tracks: tracks), item: 3))
    queue.reduce(.dedupe)
    #expect(queue.items.map(\.id) == [id(2), id(3), id(4)] && queue.current?.id == id(4))
  }
}
