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
