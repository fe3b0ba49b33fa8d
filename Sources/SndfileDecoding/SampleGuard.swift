/// Keeps what is no sound out of the samples of codings that can hold any float.
///
/// A NaN or an infinity would stay in every filter behind it for ever.
enum SampleGuard {
  /// The greatest magnitude that passes: 54 dB above full scale.
  ///
  /// Files of floating-point recorders go far above 1.0 and are turned down; the gain fields of tags reach down to -51.2 dB
  /// at most, so that nothing beyond this can be brought back to full scale.
  static let limit: Float = 512

  /// Makes what is no finite number silence, and limits what is beyond ``limit``.
  static func clean(_ samples: UnsafeMutableBufferPointer<Float>) {
    guard unsafe isAnyBeyond(samples) else { return }
    for index in samples.indices {
      let sample = unsafe samples[index]
      unsafe samples[index] = sample.isFinite ? max(-limit, min(limit, sample)) : 0
    }
  }

  /// Whether any magnitude is beyond ``limit``. As integers, magnitudes are in the order of their numbers, infinity and NaN
  /// above all: an AND, an addition and an OR for several samples at a time.
  private static func isAnyBeyond(_ samples: UnsafeMutableBufferPointer<Float>) -> Bool {
    let distance = UInt32(Int32.max) - limit.bitPattern
    var signs: UInt32 = 0
    for index in 0..<samples.count {
      signs |= unsafe (samples[index].bitPattern & UInt32(Int32.max)) &+ distance
    }
    return signs > UInt32(Int32.max)
  }
}
