extension SampleDepth {
  /// Writes `samples`, multiplied by `gain`, as integers of this depth to the beginning of `bytes`, and gives the
  /// number of bytes.
  ///
  /// Full scale is -1.0 to 1.0: what lies beyond is limited to it; NaN and infinities become silence. Rounds to the
  /// nearest integer, ties to even; a sample that was an integer of this depth, or of a smaller one, becomes that
  /// integer again. Gives 0 and writes nothing where `bytes` has no room for all, or is not aligned to 4 bytes.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, gain: Float = 1, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let (source, target) = unsafe addresses(samples, bytes) else { return 0 }
    unsafe write(source, count: samples.count, gain, to: target, noise: nil)
    return samples.count * byteCount
  }

  /// The same after adding the noise of `dither`, for samples that were processed. At 32 bits, which hold more than a
  /// float does, none is added.
  public func convert(
    _ samples: UnsafeBufferPointer<Float>, gain: Float = 1, to bytes: UnsafeMutableRawBufferPointer,
    dither: inout Dither
  ) -> Int {
    guard self != .bits32 else { return unsafe convert(samples, gain: gain, to: bytes) }
    guard let (source, target) = unsafe addresses(samples, bytes) else { return 0 }
    var index = 0
    while index < samples.count {
      let count = min(samples.count - index, Dither.longestStretch)
      let noise = unsafe dither.nextStretch()
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

  /// Writes once more, with silence where samples are NaN or infinite.
  private func writeSilencing(
    _ source: UnsafePointer<Float>, count: Int, _ gain: Float, to target: UnsafeMutableRawPointer,
    noise: UnsafePointer<Float>?
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { piece in
      for index in stride(from: 0, to: count, by: 256) {
        let length = min(256, count - index)
        for place in 0..<length {
          let sample = unsafe source[index + place]
          unsafe piece[place] = sample.isFinite ? sample : 0
        }
        guard let start = unsafe UnsafePointer(piece.baseAddress) else { return }
        let quantizer = unsafe Quantizer(
          scale: scale, gain: gain, greatest: greatest, noise: noise.map { unsafe $0 + index })
        _ = unsafe write(start, count: length, to: target + index * byteCount, quantizer)
      }
    }
  }

  /// Writes, and gives whether all samples were finite, as far as their sum tells.
  ///
  /// Not inlined: where the compiler knows the limits, it takes nine instructions for what can be done with two.
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

  /// The steps of full scale.
  private var scale: Float { Float(sign: .plus, exponent: rawValue - 1, significand: 1) }

  /// The greatest float that is an integer of this depth.
  private var greatest: Float { self == .bits32 ? scale.nextDown : scale - 1 }
}
