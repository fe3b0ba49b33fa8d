// SPDX-License-Identifier: GPL-3.0-or-later

/// A set of numbers that is optimised for millions of look-ups. Most numbers that are not members are rejected by
/// testing one bit.
struct NumberSet {
  private var low: UInt64 = 0
  /// The difference between the highest and the lowest member.
  private var span: UInt64 = 0
  /// One bit for each number between the lowest and the highest member if that range is small enough, otherwise one bit
  /// for each hash. A small array of bits stays in the processor's L1 cache.
  private var bits: [UInt64] = [0]
  /// Whether the set is empty.
  private(set) var isEmpty = true
  private var isDense = true
  private var members: Set<UInt64> = []
  /// All members in ascending order; empty if there are many.
  private var sorted: [UInt64] = []
  /// For each of 4,096 hashes, whether a member has it; empty if there are many members.
  private var sieve: [Bool] = []

  init(_ numbers: some Collection<UInt64>) {
    guard let low = numbers.min(), let high = numbers.max() else { return }
    (self.low, span, isEmpty) = (low, high - low, false)
    let words = span / 64 + 1
    isDense = words <= 1_024 || words < 1 << 18 && words <= 8 * UInt64(numbers.count)
    bits = [UInt64](repeating: 0, count: isDense ? Int(words) : 1_024)
    if !isDense { members = Set(numbers) }
    if numbers.count <= 1_024 {
      sorted = numbers.sorted()
      sieve = [Bool](repeating: false, count: 4_096)
      for number in numbers { sieve[Int(Self.hash(number) >> 4)] = true }
    }
    for number in numbers {
      let bit = isDense ? number - low : UInt64(Self.hash(number))
      bits[Int(bit / 64)] |= 1 << (bit % 64)
    }
  }

  /// Returns a 16-bit hash that also distinguishes numbers whose differences are powers of two.
  @inline(__always) static func hash(_ number: UInt64) -> UInt16 {
    UInt16(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> 48)
  }

  /// Whether the set may contain a number from `lowest` to `highest`, including both.
  func mayContainAny(from lowest: UInt64, to highest: UInt64) -> Bool {
    guard !isEmpty, lowest <= highest, low <= highest, lowest <= low + span else { return false }
    guard !sorted.isEmpty else { return true }
    var (start, end) = (0, sorted.count)
    while start < end {
      let middle = (start + end) / 2
      if sorted[middle] < lowest { start = middle + 1 } else { end = middle }
    }
    return start < sorted.count && sorted[start] <= highest
  }

  @inline(__always) func contains(_ number: UInt64) -> Bool {
    let offset = number &- low
    guard offset <= span else { return false }
    let bit = isDense ? offset : UInt64(Self.hash(number))
    guard bits[Int(truncatingIfNeeded: bit >> 6)] & (1 &<< (bit & 63)) != 0 else { return false }
    return isDense || members.contains(number)
  }

  /// Sets `indexes` to the indexes of the elements whose numbers are in the set, in ascending order.
  ///
  /// The loop does nothing else, so that its variables stay in the processor's registers.
  @inline(never) func find<Element>(
    in elements: [Element], _ number: (Element) -> UInt64, into indexes: inout [Int]
  ) {
    indexes.removeAll(keepingCapacity: true)
    guard !sieve.isEmpty else {
      for index in elements.indices { appendIfMember(number(elements[index]), index, &indexes) }
      return
    }
    elements.withUnsafeBufferPointer { elements in
      sieve.withUnsafeBufferPointer { sieve in
        for index in 0..<elements.count {
          let number = number(elements[index])
          if sieve[Int(Self.hash(number) >> 4)] { appendIfMember(number, index, &indexes) }
        }
      }
    }
  }

  @inline(never) private func appendIfMember(_ number: UInt64, _ index: Int, _ indexes: inout [Int]) {
    if contains(number) { indexes.append(index) }
  }
}

/// A map from numbers to small non-negative integers. It is stored as an array if the numbers are close together, as
/// the IDs in a queue usually are.
struct NumberTable {
  private var low: UInt64 = 0
  /// The values of the numbers from `low` on; negative for numbers without a value.
  private var dense: [Int32] = []
  private var sparse: [UInt64: Int32] = [:]

  /// Creates an empty table for numbers in the range of `numbers`. It uses an array if the range is small enough for
  /// `count` entries.
  init(for numbers: some Collection<UInt64>, count: Int) {
    guard let low = numbers.min(), let high = numbers.max() else { return }
    self.low = low
    guard high - low <= 8 * UInt64(count) + 4_096 else { return }
    dense = [Int32](repeating: -1, count: Int(high - low) + 1)
  }

  subscript(number: UInt64) -> Int? {
    get {
      let index = number &- low
      guard index < UInt64(dense.count) else { return sparse.isEmpty ? nil : sparse[number].map { Int($0) } }
      let value = dense[Int(index)]
      return value < 0 ? nil : Int(value)
    }
    set {
      let value = newValue.map { Int32(clamping: $0) } ?? -1
      let index = number &- low
      if index < UInt64(dense.count) {
        dense[Int(index)] = value
      } else {
        sparse[number] = value < 0 ? nil : value
      }
    }
  }
}
