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

  /// Full scale has `scale` steps of the integer, a power of two, so that multiplying by both at once rounds as by `gain` alone;
  /// `greatest` is the greatest float that is such an integer. Adds `noise`, if any,
  /// in steps: as much as there are samples to be converted, and a vector more.
  @inline(__always)
  init(scale: Float, gain: Float, greatest: Float, noise: UnsafePointer<Float>?) {
    factor = Samples(repeating: scale * gain)
    least = Samples(repeating: -scale)
    self.greatest = Samples(repeating: greatest)
    unsafe self.noise = unsafe noise
  }

  /// The 16-bit integers of the samples from `index` on.
  @inline(__always)
  func bits16(_ samples: Samples, at index: Int) -> SIMD8<Int16> {
    let rounded = limitedSteps(samples, at: index) + Self.magic
    return SIMD8<Int16>(truncatingIfNeeded: unsafe unsafeBitCast(rounded, to: Integers.self))
  }

  /// The 24-bit integers of the samples from `index` on.
  @inline(__always)
  func bits24(_ samples: Samples, at index: Int) -> Integers {
    Self.rounded(limitedSteps(samples, at: index))
  }

  /// The 32-bit integers of the samples from `index` on.
  @inline(__always)
  func bits32(_ samples: Samples, at index: Int) -> Integers {
    Self.rounded(limitedSteps(samples, at: index))
  }

  /// Samples in steps, from `-scale` to `greatest`.
  @inline(__always)
  private func limitedSteps(_ samples: Samples, at index: Int) -> Samples {
    var steps = samples * factor
    if let noise = unsafe noise {
      steps += unsafe UnsafeRawPointer(noise + index).loadUnaligned(as: Samples.self)
    }
    steps.replace(with: least, where: steps .< least)
    steps.replace(with: greatest, where: steps .> greatest)
    return steps
  }

  /// The nearest integers, also where they are too large for the magic number alone: the multiple of 4,096 and the rest
  /// are rounded one by one.
  @inline(__always)
  private static func rounded(_ steps: Samples) -> Integers {
    let multiple = steps * (1 / 4096) + magic
    let rest = steps - (multiple - magic) * 4096 + magic
    let offset = Int32(bitPattern: magic.bitPattern)
    let high = unsafe unsafeBitCast(multiple, to: Integers.self) &<< 12
    let low = unsafe unsafeBitCast(rest, to: Integers.self)
    return high &+ low &- ((offset &<< 12) &+ offset)
  }
}
