/// Makes peaks softer so that no sample is above a ceiling, with a gain that changes smoothly and for all channels
/// alike. Belongs to one thread at a time.
///
/// Sound that stays below the ceiling passes bit for bit. As many frames come out as go in, the first one first: what
/// the limiter looks ahead is held back, and comes with ``finish(into:)``. What comes out does not depend on how the
/// stream is cut into blocks. Infinities become silence; NaN passes. Allocates nothing after its beginning.
@safe
public final class PeakLimiter {
  /// How far it looks ahead, in frames.
  public let lookAhead: Int

  private let channels: Int
  private let ceiling: Float
  private var gain: LimiterGain
  /// Room for a peak or a factor for each frame of the look-ahead.
  private let factors: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Int32>
  private let candidates: UnsafeMutablePointer<SlidingMinimum.Candidate>
  /// A ring of the frames that are held back.
  private let held: UnsafeMutablePointer<Float>
  private var heldCount = 0
  private var place = 0
  private var isFinishing = false

  /// A limiter for frames of `channels` samples at `sampleRate` Hz that looks 3 ms ahead and comes back by 63 % in 80
  /// ms.
  ///
  /// `ceiling` is a positive number; 1 is full scale.
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
    unsafe held = .allocate(capacity: lookAhead * channels)
    unsafe held.initialize(repeating: 0, count: lookAhead * channels)
  }

  deinit {
    unsafe held.deallocate()
    unsafe factors.deallocate()
    unsafe gains.deallocate()
    unsafe candidates.deallocate()
  }

  /// Takes frames from the beginning of `input` and puts those that are ready at the beginning of `output`; gives the
  /// number of frames that were taken and put. Takes all, unless `output` is full. The two do not overlap.
  public func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (taken: Int, put: Int) {
    let frames = input.count / channels
    let room = output.count / channels
    var taken = 0
    var put = 0
    while taken < frames, let source = input.baseAddress {
      let filling = min(frames - taken, lookAhead - heldCount)
      let count = min(filling > 0 ? filling : min(frames - taken, room - put), lookAhead - place)
      guard count > 0 else { break }
      let target = unsafe filling > 0 ? nil : output.baseAddress.map { unsafe $0 + put * channels }
      unsafe pass(source + taken * channels, frames: count, into: target)
      taken += count
      if filling > 0 { heldCount += count } else { put += count }
    }
    return (taken, put)
  }

  /// Puts frames that are left when the stream has ended at the beginning of `output`, and gives their number, 0 when
  /// nothing is left: then the limiter is ready for another stream, and goes on with the gain that it has.
  public func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let target = output.baseAddress else { return 0 }
    if !isFinishing {
      // A stream that is shorter than the look-ahead has places before it that hold nothing.
      var empty = lookAhead - heldCount
      while empty > 0 {
        let count = min(empty, lookAhead - place)
        unsafe pass(nil, frames: count, into: nil)
        empty -= count
      }
      isFinishing = true
    }
    var put = 0
    while heldCount > 0, put < output.count / channels {
      let count = min(heldCount, output.count / channels - put, lookAhead - place)
      unsafe pass(nil, frames: count, into: target + put * channels)
      put += count
      heldCount -= count
    }
    if heldCount == 0 { isFinishing = false }
    return put
  }

  /// Holds `frames` frames of `source`, or of silence, back, and puts those that leave for them into `target`, if any.
  /// The ring holds them without a break.
  private func pass(
    _ source: UnsafePointer<Float>?, frames: Int, into target: UnsafeMutablePointer<Float>?
  ) {
    let samples = frames &* channels
    let old = unsafe held + place &* channels
    place = place &+ frames == lookAhead ? 0 : place &+ frames
    guard gain.isResting, unsafe source.map({ unsafe isQuiet($0, count: samples) }) ?? true else {
      return unsafe limit(source, frames: frames, held: old, into: target)
    }
    unsafe target?.update(from: old, count: samples)
    if let source = unsafe source {
      unsafe old.update(from: source, count: samples)
    } else {
      unsafe old.update(repeating: 0, count: samples)
    }
    gain.rest()
  }

  /// Passes frames that have, or stand before, a peak or its release.
  private func limit(
    _ source: UnsafePointer<Float>?, frames: Int, held: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>?
  ) {
    let block = unsafe LimiterBlock(frames: frames, ceiling: ceiling, factors: factors)
    // A number that is known makes the loops over one frame go.
    switch channels {
    case 1: unsafe block.limit(source, held: held, into: target, channels: 1, &gain)
    case 2: unsafe block.limit(source, held: held, into: target, channels: 2, &gain)
    default: unsafe block.limit(source, held: held, into: target, channels: channels, &gain)
    }
  }

  /// Whether no sample is above the ceiling; `false` where one is NaN.
  private func isQuiet(_ samples: UnsafePointer<Float>, count: Int) -> Bool {
    // The bits of positive floats are in the order of the floats.
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

/// A few frames that a limiter makes softer: one thing at a time for all of them, since each is a loop that needs few
/// registers.
@safe
struct LimiterBlock {
  let frames: Int
  let ceiling: Float
  /// Room for a number for each frame.
  let factors: UnsafeMutablePointer<Float>

  init(frames: Int, ceiling: Float, factors: UnsafeMutablePointer<Float>) {
    self.frames = frames
    self.ceiling = ceiling
    unsafe self.factors = unsafe factors
  }

  /// Puts the frames that are held into `target`, if any, and holds those of `source`, or silence, in their places.
  @inline(__always)
  func limit(
    _ source: UnsafePointer<Float>?, held: UnsafeMutablePointer<Float>,
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
    if let target = unsafe target { unsafe apply(held, into: target, channels: channels) }
    for sample in 0..<samples {
      let new = unsafe source.map { unsafe $0[sample] } ?? 0
      unsafe held[sample] = new.magnitude == .infinity ? 0 : new
    }
  }

  @inline(__always)
  private func findPeaks(_ source: UnsafePointer<Float>, channels: Int) {
    for frame in 0..<frames {
      var peak: Float = 0
      for channel in 0..<channels {
        let magnitude = unsafe source[frame &* channels &+ channel].magnitude
        // Neither NaN nor infinite.
        let counted = magnitude <= .greatestFiniteMagnitude ? magnitude : 0
        peak = counted > peak ? counted : peak
      }
      unsafe factors[frame] = peak
    }
  }

  @inline(__always)
  private func apply(_ held: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, channels: Int) {
    for frame in 0..<frames {
      let factor = unsafe factors[frame]
      for sample in (frame &* channels)..<(frame &* channels &+ channels) {
        // The factor is rounded; what that lets above the ceiling is its last bit.
        let softer = unsafe held[sample] * factor
        let notAbove = ceiling < softer ? ceiling : softer
        unsafe target[sample] = notAbove < -ceiling ? -ceiling : notAbove
      }
    }
  }
}
