// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

/// Compares the queue with a naive model of it, through random actions.
@Suite struct PlayQueueModelTests {
  @Test(arguments: 1...20) func `A queue behaves like plain arrays`(seed: UInt64) throws {
    var run = QueueRun(seed: seed, sizeLimit: seed < 16 ? 8 : 20)
    for step in 0..<200 where !run.hasFailed { try run.step(step) }
  }

  @Test(arguments: 7...8) func `A queue of many pages behaves like plain arrays`(seed: UInt64) throws {
    var run = QueueRun(seed: seed, sizeLimit: 900)
    for step in 0..<25 where !run.hasFailed { try run.step(step) }
  }
}

/// A queue, its model, and the earlier versions of the queue with the model's items.
struct QueueRun {
  private var random: SeededGenerator
  private let sizeLimit: Int
  private var queue = PlayQueue()
  private var model = NaiveQueue()
  private var versions: [(version: UInt64, items: [NaiveQueue.Entry])] = []
  private(set) var hasFailed = false

  init(seed: UInt64, sizeLimit: Int) {
    random = SeededGenerator(seed: seed)
    self.sizeLimit = sizeLimit
  }

  mutating func step(_ number: Int) throws {
    let action = action()
    let before = queue
    queue.reduce(action)
    model.apply(action, queue)
    compare("step \(number)", action, isThorough: number % 10 == 0)
    checkChanges(before)
    if number % 40 == 0 { try checkStorage() }
    if number % 10 == 0 { try checkUndo() }
  }

  private mutating func compare(_ step: String, _ action: QueueAction, isThorough: Bool) {
    let ids = queue.items.indices.map { queue.items.id(at: $0).rawValue }
    let isSame =
      ids == model.ids && queue.currentPosition == model.position && queue.elapsed == model.contents.elapsed
      && queue.title == model.contents.title && queue.modes == model.modes
      && queue.undoable == model.undoable.map(\.name) && queue.redoable == model.redoable.map(\.name)
      && queue.idsInPlayingOrder.map(\.rawValue) == model.order
    #expect(isSame, "\(step)")
    let items = zip(queue.items, model.contents.items)
    let areSame =
      !isThorough
      || items.allSatisfy {
        $0.track == $1.track && $0.priority == $1.priority && $0.isMissing == $1.isMissing
      }
    #expect(areSame, "\(step)")
    for id in ids.shuffled(using: &random).prefix(3) + (model.order.last.map { [$0] } ?? []) {
      checkNeighbours(PlayQueue.Item.ID(rawValue: id), step)
    }
    hasFailed = !isSame || !areSame
    if hasFailed {
      print(action)
      print(
        "queue: \(queue.title) \(ids) \(queue.currentPosition as Any) \(queue.elapsed) \(queue.undoable.suffix(3)) \(queue.redoable)"
      )
      print(
        "model: \(model.contents.title) \(model.ids) \(model.position as Any) \(model.contents.elapsed) \(model.undoable.map(\.name).suffix(3)) \(model.redoable.map(\.name))"
      )
      print("order: \(queue.idsInPlayingOrder.map(\.rawValue)), \(model.order)")
    }
  }

  private func checkNeighbours(_ id: PlayQueue.Item.ID, _ step: String) {
    let raw = id.rawValue
    #expect(queue.position(of: id) == model.ids.firstIndex(of: raw))
    #expect(queue.item(before: id)?.id.rawValue == model.before(raw), "\(step)")
    let isRandom = model.contents.random != .off && model.modes.repeat == .all && model.order.last == raw
    guard !isRandom else {
      let next = queue.item(after: id)
      #expect(next != nil && (next?.id != id || model.ids.count == 1))
      return
    }
    #expect(queue.item(after: id)?.id.rawValue == model.after(raw), "\(step)")
    #expect(queue.successor(of: id)?.id.rawValue == model.successor(raw), "\(step)")
  }

  private mutating func checkChanges(_ before: PlayQueue) {
    if queue.version == before.version { #expect(queue.items == before.items) }
    for (version, items) in versions.suffix(3) + (versions.isEmpty ? [] : [versions[number(versions.count)]]) {
      let ranges = queue.changes(since: version)
      var covered = [Bool](repeating: false, count: queue.items.count)
      for position in ranges.joined() { covered[position] = true }
      for (position, entry) in model.contents.items.enumerated() where !covered[position] {
        let isSame =
          position < items.count && items[position].id == entry.id && items[position].isMissing == entry.isMissing
          && items[position].priority == entry.priority
        guard !isSame else { continue }
        Issue.record("position \(position) has changed since \(version), but is not among \(ranges)")
        hasFailed = true
        return
      }
    }
    versions.append((queue.version, model.contents.items))
  }

  private func checkStorage() throws {
    var stored = queue.stored
    let restored = try #require(PlayQueue(stored))
    #expect(restored.stored == stored)
    var pages: [ObjectIdentifier: QueuePage] = [:]
    func copy(_ page: QueuePage) -> QueuePage {
      let copy = pages[ObjectIdentifier(page)] ?? QueuePage(bytes: page.bytes)
      pages[ObjectIdentifier(page)] = copy
      return copy
    }
    func copy(_ contents: StoredQueue.Contents) -> StoredQueue.Contents {
      var contents = contents
      contents.items = contents.items.map { copy($0) }
      contents.order = contents.order.map { $0.map { copy($0) } }
      return contents
    }
    stored.contents = copy(stored.contents)
    stored.tracks = stored.tracks.mapValues { copy($0) }
    stored.undoable = stored.undoable.map { .init(name: $0.name, contents: copy($0.contents)) }
    stored.redoable = stored.redoable.map { .init(name: $0.name, contents: copy($0.contents)) }
    var reread = try #require(PlayQueue(stored))
    #expect(reread.items == queue.items && reread.currentPosition == queue.currentPosition)
    #expect(reread.undoable == queue.undoable && reread.redoable == queue.redoable && reread.elapsed == queue.elapsed)
    #expect(reread.idsInPlayingOrder == queue.idsInPlayingOrder)
    var undone = queue
    undone.reduce(.undo(steps: 1))
    reread.reduce(.undo(steps: 1))
    #expect(reread.items == undone.items && reread.currentPosition == undone.currentPosition)
  }

  private func checkUndo() throws {
    guard !queue.items.isEmpty else { return }
    var edited = queue
    edited.reduce(.clear)
    edited.reduce(.undo(steps: 1))
    #expect(edited.items == queue.items && edited.current == queue.current && edited.elapsed == queue.elapsed)
    #expect(edited.idsInPlayingOrder == queue.idsInPlayingOrder)
    #expect(edited.undoable == queue.undoable || queue.undoable.count == PlayQueue.historyCapacity)
    edited.reduce(.redo(steps: 1))
    #expect(edited.items.isEmpty && edited.current == nil)
  }
}

extension QueueRun {
  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }

  private mutating func collection(_ bound: Int) -> TrackCollection {
    let tracks = (0..<number(bound)).map { _ in QueueExamples.tracks[number(40)] }
    return TrackCollection(title: ["A", "B", "Kind of Blue"][number(3)], tracks: tracks)
  }

  private mutating func range() -> Range<Int> {
    let start = number(queue.items.count + 2) - 1
    return start..<(start + number(number(3) == 0 ? queue.items.count : 4))
  }

  private mutating func id() -> PlayQueue.Item.ID {
    number(12) == 0 || queue.items.isEmpty
      ? PlayQueue.Item.ID(rawValue: UInt64(number(2_000))) : queue.items.id(at: number(queue.items.count))
  }

  private mutating func selection() -> QueueSelection {
    number(2) == 0
      ? .positions((0..<(1 + number(4))).map { _ in range() })
      : .items((0..<(1 + number(8))).map { _ in id() })
  }

  private mutating func action() -> QueueAction {
    let current = queue.current?.id
    switch number(64) {
    case 0: return .enqueue(collection(2 * sizeLimit), item: number(2) == 0 ? nil : number(sizeLimit) - 1)
    case 1...6: return .add(collection(sizeLimit), at: .end)
    case 7...10: return .add(collection(min(sizeLimit, 5)), at: .next)
    case 11...13: return .add(collection(sizeLimit), at: .position(number(queue.items.count + 4) - 2))
    case 14...18: return .remove(selection())
    case 19...22: return .move(selection(), to: number(queue.items.count + 4) - 2)
    case 23, 24: return .swap(id(), id())
    case 25: return .clear
    case 26: return .crop(number(2) == 0 ? nil : selection())
    case 27: return .dedupe
    case 28, 29:
      return .shuffle(
        number(2) == 0 ? nil : selection(), by: number(2) == 0 ? .tracks : .albums, seed: random.next())
    case 30, 31:
      return .sort(
        number(2) == 0 ? nil : selection(), by: QueueSortKey.allCases[number(6)], descending: number(2) == 0)
    case 32...34: return .prioritise(selection(), UInt8(number(4)))
    case 35...39: return .undo(steps: modes.random == .off ? number(3) : 1)
    case 40, 41: return .redo(steps: modes.random == .off ? number(3) : 1)
    case 42, 43: return .setRepeat(QueueModes.Repeat.allCases[number(4)])
    case 44...46: return .setRandom(QueueModes.Random.allCases[number(3)], seed: random.next())
    case 47: return .setSingle(QueueModes.Single.allCases[number(3)])
    case 48: return .setConsume(number(3) == 0)
    case 49: return .stopAfter([nil, .current, .album][number(3)])
    case 50...52: return .play(id(), from: .seconds(number(9)))
    case 53, 54: return .elapsed(.seconds(number(99)))
    case 55: return .finished
    case 56: return .availability(missing: [id(), id()], found: [id()])
    default:
      let next =
        current.flatMap { number(2) == 0 ? queue.successor(of: $0) : queue.item(after: $0) }?.id ?? id()
      guard number(2) == 0 else { return .skipped(to: next) }
      return queue.pausesAfterItems ? .paused(before: next) : .advanced(to: next)
    }
  }

  private var modes: QueueModes { queue.modes }
}
