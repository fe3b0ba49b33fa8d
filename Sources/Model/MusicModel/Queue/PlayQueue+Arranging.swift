// SPDX-License-Identifier: GPL-3.0-or-later

extension PlayQueue {
  mutating func shuffle(_ selection: QueueSelection?, _ unit: ShuffleUnit, _ seed: UInt64, first: Item.ID? = nil) {
    let ranges = positions(selection)
    guard ranges.totalCount > 1 else { return }
    edit(unit == .tracks ? "shuffle" : "shuffle by album") { queue in
      var random = QueueRandom(seed: seed)
      var entries = queue.contents.items.only(ranges).elements
      if unit == .tracks {
        if let first, let index = entries.firstIndex(where: { $0.id == first.rawValue }) {
          entries.swapAt(0, index)
          var others = Array(entries.dropFirst())
          random.shuffle(&others)
          entries = [entries[0]] + others
        } else {
          random.shuffle(&entries)
        }
      } else {
        let groups = queue.albums(in: ranges) { $0 }
        var sequence = Array(groups.indices)
        random.shuffle(&sequence)
        entries = sequence.flatMap { groups[$0] }
      }
      queue.contents.items = queue.contents.items.arranging(ranges, as: entries)
      queue.updateOrder(afterMoving: entries)
    }
  }

  mutating func sort(_ selection: QueueSelection?, _ key: QueueSortKey, _ descending: Bool) {
    let ranges = positions(selection)
    guard ranges.totalCount > 1 else { return }
    edit("sort by \(key.rawValue)\(descending ? ", descending" : "")") { queue in
      var writer = QueueSortKeyWriter(key, of: queue.items, in: ranges)
      let keys = QueueKeys(queue.items, ranges) { writer.append(to: &$0, $1, $2) }
      let entries = queue.contents.items.only(ranges).elements
      let sorted = keys.sorted(descending: descending).map { entries[$0] }
      guard sorted != entries else { return }
      queue.contents.items = queue.contents.items.arranging(ranges, as: sorted)
      queue.updateOrder(afterMoving: sorted)
    }
  }

  mutating func dedupe() {
    let keys = QueueKeys(items, [0..<contents.items.count]) { key, tracks, entry in
      tracks.appendPath(Int(entry.index), to: &key)
      guard let segment = tracks.field(.segment, Int(entry.index), { $0.segment() }) ?? nil else { return }
      var writer = ByteWriter()
      writer.append(byte: 0)
      writer.append(segment)
      key += writer.bytes
    }
    let removed = keys.repeated().flatMap { positions in
      let keptPosition = positions.first { $0 == currentPosition } ?? positions[0]
      return positions.filter { $0 != keptPosition }
    }
    edit(Self.name("dedupe", "", removed.count)) { $0.remove(removed.sorted().ranges) }
  }
}

/// A random number generator whose state can be stored and restored (SplitMix64).
struct QueueRandom: RandomNumberGenerator, Sendable, Equatable {
  /// The state from which the next number is generated.
  private(set) var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a random number from 0 up to, but not including, `count`, which must be at least 1.
  mutating func index(below count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

  /// Shuffles the elements; every order is equally likely.
  mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, index(below: last + 1))
    }
  }
}
