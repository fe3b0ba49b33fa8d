/// From float samples to the nearest integers, eight at a time. No branches and no calls, so that it becomes vector
/// code.
///
/// What lies beyond full scale is limited to it; what NaN becomes is not defined.
@safe
struct Quantizer {
  typealias Samples = SIMD8<Float>
  typealias Integers = SIMD8<Int32>

  /// 1.5 * 2^23: added to a float below 2^22, it leaves the nearest integer in the low bits of the mantissa.
  private static let magic: Float = 12_582_912

  private let factor: Samples
  private let least: Samples
  private let greatest: Samples
  private let noise: UnsafePointer<Float>?

  /// Full scale has `scale` steps of the integer, a power of two, so that multiplying by both at once rounds as by
  /// `gain` alone; `greatest` is the greatest float that is such an integer. Adds `noise`, if any, in steps: as much as
  /// there are samples to be converted, and a vector more.
  @inline(__always)
  init(scale: Float, gain: Float, greatest: Float, noise: UnsafePointer<Float>?) {
    factor = Samples(repeating: scale * gain)
    least = Samples(repeating: -scale)
    self.greatest = Samples(repeating: greatest)
    unsafe self.noise = unsafe noise
  }

  /// The samples from `index` on in steps, with their noise, and nothing limited.
  @inline(__always)
  func steps(_ samples: Samples, at index: Int) -> Samples {
    let steps = samples * factor
    guard let noise = unsafe noise else { return steps }
    return unsafe steps + UnsafeRawPointer(noise + index).loadUnaligned(as: Samples.self)
  }

  /// The 16-bit integers of so many steps.
  ///
  /// What is too large for the magic number still leaves too large an integer. Lane by lane, limiting and cutting
  /// become one instruction for all eight.
  @inline(__always)
  func bits16(_ steps: Samples) -> SIMD8<Int16> {
    var integers = SIMD8<Int16>()
    for lane in 0..<8 {
      let raised = steps[lane] > least[lane] ? steps[lane] : least[lane]
      let integer = Int32(bitPattern: (raised + Self.magic).bitPattern &- Self.magic.bitPattern)
      integers[lane] = Int16(truncatingIfNeeded: min(max(integer, -32768), 32767))
    }
    return integers
  }

  /// The integers of so many steps, of 24 or 32 bits.
  ///
  /// The nearest ones, also where they are too large for the magic number alone: the multiple of 4,096 and the rest are
  /// rounded one by one.
  @inline(__always)
  func integers(_ steps: Samples) -> Integers {
    let steps = limited(steps)
    let multiple = steps * (1 / 4096) + Self.magic
    let rest = steps - (multiple - Self.magic) * 4096 + Self.magic
    let offset = Int32(bitPattern: Self.magic.bitPattern)
    let high = unsafe unsafeBitCast(multiple, to: Integers.self) &<< 12
    let low = unsafe unsafeBitCast(rest, to: Integers.self)
    return high &+ low &- ((offset &<< 12) &+ offset)
  }

  /// Steps from `-scale` to `greatest`. Asked like this, each limit takes one instruction that works in place.
  @inline(__always)
  private func limited(_ steps: Samples) -> Samples {
    let raised = least.replacing(with: steps, where: steps .> least)
    return greatest.replacing(with: raised, where: raised .< greatest)
  }
}
