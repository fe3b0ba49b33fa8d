/// Numbers that are looked up quickly, millions of times: those that are not among them are mostly told by one bit.
struct NumberSet {
  private var low: UInt64 = 0
  /// How far the highest is from the lowest.
  private var reach: UInt64 = 0
  /// A bit for every number between the lowest and the highest, where these are not too many; else one for what ends in the same bits.
  private var bits: [UInt64] = [0]
  /// Whether there are none.
  private(set) var isEmpty = true
  private var isDense = true
  private var members: Set<UInt64> = []

  /// The set of these numbers.
  init(_ numbers: some Collection<UInt64>) {
    guard let low = numbers.min(), let high = numbers.max() else { return }
    (self.low, reach, isEmpty) = (low, high - low, false)
    isDense = reach / 64 < 1 << 18
    bits = [UInt64](repeating: 0, count: isDense ? Int(reach / 64) + 1 : 256)
    if !isDense { members = Set(numbers) }
    for number in numbers {
      let bit = isDense ? number - low : number % (256 * 64)
      bits[Int(bit / 64)] |= 1 << (bit % 64)
    }
  }

  /// Whether one of them may be between these two.
  func reaches(_ lowest: UInt64, _ highest: UInt64) -> Bool {
    !isEmpty && lowest <= highest && low <= highest && lowest <= low + reach
  }

  /// Whether this number is one of them.
  @inline(__always) func contains(_ number: UInt64) -> Bool {
    let offset = number &- low
    guard offset <= reach else { return false }
    let bit = isDense ? offset : number % (256 * 64)
    guard bits[Int(truncatingIfNeeded: bit >> 6)] & (1 &<< (bit & 63)) != 0 else { return false }
    return isDense || members.contains(number)
  }
}
