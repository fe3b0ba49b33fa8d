// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage
import TestSupport
import Testing

/// Several queues that are edited, used in turn, and read again after the program has ended.
@Suite struct SeveralQueuesTests {
  private static let names = [QueueName.standard, QueueName("one"), QueueName("Two")].compactMap(\.self)

  @Test(arguments: [1, 2, 3, 4, 16, 18, 36] as [UInt64])
  func `Whatever is edited, and whichever queue is used, all can be read again`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = PlayQueue()
    var stored: [QueueName: StoredQueue] = [:]
    for step in 0..<400 {
      if step % 5 == 4 {
        let name = try #require(Self.names.randomElement(using: &random))
        queue.reduce(.use(name, stored[name] ?? PlayQueue().stored))
      } else {
        queue.reduce(Self.action(queue, &random))
      }
      stored[queue.name] = queue.stored
      for (name, left) in queue.left { stored[name] = left.stored }
      for (name, queue) in stored { try #require(PlayQueue(queue, name: name) != nil, "step \(step): \(name)") }
      guard Int.random(in: 0..<30, using: &random) == 0, let current = stored[queue.name] else { continue }
      queue = try #require(PlayQueue(current, name: queue.name))
    }
  }

  private static func action(_ queue: PlayQueue, _ random: inout SeededGenerator) -> QueueAction {
    func number(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }
    func collection(_ bound: Int) -> TrackCollection {
      let tracks = (0...number(bound)).map { _ in QueueExamples.tracks[number(40)] }
      return TrackCollection(title: "A", tracks: tracks)
    }
    let count = queue.items.count
    guard count > 3 else { return .add(collection(number(5) == 0 ? 1_000 : 20), at: .end) }
    func range() -> QueueSelection {
      let start = number(count)
      return .positions([start..<min(count, start + 1 + number(20))])
    }
    func id() -> PlayQueue.Item.ID { queue.items.id(at: number(count)) }
    let modes = QueueModes.Random.allCases
    switch number(20) {
    case 0...2: return .add(collection(30), at: [.end, .next, .position(number(count))][number(3)])
    case 3, 4: return .remove(range())
    case 5, 6: return .move(range(), to: number(count))
    case 7: return .swap(id(), id())
    case 8: return number(9) == 0 ? .clear : .dedupe
    case 9: return .shuffle(nil, by: .tracks, seed: random.next())
    case 10: return .sort(range(), by: .path, descending: false)
    case 11: return .prioritise(range(), UInt8(number(255)))
    case 12, 13: return .undo(steps: 1 + number(3))
    case 14: return .redo(steps: 1)
    case 15, 16: return .setRandom(modes[number(modes.count)], seed: random.next())
    case 17: return .setRepeat(QueueModes.Repeat.allCases[number(4)])
    case 18: return .play(id(), from: .seconds(number(99)))
    default: return .enqueue(collection(40), item: 0)
    }
  }
}
