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

/// Goes over samples a vector at a time and writes them as packed little-endian integers.
///
/// Each way of writing gives whether all samples were finite, as far as their sum tells: that is cheaper than to look
/// at each.
@safe
struct QuantizingLoop {
  private typealias Samples = Quantizer.Samples
  private static var width: Int { Samples.scalarCount }

  private let source: UnsafePointer<Float>
  private let count: Int
  private let target: UnsafeMutableRawPointer
  private let quantizer: Quantizer

  /// Over `count` samples at `source`; `target` has room for them all.
  @inline(__always)
  init(
    source: UnsafePointer<Float>, count: Int, target: UnsafeMutableRawPointer, quantizer: Quantizer
  ) {
    unsafe self.source = unsafe source
    self.count = count
    unsafe self.target = unsafe target
    self.quantizer = quantizer
  }

  @inline(__always)
  func write16() -> Bool {
    var index = 0
    var sum = Samples.zero
    let end = count &- Self.width
    while index <= end {
      let integers = quantizer.bits16(steps(at: index, &sum))
      unsafe target.storeBytes(of: integers, toByteOffset: 2 &* index, as: SIMD8<Int16>.self)
      index &+= Self.width
    }
    let integers = quantizer.bits16(lastSteps(from: index, &sum))
    for lane in 0..<(count &- index) {
      unsafe target.storeBytes(of: integers[lane], toByteOffset: 2 &* (index &+ lane), as: Int16.self)
    }
    return isFinite(sum)
  }

  /// Two integers make six bytes, of which eight are stored: the two that are too many are where the next are going to
  /// be.
  @inline(__always)
  func write24() -> Bool {
    var index = 0
    var sum = Samples.zero
    let end = count &- Self.width
    while index < end {
      let integers = quantizer.integers(steps(at: index, &sum))
      let pairs = unsafe unsafeBitCast(integers, to: SIMD4<UInt64>.self)
      let packed = (pairs & 0xFF_FFFF) | ((pairs &>> 8) & 0xFFFF_FF00_0000)
      for lane in 0..<4 {
        unsafe target.storeBytes(
          of: packed[lane], toByteOffset: 3 &* index &+ 6 &* lane, as: UInt64.self)
      }
      index &+= Self.width
    }
    let integers = quantizer.integers(lastSteps(from: index, &sum))
    for lane in 0..<(count &- index) {
      for byte in 0..<3 {
        let value = UInt8(truncatingIfNeeded: integers[lane] &>> Int32(8 &* byte))
        unsafe target.storeBytes(of: value, toByteOffset: 3 &* (index &+ lane) &+ byte, as: UInt8.self)
      }
    }
    return isFinite(sum)
  }

  @inline(__always)
  func write32() -> Bool {
    var index = 0
    var sum = Samples.zero
    let end = count &- Self.width
    while index <= end {
      let integers = quantizer.integers(steps(at: index, &sum))
      unsafe target.storeBytes(of: integers, toByteOffset: 4 &* index, as: SIMD8<Int32>.self)
      index &+= Self.width
    }
    let integers = quantizer.integers(lastSteps(from: index, &sum))
    for lane in 0..<(count &- index) {
      unsafe target.storeBytes(of: integers[lane], toByteOffset: 4 &* (index &+ lane), as: Int32.self)
    }
    return isFinite(sum)
  }

  @inline(__always)
  private func steps(at index: Int, _ sum: inout Samples) -> Samples {
    let samples = unsafe UnsafeRawPointer(source + index).loadUnaligned(as: Samples.self)
    let steps = quantizer.steps(samples, at: index)
    sum += steps
    return steps
  }

  /// The samples from `index` on, at most a vector, and then silence, in steps.
  private func lastSteps(from index: Int, _ sum: inout Samples) -> Samples {
    var samples = Samples.zero
    for lane in 0..<(count &- index) { samples[lane] = unsafe source[index &+ lane] }
    let steps = quantizer.steps(samples, at: index)
    sum += steps
    return steps
  }

  /// Whether a sum, and so all that was added, is finite: what is NaN or infinite stays so, whatever is added.
  @inline(__always)
  private func isFinite(_ sum: Samples) -> Bool { !any((sum - sum) .!= 0) }
}
