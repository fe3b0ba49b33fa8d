// SPDX-License-Identifier: GPL-3.0-or-later

/// The gain of a look-ahead limiter: it falls in time for a peak, rises again slowly, and never jumps.
///
/// For each frame it receives the gain that the frame needs, and returns the gain for the frame `lookAhead` frames
/// earlier. That is the smallest gain needed by any frame in the look-ahead, rising no faster than the release allows,
/// averaged over the look-ahead. Every value in the average is low enough for the frame, and so is the average.
/// Integers keep the sum exact.
///
/// The memory belongs to the limiter, so that a loop can hold a copy of this value in registers.
@safe
struct LimiterGain: BitwiseCopyable {
  /// The gain at which samples pass unchanged.
  static let one: Int32 = 1 << 30

  private let length: Int
  /// The sum of the gains in the average if all of them are `one`.
  private let full: Int64
  private let scale: Float
  /// The fraction of the distance to `one` that is recovered with each frame, in units of 2^-32.
  private let release: Int64
  private var minimum: SlidingMinimum
  /// A ring buffer of the gains in the average.
  private let gains: UnsafeMutablePointer<Int32>
  private var index = 0
  private var sum: Int64
  private var gain = one

  /// Creates a gain that looks `length` - 1 frames ahead and recovers by 63 % in `release` frames; both must be at
  /// least 1.
  ///
  /// `gains`, all initialised to `one`, and `candidates` must have room for `length` values, and must outlive this
  /// value.
  init(
    length: Int, release: Int, gains: UnsafeMutablePointer<Int32>,
    candidates: UnsafeMutablePointer<SlidingMinimum.Candidate>
  ) {
    self.length = length
    full = Int64(length) << 30
    scale = 1 / Float(full)
    self.release = (1 << 32) / Int64(release)
    minimum = unsafe SlidingMinimum(length: length, candidates: candidates)
    unsafe self.gains = unsafe gains
    sum = full
  }

  /// The gain before the frames of the look-ahead were added.
  var earliest: Int32 { unsafe gains[index] }

  /// Starts again, as if the gain had been `gain` for a while.
  mutating func reset(to gain: Int32) {
    unsafe gains.update(repeating: gain, count: length)
    (self.gain, sum, index) = (gain, Int64(gain) &* Int64(length), 0)
    minimum.reset()
  }

  /// Whether the gain is 1, and stays 1 until a frame needs less.
  var isResting: Bool { sum == full }

  /// Skips frames that need no reduction. Call it only while the gain is resting.
  mutating func rest() { minimum.reset() }

  /// Replaces the peaks of `count` new frames with the gain factors for the frames that leave the limiter.
  mutating func replacePeaks(_ values: UnsafeMutablePointer<Float>, count: Int, ceiling: Float) {
    // A local copy, which no store through a pointer can change.
    var copy = self
    for index in 0..<count {
      let peak = unsafe values[index]
      let needed = peak > ceiling ? Int32(ceiling / peak * Float(Self.one)) : Self.one
      unsafe values[index] = copy.next(needed)
    }
    self = copy
  }

  /// Adds the gain that the newest frame needs, and returns the gain factor for the frame that leaves the limiter.
  @inline(__always)
  private mutating func next(_ needed: Int32) -> Float {
    // Without the extra 64 steps of 2^-30, the gain would never reach `one`.
    let step = ((Int64(Self.one &- gain) &* release) &>> 32) &+ 64
    let risen = Int32(truncatingIfNeeded: min(Int64(gain) &+ step, Int64(Self.one)))
    gain = min(minimum.push(needed), risen)
    unsafe sum &+= Int64(gain) &- Int64(gains[index])
    unsafe gains[index] = gain
    index = index &+ 1 == length ? 0 : index &+ 1
    return sum == full ? 1 : Float(sum) * scale
  }
}

/// The minimum of the latest values, computed in amortised constant time.
///
/// The memory belongs to the owner, so that a loop can hold a copy of this value in registers.
@safe
struct SlidingMinimum: BitwiseCopyable {
  /// A value and the time at which it was added.
  typealias Candidate = (time: Int, value: Int32)

  private let length: Int
  /// A ring buffer of the values that can still become the minimum, oldest first, each greater than the one before.
  private let candidates: UnsafeMutablePointer<Candidate>
  private var first = 0
  private var count = 0
  private var time = 0

  /// Creates a minimum of the last `length` values, at least 1; `candidates` must have room for as many, and must
  /// outlive this value.
  init(length: Int, candidates: UnsafeMutablePointer<Candidate>) {
    self.length = length
    unsafe self.candidates = unsafe candidates
  }

  mutating func reset() { count = 0 }

  /// Adds `value` and returns the minimum of the last `length` values.
  @inline(__always)
  mutating func push(_ value: Int32) -> Int32 {
    time &+= 1
    if count > 0, unsafe candidates[first].time <= time &- length {
      first = slot(1)
      count &-= 1
    }
    while count > 0, unsafe candidates[slot(count &- 1)].value >= value { count &-= 1 }
    unsafe candidates[slot(count)] = (time, value)
    count &+= 1
    return unsafe candidates[first].value
  }

  @inline(__always)
  private func slot(_ offset: Int) -> Int {
    let slot = first &+ offset
    return slot < length ? slot : slot &- length
  }
}
