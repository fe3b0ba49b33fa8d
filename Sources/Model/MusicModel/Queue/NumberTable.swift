/// A small number for each of many numbers: an array where these are close together, which those of a queue's items
/// mostly are.
struct NumberTable {
  private var low: UInt64 = 0
  /// The values by number, from ``low`` on; negative where there is none.
  private var dense: [Int32] = []
  private var sparse: [UInt64: Int32] = [:]

  /// A table that is empty, for numbers like these; it may take the room that `count` of them are worth.
  init(for numbers: some Collection<UInt64>, count: Int) {
    guard let low = numbers.min(), let high = numbers.max() else { return }
    self.low = low
    guard high - low <= 8 * UInt64(count) + 4_096 else { return }
    dense = [Int32](repeating: -1, count: Int(high - low) + 1)
  }

  /// The value of a number; `nil` where it has none.
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
