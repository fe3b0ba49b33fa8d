// SPDX-License-Identifier: GPL-3.0-or-later

/// Converts float samples to the nearest integers, eight at a time, without branches or calls, so that it compiles to
/// vector code.
///
/// Samples beyond full scale are clipped; the result for NaN is undefined.
@safe
struct Quantizer {
  typealias Samples = SIMD8<Float>
  typealias Integers = SIMD8<Int32>

  /// The number 1.5 * 2^23: added to a float below 2^22, it leaves the nearest integer in the low bits of the mantissa.
  private static let magic: Float = 12_582_912

  private let factor: Samples
  private let least: Samples
  private let greatest: Samples
  private let noise: UnsafePointer<Float>?

  /// Creates a quantizer.
  ///
  /// - Parameter scale: The number of integer steps from 0 to full scale. It is a power of two, so that multiplying by
  ///   `scale` and `gain` at once rounds as multiplying by `gain` alone does.
  /// - Parameter greatest: The largest float that is an integer of the target depth.
  /// - Parameter noise: The noise to add, in steps: as many values as there are samples to convert, and one vector
  ///   more.
  @inline(__always)
  init(scale: Float, gain: Float, greatest: Float, noise: UnsafePointer<Float>?) {
    factor = Samples(repeating: scale * gain)
    least = Samples(repeating: -scale)
    self.greatest = Samples(repeating: greatest)
    unsafe self.noise = unsafe noise
  }

  /// Returns `samples`, which start at `index`, converted to integer steps, with noise and not yet clipped.
  @inline(__always)
  func steps(_ samples: Samples, at index: Int) -> Samples {
    let steps = samples * factor
    guard let noise = unsafe noise else { return steps }
    return unsafe steps + UnsafeRawPointer(noise + index).loadUnaligned(as: Samples.self)
  }

  /// Rounds steps to 16-bit integers, and clips them.
  ///
  /// A number too large for the magic number still gives an integer that is too large, and is clipped. Written lane by
  /// lane, clipping and narrowing become one instruction for all eight.
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

  /// Rounds steps to integers of 24 or 32 bits, and clips them.
  ///
  /// The result is exact even for numbers too large for the magic number alone: the multiple of 4,096 and the remainder
  /// are rounded separately.
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

  /// Returns `steps` clipped to `-scale` to `greatest`. Written this way, each limit takes one instruction that works
  /// in place.
  @inline(__always)
  private func limited(_ steps: Samples) -> Samples {
    let raised = least.replacing(with: steps, where: steps .> least)
    return greatest.replacing(with: raised, where: raised .< greatest)
  }
}

/// Converts samples a vector at a time, and writes them as packed little-endian integers.
///
/// Each `write` function returns whether all samples were finite, judged by their sum: that is cheaper than checking
/// each of them.
@safe
struct QuantizingLoop {
  private typealias Samples = Quantizer.Samples
  private static var width: Int { Samples.scalarCount }

  private let source: UnsafePointer<Float>
  private let count: Int
  private let target: UnsafeMutableRawPointer
  private let quantizer: Quantizer

  /// Creates a loop over `count` samples at `source`; `target` has room for all of them.
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

  /// Writes packed 24-bit integers. Two integers make six bytes, but eight are stored: the next store overwrites the
  /// two extra ones.
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

  /// Returns the samples from `index` on, at most a vector, padded with silence and converted to steps.
  private func lastSteps(from index: Int, _ sum: inout Samples) -> Samples {
    var samples = Samples.zero
    for lane in 0..<(count &- index) { samples[lane] = unsafe source[index &+ lane] }
    let steps = quantizer.steps(samples, at: index)
    sum += steps
    return steps
  }

  /// Whether a sum, and so all of its terms, is finite: adding to NaN or infinity never gives a finite number.
  @inline(__always)
  private func isFinite(_ sum: Samples) -> Bool { !any((sum - sum) .!= 0) }
}
