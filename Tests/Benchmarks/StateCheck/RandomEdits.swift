// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import SystemPackage

/// A generator of random actions, which are the same for the same seed.
struct RandomEdits {
  /// The random number generator SplitMix64.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  private var generator: Generator

  init(seed: UInt64) { generator = Generator(state: seed) }

  /// Returns an action for `queue`, mostly an edit.
  mutating func next(for queue: PlayQueue) -> QueueAction {
    let count = queue.items.count
    guard count > 3 else { return .add(collection(number(5...1_500)), at: .end) }
    switch number(0...18) {
    case 0...2: return .add(collection(number(1...30)), at: randomInsertionPoint(count))
    case 3, 4: return .remove(.positions([range(count)]))
    case 5, 6: return .move(.positions([range(count)]), to: number(0...count))
    case 7: return .swap(queue.items.id(at: number(0...count - 1)), queue.items.id(at: number(0...count - 1)))
    case 8: return number(0...9) == 0 ? .clear : .dedupe
    case 9: return .shuffle(nil, by: .tracks, seed: generator.next())
    case 10: return .sort(.positions([range(count)]), by: .path, descending: false)
    case 11: return .prioritise(.positions([range(count)]), UInt8(number(0...255)))
    case 12, 13: return queue.undoable.isEmpty ? .setConsume(true) : .undo(steps: number(1...3))
    case 14: return .redo(steps: 1)
    case 15: return .setRandom(QueueModes.Random.allCases[number(0...2)], seed: generator.next())
    case 16: return .setRepeat(QueueModes.Repeat.allCases[number(0...3)])
    case 17: return .play(queue.items[number(0...count - 1)].id, from: .seconds(number(0...99)))
    default: return .enqueue(collection(number(1...40)), item: 0)
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func range(_ count: Int) -> Range<Int> {
    let start = number(0...count - 1)
    return start..<min(count, start + number(1...20))
  }

  private mutating func randomInsertionPoint(_ count: Int) -> QueueInsertionPoint {
    switch number(0...2) {
    case 0: .end
    case 1: .next
    default: .position(number(0...count))
    }
  }

  private mutating func collection(_ count: Int) -> TrackCollection {
    let first = number(0...500)
    let tracks = (0..<count).map { index in
      Track(path: FilePath("/Music/\(first)/\(index).flac"), title: "Track \(index)")
    }
    return TrackCollection(title: "Album \(first)", tracks: tracks)
  }
}
