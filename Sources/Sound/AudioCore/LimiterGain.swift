/// The gain of a look-ahead limiter: down in time for a peak, up again slowly, and never in a step.
///
/// For each frame it takes the gain that the frame needs, and gives the one for the frame of `lookAhead` frames before:
/// the least that any frame on the way needs, rising by the release only, averaged over the look-ahead. All of the
/// values that are averaged are low enough for the frame, and so is their mean. Whole numbers keep the sum exact.
///
/// A value over memory of the limiter's, so that a loop can keep a copy of it in registers.
@safe
struct LimiterGain: BitwiseCopyable {
  /// The gain of samples that pass unchanged.
  static let one: Int32 = 1 << 30

  private let length: Int
  private let full: Int64
  private let scale: Float
  /// The part of what is missing to `one` that comes back with each frame, in 2^-32.
  private let release: Int64
  private var minimum: SlidingMinimum
  /// A ring of the gains that are averaged.
  private let gains: UnsafeMutablePointer<Int32>
  private var place = 0
  private var sum: Int64
  private var gain = one

  /// Looks one frame less than `length` ahead, and comes back by 63 % in `release` frames; both at least 1. `gains`,
  /// all of them `one`, and `candidates` have room for `length` values, and outlive it.
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

  /// Whether nothing is made softer, until a frame needs it.
  var isResting: Bool { sum == full }

  /// Skips frames that need nothing, while it is resting.
  mutating func rest() { minimum.reset() }

  /// Takes the peaks of `count` frames, and puts the factors for those that leave for them in their places.
  mutating func replacePeaks(_ values: UnsafeMutablePointer<Float>, count: Int, ceiling: Float) {
    // A copy, which no store through a pointer can change.
    var copy = self
    for index in 0..<count {
      let peak = unsafe values[index]
      let needed = peak > ceiling ? Int32(ceiling / peak * Float(Self.one)) : Self.one
      unsafe values[index] = copy.next(needed)
    }
    self = copy
  }

  /// Takes the gain that the newest frame needs, and gives the factor for the one that leaves.
  @inline(__always)
  private mutating func next(_ needed: Int32) -> Float {
    // 64 steps of 2^-30 bring it to its end.
    let step = ((Int64(Self.one &- gain) &* release) &>> 32) &+ 64
    let risen = Int32(truncatingIfNeeded: min(Int64(gain) &+ step, Int64(Self.one)))
    gain = min(minimum.push(needed), risen)
    unsafe sum &+= Int64(gain) &- Int64(gains[place])
    unsafe gains[place] = gain
    place = place &+ 1 == length ? 0 : place &+ 1
    return sum == full ? 1 : Float(sum) * scale
  }
}

/// The least of the last so many values, in constant time a value on average.
///
/// A value over memory of someone else's, so that a loop can keep a copy of it in registers.
@safe
struct SlidingMinimum: BitwiseCopyable {
  /// A value, and when it was added.
  typealias Candidate = (time: Int, value: Int32)

  private let length: Int
  /// A ring of the values that can still become the least, in the order of their time, each greater than the one
  /// before.
  private let candidates: UnsafeMutablePointer<Candidate>
  private var first = 0
  private var count = 0
  private var time = 0

  /// The least of the last `length` values, at least 1; `candidates` has room for as many, and outlives it.
  init(length: Int, candidates: UnsafeMutablePointer<Candidate>) {
    self.length = length
    unsafe self.candidates = unsafe candidates
  }

  /// Forgets all values.
  mutating func reset() { count = 0 }

  /// Adds `value` and gives the least.
  @inline(__always)
  mutating func push(_ value: Int32) -> Int32 {
    time &+= 1
    if count > 0, unsafe candidates[first].time <= time &- length {
      first = place(1)
      count &-= 1
    }
    while count > 0, unsafe candidates[place(count &- 1)].value >= value { count &-= 1 }
    unsafe candidates[place(count)] = (time, value)
    count &+= 1
    return unsafe candidates[first].value
  }

  @inline(__always)
  private func place(_ offset: Int) -> Int {
    let place = first &+ offset
    return place < length ? place : place &- length
  }
}
