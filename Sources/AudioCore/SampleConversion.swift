extension SampleDepth {
  /// Writes `samples` as integers of this depth to the beginning of `bytes`, and gives the number of bytes.
  ///
  /// Full scale is -1.0 to 1.0: what lies beyond is limited to it; NaN and infinities become silence. Rounds to the
  /// nearest integer, ties to even; a sample that was an integer of this depth, or of a smaller one, becomes that
  /// integer again. Gives 0 and writes nothing where `bytes` has no room for all, or is not aligned to 4 bytes.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let (source, target) = unsafe addresses(samples, bytes) else { return 0 }
    unsafe write(source, count: samples.count, to: target, Quantizer(noise: nil))
    return samples.count * byteCount
  }

  /// The same after adding the noise of `dither`, for samples that were processed. At 32 bits, which hold more than a
  /// float does, none is added.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, to bytes: UnsafeMutableRawBufferPointer, dither: inout Dither
  ) -> Int {
    guard self != .bits32 else { return unsafe convert(samples, to: bytes) }
    guard let (source, target) = unsafe addresses(samples, bytes) else { return 0 }
    var index = 0
    while index < samples.count {
      let count = min(samples.count - index, Dither.longestStretch)
      let quantizer = unsafe Quantizer(noise: dither.nextStretch())
      unsafe write(source + index, count: count, to: target + index * byteCount, quantizer)
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

  @inline(__always)
  private func write(
    _ source: UnsafePointer<Float>, count: Int, to target: UnsafeMutableRawPointer, _ quantizer: Quantizer
  ) {
    let loop = unsafe QuantizingLoop(source: source, count: count, target: target, quantizer: quantizer)
    switch self {
    case .bits16: loop.write16()
    case .bits24: loop.write24()
    case .bits32: loop.write32()
    }
  }
}
