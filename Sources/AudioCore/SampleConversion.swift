extension SampleDepth {
  /// Writes `samples` as integers of this depth to the beginning of `bytes`, and gives the number of bytes.
  ///
  /// Full scale is -1.0 to 1.0: what lies beyond is limited to it, and NaN becomes silence. Rounds to the nearest
  /// integer, ties to even; a sample that was an integer of this depth, or of a smaller one, becomes that integer
  /// again. Gives 0 and writes nothing where `bytes` has no room for all, or is not aligned to 4 bytes.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = samples.count
    guard let source = samples.baseAddress, let target = bytes.baseAddress,
      bytes.count / byteCount >= count, Int(bitPattern: target) % 4 == 0
    else { return 0 }
    switch self {
    case .bits16:
      let target = unsafe target.assumingMemoryBound(to: Int16.self)
      for index in 0..<count { unsafe target[index] = Rounding.bits16(source[index]) }
    case .bits24:
      let target = unsafe target.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let value = unsafe Rounding.bits24(source[index])
        unsafe target[3 &* index] = UInt8(truncatingIfNeeded: value)
        unsafe target[3 &* index &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
        unsafe target[3 &* index &+ 2] = UInt8(truncatingIfNeeded: value &>> 16)
      }
    case .bits32:
      let target = unsafe target.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { unsafe target[index] = Rounding.bits32(source[index]) }
    }
    return count * byteCount
  }
}

/// From a float sample to the nearest integer. No branches and no calls, so that the loops above become vector code.
private enum Rounding {
  /// 1.5 * 2^23: added to a float below 2^22, it leaves the nearest integer in the low bits of the mantissa.
  private static let magic: Float = 12_582_912

  @inline(__always)
  static func bits16(_ sample: Float) -> Int16 {
    let rounded = limited(sample, scale: 32_768, above: 32_767) + magic
    return sample == sample ? Int16(truncatingIfNeeded: rounded.bitPattern) : 0
  }

  /// 2^23 is beyond the magic number's reach: the multiple of 4,096 and the rest are rounded one by one.
  @inline(__always)
  static func bits24(_ sample: Float) -> Int32 {
    let value = limited(sample, scale: 8_388_608, above: 8_388_607)
    let multiple = value * (1 / 4096) + magic
    let rest = value - (multiple - magic) * 4096 + magic
    return sample == sample ? (integer(multiple) &<< 12) &+ integer(rest) : 0
  }

  /// A float beyond 2^24 is an integer already; 2^31 - 128 is the greatest below 2^31.
  @inline(__always)
  static func bits32(_ sample: Float) -> Int32 {
    guard sample == sample else { return 0 }
    return Int32(limited(sample, scale: 2_147_483_648, above: 2_147_483_520).rounded(.toNearestOrEven))
  }

  /// NaN gives `-scale`: whoever rounds makes it silence.
  @inline(__always)
  private static func limited(_ sample: Float, scale: Float, above: Float) -> Float {
    let value = sample * scale
    let notBelow = value > -scale ? value : -scale
    return notBelow < above ? notBelow : above
  }

  @inline(__always)
  private static func integer(_ rounded: Float) -> Int32 {
    Int32(bitPattern: rounded.bitPattern &- magic.bitPattern)
  }
}
