/// A hash table of indices into an array that its owner keeps: eight bytes an entry or so.
struct IndexTable {
  private static let none: Int32 = -1

  private var slots: [Int32] = [none, none, none, none]
  private(set) var count = 0

  /// The index under `hash` that `matches`.
  func find(_ hash: UInt32, where matches: (Int32) -> Bool) -> Int32? {
    var slot = home(hash)
    while slots[slot] != Self.none {
      if matches(slots[slot]) { return slots[slot] }
      slot = next(slot)
    }
    return nil
  }

  /// Adds an index that is not there yet; `hashOf` gives the hash of any that is.
  mutating func insert(_ index: Int32, hash: UInt32, hashOf: (Int32) -> UInt32) {
    if (count + 1) * 3 > slots.count * 2 { grow(hashOf) }
    place(index, hash)
    count += 1
  }

  /// Takes an index out, where it is there.
  mutating func remove(_ index: Int32, hash: UInt32, hashOf: (Int32) -> UInt32) {
    var hole = home(hash)
    while slots[hole] != index {
      guard slots[hole] != Self.none else { return }
      hole = next(hole)
    }
    count -= 1
    // What was pushed on by the one that goes moves back.
    var slot = next(hole)
    while slots[slot] != Self.none {
      let wanted = home(hashOf(slots[slot]))
      if distance(wanted, slot) >= distance(hole, slot) {
        slots[hole] = slots[slot]
        hole = slot
      }
      slot = next(slot)
    }
    slots[hole] = Self.none
  }

  private mutating func grow(_ hashOf: (Int32) -> UInt32) {
    let old = slots
    slots = [Int32](repeating: Self.none, count: old.count * 2)
    for index in old where index != Self.none { place(index, hashOf(index)) }
  }

  private mutating func place(_ index: Int32, _ hash: UInt32) {
    var slot = home(hash)
    while slots[slot] != Self.none { slot = next(slot) }
    slots[slot] = index
  }

  // There are always a power of two of them.
  private func home(_ hash: UInt32) -> Int { Int((hash &* 0x9E37_79B1) >> 7) & (slots.count - 1) }
  private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
  private func distance(_ from: Int, _ to: Int) -> Int { (to - from) & (slots.count - 1) }
}
