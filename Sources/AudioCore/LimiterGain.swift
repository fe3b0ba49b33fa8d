/// The gain of a look-ahead limiter: down in time for a peak, up again slowly, and never in a step.
///
/// For each frame it takes the gain that the frame needs, and gives the one for the frame of `lookAhead` frames before:
/// the least that any frame on the way needs, rising by the release only, averaged over the look-ahead. All of the
/// values that are averaged are low enough for the frame, and so is their mean. Whole numbers keep the sum exact.
@safe
struct LimiterGain: ~Copyable {
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

  /// Looks `lookAhead` frames ahead, and comes back by 63 % in `release` frames; both at least 1.
  init(lookAhead: Int, release: Int) {
    length = lookAhead + 1
    full = Int64(length) << 30
    scale = 1 / Float(full)
    self.release = (1 << 32) / Int64(release)
    minimum = SlidingMinimum(length: length)
    unsafe gains = .allocate(capacity: length)
    unsafe gains.initialize(repeating: Self.one, count: length)
    sum = full
  }

  deinit { unsafe gains.deallocate() }

  /// Whether nothing is made softer, until a frame needs it.
  var isResting: Bool { sum == full }

  /// Skips frames that need nothing, while it is resting.
  mutating func rest() { minimum.reset() }

  /// Takes the gain that the newest frame needs, and gives the factor for the one that leaves.
  mutating func next(_ needed: Int32) -> Float {
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
