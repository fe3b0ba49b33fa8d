// SPDX-License-Identifier: GPL-3.0-or-later

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
