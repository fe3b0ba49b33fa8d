// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

/// Storing and restoring a queue.
@Suite struct PlayQueueStorageTests {
  private func collection(_ count: Int) -> TrackCollection {
    TrackCollection(title: "Many", tracks: (0..<count).map { QueueExamples.track($0 % 40) })
  }

  private func exampleQueue(_ random: QueueModes.Random = .off) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(collection(20), item: 3))
    queue.reduce(.setRandom(random, seed: 5))
    queue.reduce(.swap(queue.items.id(at: 1), queue.items.id(at: 2)))
    queue.reduce(.elapsed(.seconds(12)))
    return queue
  }

  @Test(arguments: QueueModes.Random.allCases)
  func `A restored queue becomes the queue if nothing came before it`(random: QueueModes.Random) {
    let old = exampleQueue(random)
    var queue = PlayQueue()
    queue.reduce(.started(old.modes, seed: 1, lastID: old.stored.lastID))
    queue.reduce(.restored(old.stored))
    #expect(queue.items == old.items && queue.current == old.current && queue.elapsed == old.elapsed)
    #expect(queue.undoable == old.undoable && queue.idsInPlayingOrder == old.idsInPlayingOrder)
    #expect(queue.stored == old.stored)
  }

  @Test func `A restored queue comes before an earlier load in the history`() {
    let old = exampleQueue()
    var queue = PlayQueue()
    queue.reduce(.started(old.modes, seed: 1, lastID: old.stored.lastID))
    queue.reduce(.enqueue(collection(3), item: 0))
    queue.reduce(.elapsed(.seconds(2)))
    queue.reduce(.restored(old.stored))
    #expect(queue.items.count == 3 && queue.currentPosition == 0 && queue.elapsed == .seconds(2))
    #expect(queue.undoable == old.undoable + ["play Many (3 items)"])
    queue.reduce(.undo(steps: 1))
    #expect(queue.items == old.items && queue.current == old.current && queue.elapsed == .seconds(12))
    queue.reduce(.undo(steps: 1))
    #expect(queue.items.map(\.id.rawValue).prefix(3) == [1, 2, 3])
  }

  @Test func `A queue is not restored too late, twice, or if its ids are already used`() {
    let old = exampleQueue()
    var edited = PlayQueue()
    edited.reduce(.enqueue(collection(3), item: 0))
    var colliding = edited
    edited.reduce(.swap(edited.items.id(at: 0), edited.items.id(at: 1)))
    for queue in [edited, old] {
      var late = queue
      late.reduce(.restored(old.stored))
      #expect(late == queue)
    }
    let before = colliding
    colliding.reduce(.restored(old.stored))
    #expect(colliding == before)
  }

  @Test func `Pages that an edit does not change are shared`() {
    var queue = PlayQueue()
    queue.reduce(.enqueue(collection(5_000), item: 3))
    let before = Set(queue.stored.contents.items.map { ObjectIdentifier($0) })
    queue.reduce(.remove(.positions([2_000..<2_001])))
    let after = Set(queue.stored.contents.items.map { ObjectIdentifier($0) })
    #expect(after.subtracting(before).count <= 2)
  }

  @Test func `Damaged pages give no queue, or a consistent one`() {
    let stored = exampleQueue(.tracks).stored
    var random = SeededGenerator(seed: 8)
    for round in 0..<600 {
      var damaged = stored
      func damage(_ page: QueuePage) -> QueuePage {
        var bytes = page.bytes
        if round % 5 == 0 { bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) }
        for _ in 0..<(round % 3 + 1) where !bytes.isEmpty {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return QueuePage(bytes: bytes)
      }
      switch round % 3 {
      case 0: damaged.contents.items[0] = damage(damaged.contents.items[0])
      case 1: damaged.contents.order = damaged.contents.order?.map { damage($0) }
      default: damaged.tracks = damaged.tracks.mapValues { damage($0) }
      }
      guard var queue = PlayQueue(damaged) else { continue }
      let ids = queue.items.map(\.id)
      #expect(Set(ids).count == ids.count && Set(queue.idsInPlayingOrder) == Set(ids))
      queue.reduce(.sort(nil, by: .album, descending: false))
      queue.reduce(.setRandom(.albums, seed: 1))
      queue.reduce(.dedupe)
    }
  }

  @Test func `Inconsistent stored values give no queue`() {
    let good = exampleQueue(.tracks).stored
    var bad = good
    bad.lastID = 19
    #expect(PlayQueue(bad) == nil)
    bad = good
    bad.lastID = .max
    #expect(PlayQueue(bad) == nil)
    bad = good
    bad.contents.current = 99
    #expect(PlayQueue(bad) == nil)
    bad = good
    bad.contents.items += bad.contents.items
    #expect(PlayQueue(bad) == nil)
    bad = good
    bad.tracks = [:]
    #expect(PlayQueue(bad) == nil)
  }

  @Test func `A damaged order is drawn anew, and damaged history is left out`() throws {
    let good = exampleQueue(.tracks).stored
    let whole = try #require(PlayQueue(good))
    var bad = good
    bad.contents.order = []
    for order in [[], good.contents.order.map { $0 + $0 }] {
      bad.contents.order = order
      let queue = try #require(PlayQueue(bad))
      #expect(queue.items == whole.items && queue.current == whole.current && queue.undoable == whole.undoable)
      #expect(Set(queue.idsInPlayingOrder) == Set(whole.items.map(\.id)))
    }
    var queue = whole
    for _ in 0..<3 { queue.reduce(.remove(.positions([0..<1]))) }
    bad = queue.stored
    let number = bad.undoable.count - 2
    bad.undoable[number].contents.current = 99
    let restored = try #require(PlayQueue(bad))
    #expect(restored.items == queue.items && restored.undoable == Array(queue.undoable.suffix(1)))
  }
}

struct PlayQueueVersionTests {
  private static func tracks(_ names: String...) -> TrackList {
    TrackList(names.map { Track(path: FilePath("/music/\($0)"), title: $0) })
  }

  private static func queue(_ tracks: TrackList) -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "", tracks: tracks), item: nil))
    return queue
  }

  @Test func `The items' version increases only when the items change`() {
    #expect(PlayQueue().itemsVersion == 0)
    var queue = Self.queue(Self.tracks("a", "b", "c"))
    let actions: [(QueueAction, increases: Bool)] = [
      (.play(queue.items[1].id, from: .zero), false), (.setRepeat(.all), false),
      (.setRandom(.tracks, seed: 1), false),
      (.swap(queue.items.id(at: 0), queue.items.id(at: 2)), true),
      (.swap(queue.items.id(at: 0), PlayQueue.Item.ID(rawValue: 99)), false), (.remove(.positions([2..<3])), true),
      (.undo(steps: 1), true),
      (.prioritise(.positions([0..<1]), 3), true), (.clear, true),
    ]
    for (action, increases) in actions {
      let before = queue
      queue.reduce(action)
      #expect((queue.itemsVersion > before.itemsVersion) == increases, "\(action)")
      if increases { #expect(queue.itemsVersion == queue.version) }
      #expect(queue.changes(since: queue.itemsVersion).isEmpty)
    }
  }

  @Test func `Added tracks are distinguished from equal ones, and are not found after removal`() {
    var queue = Self.queue(Self.tracks("a", "b"))
    let earlier = queue
    let (mine, other) = (Self.tracks("a"), Self.tracks("a"))
    queue.reduce(.add(TrackCollection(title: "", tracks: other), at: .position(0)))
    #expect(queue.firstItem(of: mine, since: earlier) == nil)
    queue.reduce(.add(TrackCollection(title: "", tracks: mine), at: .position(1)))
    queue.reduce(.add(TrackCollection(title: "", tracks: Self.tracks("a")), at: .position(1)))
    #expect(queue.firstItem(of: mine, since: earlier)?.id.rawValue == 4)
    #expect(queue.firstItem(of: mine, since: queue) == nil)
    #expect(queue.firstItem(of: [], since: earlier) == nil)
    queue.reduce(.remove(.items([PlayQueue.Item.ID(rawValue: 4)])))
    #expect(queue.firstItem(of: mine, since: earlier) == nil)
  }
}
