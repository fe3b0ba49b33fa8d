// SPDX-License-Identifier: GPL-3.0-or-later

/// A look-ahead limiter that holds every sample below a ceiling, with one smoothly changing gain for all channels. Only
/// one thread at a time may use it.
///
/// Audio below the ceiling passes bit for bit. The output has as many frames as the input and starts with its first
/// one: the frames of the look-ahead are delayed, and ``finish(into:)`` returns the last of them. The result does not
/// depend on how the stream is divided into blocks. Infinities become silence; NaN passes. Memory is allocated only at
/// initialisation.
@safe
public final class PeakLimiter {
  /// The length of the look-ahead, in frames.
  public let lookAhead: Int

  private let channels: Int
  private let ceiling: Float
  private var gain: LimiterGain
  /// Scratch space with a peak or a factor for each frame of the look-ahead.
  private let factors: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Int32>
  private let candidates: UnsafeMutablePointer<SlidingMinimum.Candidate>
  /// A ring buffer of the delayed frames.
  private let delayed: UnsafeMutablePointer<Float>
  private var delayedCount = 0
  private var index = 0
  private var isFinishing = false

  /// Creates a limiter with a look-ahead of 3 ms that recovers by 63 % in 80 ms.
  ///
  /// - Parameter ceiling: The highest sample value; must be positive. 1 is full scale.
  public init(sampleRate: Int, channels: Int, ceiling: Float = 1) {
    lookAhead = max(1, sampleRate * 3 / 1000)
    self.channels = channels
    self.ceiling = ceiling
    let length = lookAhead + 1
    unsafe gains = .allocate(capacity: length)
    unsafe gains.initialize(repeating: LimiterGain.one, count: length)
    unsafe candidates = .allocate(capacity: length)
    unsafe factors = .allocate(capacity: lookAhead)
    gain = unsafe LimiterGain(
      length: length, release: max(1, sampleRate * 80 / 1000), gains: gains, candidates: candidates)
    unsafe delayed = .allocate(capacity: lookAhead * channels)
    unsafe delayed.initialize(repeating: 0, count: lookAhead * channels)
  }

  deinit {
    unsafe delayed.deallocate()
    unsafe factors.deallocate()
    unsafe gains.deallocate()
    unsafe candidates.deallocate()
  }

  /// Limits frames from the beginning of `input` into the beginning of `output`. Consumes all of them, unless `output`
  /// is full. The buffers must not overlap.
  ///
  /// - Returns: The number of frames consumed and the number produced.
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (consumed: Int, produced: Int) {
    let frames = input.count / channels
    let room = output.count / channels
    var consumed = 0
    var produced = 0
    while consumed < frames, let source = input.baseAddress {
      let filling = min(frames - consumed, lookAhead - delayedCount)
      let count = min(filling > 0 ? filling : min(frames - consumed, room - produced), lookAhead - index)
      guard count > 0 else { break }
      let target = unsafe filling > 0 ? nil : output.baseAddress.map { unsafe $0 + produced * channels }
      unsafe pass(source + consumed * channels, frames: count, into: target)
      consumed += count
      if filling > 0 { delayedCount += count } else { produced += count }
    }
    return (consumed, produced)
  }

  /// Writes frames that are left after the end of the stream to the beginning of `output`.
  ///
  /// When it returns 0, the limiter is ready for another stream, and continues with its current gain.
  ///
  /// - Returns: The number of frames written; 0 when none are left.
  public func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let target = output.baseAddress else { return 0 }
    if !isFinishing {
      // A stream shorter than the look-ahead is preceded by empty slots.
      var empty = lookAhead - delayedCount
      while empty > 0 {
        let count = min(empty, lookAhead - index)
        unsafe pass(nil, frames: count, into: nil)
        empty -= count
      }
      isFinishing = true
    }
    var produced = 0
    while delayedCount > 0, produced < output.count / channels {
      let count = min(delayedCount, output.count / channels - produced, lookAhead - index)
      unsafe pass(nil, frames: count, into: target + produced * channels)
      produced += count
      delayedCount -= count
    }
    if delayedCount == 0 { isFinishing = false }
    return produced
  }

  /// Delays `frames` frames of `source`, or of silence, and moves the frames that they replace in the ring to `target`,
  /// if any. The slots in the ring must be contiguous.
  private func pass(
    _ source: UnsafePointer<Float>?, frames: Int, into target: UnsafeMutablePointer<Float>?
  ) {
    let samples = frames &* channels
    let old = unsafe delayed + index &* channels
    index = index &+ frames == lookAhead ? 0 : index &+ frames
    guard gain.isResting, unsafe source.map({ unsafe Self.isQuiet($0, count: samples, below: ceiling) }) ?? true else {
      return unsafe limit(source, frames: frames, delayed: old, into: target)
    }
    unsafe target?.update(from: old, count: samples)
    if let source = unsafe source {
      unsafe old.update(from: source, count: samples)
    } else {
      unsafe old.update(repeating: 0, count: samples)
    }
    gain.rest()
  }

  /// Passes frames of which some are above the ceiling, or within the attack or release of a peak.
  private func limit(
    _ source: UnsafePointer<Float>?, frames: Int, delayed: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>?
  ) {
    let block = unsafe LimiterBlock(frames: frames, ceiling: ceiling, factors: factors)
    // A constant number of channels lets the compiler unroll the loops over one frame.
    switch channels {
    case 1: unsafe block.limit(source, delayed: delayed, into: target, channels: 1, &gain)
    case 2: unsafe block.limit(source, delayed: delayed, into: target, channels: 2, &gain)
    default: unsafe block.limit(source, delayed: delayed, into: target, channels: channels, &gain)
    }
  }

  /// Whether no sample is above the ceiling; `false` if a sample is NaN.
  static func isQuiet(_ samples: UnsafePointer<Float>, count: Int, below ceiling: Float) -> Bool {
    // The bit patterns of positive floats are ordered as the floats are.
    let greatest = Int32(bitPattern: ceiling.bitPattern)
    var excess = SIMD16<Int32>.zero
    var index = 0
    while index &+ 16 <= count {
      let bits = unsafe UnsafeRawPointer(samples + index).loadUnaligned(as: SIMD16<Int32>.self)
      excess |= greatest &- (bits & 0x7FFF_FFFF)
      index &+= 16
    }
    while index < count {
      excess[0] |= greatest &- Int32(bitPattern: unsafe samples[index].magnitude.bitPattern)
      index &+= 1
    }
    return excess.min() >= 0
  }
}

/// A few frames to be limited, step by step for all of them at once: each step is a loop that needs few registers.
@safe
struct LimiterBlock {
  let frames: Int
  let ceiling: Float
  /// Scratch space for one number per frame.
  let factors: UnsafeMutablePointer<Float>

  init(frames: Int, ceiling: Float, factors: UnsafeMutablePointer<Float>) {
    self.frames = frames
    self.ceiling = ceiling
    unsafe self.factors = unsafe factors
  }

  /// Moves the delayed frames, after limiting, to `target`, if any, and replaces them with those of `source`, or with
  /// silence.
  @inline(__always)
  func limit(
    _ source: UnsafePointer<Float>?, delayed: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>?,
    channels: Int, _ gain: inout LimiterGain
  ) {
    let samples = frames &* channels
    if let source = unsafe source {
      unsafe findPeaks(source, channels: channels)
    } else {
      unsafe factors.update(repeating: 0, count: frames)
    }
    unsafe gain.replacePeaks(factors, count: frames, ceiling: ceiling)
    if let target = unsafe target { unsafe apply(delayed, into: target, channels: channels) }
    for sample in 0..<samples {
      let new = unsafe source.map { unsafe $0[sample] } ?? 0
      unsafe delayed[sample] = new.magnitude == .infinity ? 0 : new
    }
  }

  @inline(__always)
  func findPeaks(_ source: UnsafePointer<Float>, channels: Int) {
    for frame in 0..<frames {
      var peak: Float = 0
      for channel in 0..<channels {
        let magnitude = unsafe source[frame &* channels &+ channel].magnitude
        // NaN and infinities do not count.
        let finiteMagnitude = magnitude <= .greatestFiniteMagnitude ? magnitude : 0
        peak = finiteMagnitude > peak ? finiteMagnitude : peak
      }
      unsafe factors[frame] = peak
    }
  }

  @inline(__always)
  func apply(_ delayed: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, channels: Int) {
    for frame in 0..<frames {
      let factor = unsafe factors[frame]
      for sample in (frame &* channels)..<(frame &* channels &+ channels) {
        // The factor is rounded, so the product can exceed the ceiling in its last bit.
        let scaled = unsafe delayed[sample] * factor
        let capped = ceiling < scaled ? ceiling : scaled
        unsafe target[sample] = capped < -ceiling ? -ceiling : capped
      }
    }
  }
}
