/// Numbers that are looked up quickly, millions of times: those that are not among them are mostly told by one bit.
struct NumberSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// A bit for every number between the lowest and the highest, where these are not too many; else one for what ends in the same bits.
  private var bits: [UInt64] = []
  private var isDense = true
  private var members: Set<UInt64> = []

  /// The set of these numbers.
  init(_ numbers: some Collection<UInt64>) {
    guard let low = numbers.min(), let high = numbers.max() else { return }
    (self.low, self.high) = (low, high)
    isDense = (high - low) / 64 < 1 << 18
    bits = [UInt64](repeating: 0, count: isDense ? Int((high - low) / 64) + 1 : 256)
    if !isDense { members = Set(numbers) }
    for number in numbers {
      let bit = bit(number)
      bits[Int(bit / 64)] |= 1 << (bit % 64)
    }
  }

  /// Whether there are none.
  var isEmpty: Bool { bits.isEmpty }

  /// Whether one of them may be between these two.
  func reaches(_ lowest: UInt64, _ highest: UInt64) -> Bool { !isEmpty && lowest <= high && low <= highest }

  /// Whether this number is one of them.
  func contains(_ number: UInt64) -> Bool {
    guard !bits.isEmpty, number >= low, number <= high else { return false }
    let bit = bit(number)
    guard bits[Int(bit / 64)] & 1 << (bit % 64) != 0 else { return false }
    return isDense || members.contains(number)
  }

  private func bit(_ number: UInt64) -> UInt64 { isDense ? number - low : number % (256 * 64) }
}
