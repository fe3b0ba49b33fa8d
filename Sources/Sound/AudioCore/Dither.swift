/// Triangular noise of plus and minus one step of an integer, which makes rounding to that step a noise that does not
/// depend on the sound. Belongs to one thread at a time.
///
/// The noise is computed once, when it is first asked for, which few players do and takes a fifth of a millisecond;
/// every stretch of it that is used begins at a pseudo-random place. Nothing is allocated after the beginning.
@safe
public struct Dither: ~Copyable {
  /// The longest stretch, in samples.
  static let longestStretch = 2048

  private static let tableCount = 16_384

  private let table: UnsafeMutablePointer<Float>
  private var state: UInt64
  private var isComputed = false

  /// Noise that `seed` decides.
  public init(seed: UInt64) {
    // Whole vectors are read, also at the end of the last stretch.
    unsafe table = .allocate(capacity: Self.tableCount)
    state = seed
  }

  deinit { unsafe table.deallocate() }

  private mutating func compute() {
    isComputed = true
    var sum: Double = 0
    for index in 0..<Self.tableCount {
      let bits = next()
      let noise = uniform(bits >> 32) - uniform(bits & 0xFFFF_FFFF)
      sum += noise
      unsafe table[index] = Float(noise)
    }
    let mean = Float(sum / Double(Self.tableCount))
    for index in 0..<Self.tableCount { unsafe table[index] -= mean }
  }

  /// The beginning of a stretch of ``longestStretch`` samples and a vector more, in steps.
  mutating func nextStretch() -> UnsafePointer<Float> {
    if !isComputed { compute() }
    let places = UInt64(Self.tableCount - Self.longestStretch - Quantizer.Samples.scalarCount)
    return unsafe UnsafePointer(table + Int(next() % places))
  }

  /// `bits`, 32 of them, from 0 to 1.
  private func uniform(_ bits: UInt64) -> Double { Double(Int64(bits)) / Double(1 << 32 as Int64) }

  /// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
