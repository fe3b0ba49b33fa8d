// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// Computes a checksum of a queue and its history, which is the same in any process.
enum QueueSum {
  static func sum(_ queue: PlayQueue) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      sum = (sum ^ 0xFF) &* 0x0000_0100_0000_01B3
    }
    add(queue.title)
    add("\(queue.currentPosition ?? -1)")
    let modes = queue.modes
    add(
      "\(modes.repeat) \(modes.random) \(modes.single) \(modes.consume) \(modes.stopAfter.map { "\($0)" } ?? "")"
    )
    for item in queue.items {
      add("\(item.id.rawValue) \(item.priority) \(item.isMissing) \(item.track.path)")
      if modes.random != .off { add("\(queue.item(after: item.id)?.id.rawValue ?? 0)") }
    }
    for name in queue.undoable { add(name) }
    add("")
    for name in queue.redoable { add(name) }
    return sum
  }
}
