// SPDX-License-Identifier: GPL-3.0-or-later

extension SampleDepth {
  /// Converts `samples`, multiplied by `gain`, to integers of this depth at the beginning of `bytes`.
  ///
  /// Full scale is -1.0 to 1.0: samples beyond it are clipped; NaN and infinities become silence. Rounds to the nearest
  /// integer, ties to even: a sample that was an integer of this or a smaller depth becomes that integer again.
  ///
  /// - Returns: The number of bytes written; 0 if `bytes` has no room for all samples or is not aligned to 4 bytes.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, gain: Float = 1, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let (source, target) = unsafe addresses(samples, bytes) else { return 0 }
    unsafe write(source, count: samples.count, gain, to: target, noise: nil)
    return samples.count * byteCount
  }

  /// Converts `samples`, multiplied by `gain`, to integers of this depth, adding the noise of `dither`. Use it for
  /// audio that was processed.
  ///
  /// Clipping, rounding and the result are as without dither. At 32 bits, which represent more than a float does, no
  /// noise is added.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, gain: Float = 1, to bytes: UnsafeMutableRawBufferPointer,
    dither: inout Dither
  ) -> Int {
    guard self != .bits32 else { return unsafe convert(samples, gain: gain, to: bytes) }
    guard let (source, target) = unsafe addresses(samples, bytes) else { return 0 }
    var index = 0
    while index < samples.count {
      let count = min(samples.count - index, Dither.maximumRunLength)
      let noise = unsafe dither.nextRun()
      unsafe write(source + index, count: count, gain, to: target + index * byteCount, noise: noise)
      index += count
    }
    return samples.count * byteCount
  }

  private func addresses(
    _ samples: UnsafeBufferPointer<Float>, _ bytes: UnsafeMutableRawBufferPointer
  ) -> (source: UnsafePointer<Float>, target: UnsafeMutableRawPointer)? {
    guard let source = samples.baseAddress, let target = bytes.baseAddress,
      bytes.count / byteCount >= samples.count, Int(bitPattern: target) % 4 == 0
    else { return nil }
    return unsafe (source, target)
  }

  private func write(
    _ source: UnsafePointer<Float>, count: Int, _ gain: Float, to target: UnsafeMutableRawPointer,
    noise: UnsafePointer<Float>?
  ) {
    let quantizer = unsafe Quantizer(scale: scale, gain: gain, greatest: greatest, noise: noise)
    if unsafe !write(source, count: count, to: target, quantizer) {
      unsafe writeSilencing(source, count: count, gain, to: target, noise: noise)
    }
  }

  /// Writes the samples again, with silence in place of NaN and infinities.
  private func writeSilencing(
    _ source: UnsafePointer<Float>, count: Int, _ gain: Float, to target: UnsafeMutableRawPointer,
    noise: UnsafePointer<Float>?
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { piece in
      for index in stride(from: 0, to: count, by: 256) {
        let length = min(256, count - index)
        for offset in 0..<length {
          let sample = unsafe source[index + offset]
          unsafe piece[offset] = sample.isFinite ? sample : 0
        }
        guard let start = unsafe UnsafePointer(piece.baseAddress) else { return }
        let quantizer = unsafe Quantizer(
          scale: scale, gain: gain, greatest: greatest, noise: noise.map { unsafe $0 + index })
        _ = unsafe write(start, count: length, to: target + index * byteCount, quantizer)
      }
    }
  }

  /// Writes the samples, and returns whether all of them were finite, judged by their sum.
  ///
  /// Not inlined: if the compiler knows the limits, it uses nine instructions where two would do.
  @inline(never)
  private func write(
    _ source: UnsafePointer<Float>, count: Int, to target: UnsafeMutableRawPointer, _ quantizer: Quantizer
  ) -> Bool {
    let loop = unsafe QuantizingLoop(source: source, count: count, target: target, quantizer: quantizer)
    switch self {
    case .bits16: return loop.write16()
    case .bits24: return loop.write24()
    case .bits32: return loop.write32()
    }
  }

  /// The number of integer steps from 0 to full scale.
  private var scale: Float { Float(sign: .plus, exponent: rawValue - 1, significand: 1) }

  /// The largest float that is an integer of this depth.
  private var greatest: Float { self == .bits32 ? scale.nextDown : scale - 1 }
}

/// Dither: triangular noise of plus and minus one integer step, which makes the rounding error independent of the
/// signal. Only one thread at a time may use it.
///
/// The table of noise is computed at first use: that takes a fifth of a millisecond, and few players need it. Each run
/// of samples starts at a pseudo-random index in the table. Memory is allocated only at initialisation.
@safe
public struct Dither: ~Copyable {
  static let maximumRunLength = 2048

  private static let tableCount = 16_384

  private let table: UnsafeMutablePointer<Float>
  private var state: UInt64
  private var isComputed = false

  /// Creates dither whose noise is determined by `seed`.
  public init(seed: UInt64) {
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

  /// Returns noise for ``maximumRunLength`` samples and one vector more, in integer steps.
  mutating func nextRun() -> UnsafePointer<Float> {
    if !isComputed { compute() }
    // Whole vectors are read, even at the end of a run.
    let startCount = UInt64(Self.tableCount - Self.maximumRunLength - Quantizer.Samples.scalarCount)
    return unsafe UnsafePointer(table + Int(next() % startCount))
  }

  /// Maps a 32-bit number to the range from 0 to 1.
  private func uniform(_ bits: UInt64) -> Double { Double(Int64(bits)) / Double(1 << 32 as Int64) }

  /// Returns the next pseudo-random number of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
  /// generators", 2014).
  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

/// Removes invalid samples from the output of decoders that can return any float.
///
/// A NaN or an infinity would stay in the state of every later filter forever.
public enum SampleGuard {
  /// The maximum magnitude of a sample: 54 dB above full scale.
  ///
  /// Files of floating-point recorders go far above 1.0 and are turned down by the user. The gain fields of tags reach
  /// down to -51.2 dB at most, so nothing beyond this limit can be brought back to full scale.
  public static let limit: Float = 512

  /// Replaces NaN and infinities with silence, and limits samples to ``limit``.
  public static func clean(_ samples: UnsafeMutableBufferPointer<Float>) {
    guard unsafe anyExceedsTwo(samples) else { return }
    for index in samples.indices {
      let sample = unsafe samples[index]
      unsafe samples[index] = sample.isFinite ? max(-limit, min(limit, sample)) : 0
    }
  }

  /// Whether any magnitude is 2 or more, NaN or infinite: exactly these have the highest bit of the exponent set. The
  /// test takes one OR for several samples; hardly any block of music needs more.
  private static func anyExceedsTwo(_ samples: UnsafeMutableBufferPointer<Float>) -> Bool {
    let whole = samples.count & ~15
    var lanes: (SIMD4<UInt32>, SIMD4<UInt32>) = (.zero, .zero)
    unsafe samples.baseAddress.map { start in
      let words = UnsafeRawPointer(start)
      var offset = 0
      while offset < 4 &* whole {
        unsafe lanes.0 |= words.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
        unsafe lanes.1 |= words.loadUnaligned(fromByteOffset: offset &+ 16, as: SIMD4<UInt32>.self)
        unsafe lanes.0 |= words.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD4<UInt32>.self)
        unsafe lanes.1 |= words.loadUnaligned(fromByteOffset: offset &+ 48, as: SIMD4<UInt32>.self)
        offset &+= 64
      }
    }
    let all = lanes.0 | lanes.1
    var bits = all[0] | all[1] | all[2] | all[3]
    for index in whole..<samples.count { bits |= unsafe samples[index].bitPattern }
    return bits & 0x4000_0000 != 0
  }
}
