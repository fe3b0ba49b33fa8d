// SPDX-License-Identifier: GPL-3.0-or-later

/// A limiter like ``PeakLimiter`` for frames that are known together with those that follow them, so that it delays
/// nothing. Only one thread at a time may use it.
///
/// Memory is allocated only at initialisation; what is not needed is not touched.
@safe
public struct UndelayedLimiter: ~Copyable {
  /// The gain at which samples pass unchanged.
  public static let rest = LimiterGain.one

  /// The number of frames to look ahead.
  public private(set) var lookAhead = 1
  /// The longest possible look-ahead, in frames.
  public let maximumLookAhead: Int

  private let factors: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Int32>
  private let candidates: UnsafeMutablePointer<SlidingMinimum.Candidate>
  private let maximumFrames: Int
  private var channels = 1
  private var gain: LimiterGain
  /// Whether the gain knows the frames of the look-ahead.
  private var isPrimed = false

  /// Creates a limiter for at most `maximumFrames` frames at a time, at sample rates up to `maximumRate`, in Hz.
  public init(maximumFrames: Int, maximumRate: Int) {
    self.maximumFrames = maximumFrames
    maximumLookAhead = Self.lookAhead(maximumRate)
    let length = maximumLookAhead + 1
    unsafe factors = .allocate(capacity: maximumFrames)
    unsafe gains = .allocate(capacity: length)
    unsafe gains.initialize(repeating: LimiterGain.one, count: length)
    unsafe candidates = .allocate(capacity: length)
    gain = unsafe LimiterGain(length: 2, release: 1, gains: gains, candidates: candidates)
  }

  deinit {
    unsafe factors.deallocate()
    unsafe gains.deallocate()
    unsafe candidates.deallocate()
  }

  private static func lookAhead(_ sampleRate: Int) -> Int { max(1, sampleRate * 3 / 1000) }

  /// Prepares for a stream of this format.
  public mutating func begin(sampleRate: Int, channels: Int) {
    lookAhead = min(Self.lookAhead(sampleRate), maximumLookAhead)
    self.channels = max(1, channels)
    gain = unsafe LimiterGain(
      length: lookAhead + 1, release: max(1, sampleRate * 80 / 1000), gains: gains, candidates: candidates)
    reset()
  }

  /// The gain before the next frame, in units of `rest`.
  public var gainBefore: Int32 { gain.earliest }

  /// Forgets all frames, as if the gain had been `gain` for a while.
  public mutating func reset(to gain: Int32 = rest) {
    self.gain.reset(to: gain)
    isPrimed = false
  }

  /// Limits the first `frames` frames of `samples`. The frames of the look-ahead follow them: they are only read, and
  /// come again with the next call.
  public mutating func limit(_ samples: UnsafeMutableBufferPointer<Float>, frames: Int) {
    guard let start = samples.baseAddress, frames > 0, frames <= maximumFrames,
      samples.count >= (frames + lookAhead) * channels
    else { return }
    if !isPrimed {
      isPrimed = true
      unsafe push(start, frames: lookAhead)
    }
    let new = unsafe start + lookAhead &* channels
    if gain.isResting, unsafe PeakLimiter.isQuiet(new, count: frames &* channels, below: 1) { return gain.rest() }
    let block = unsafe LimiterBlock(frames: frames, ceiling: 1, factors: factors)
    unsafe block.findPeaks(new, channels: channels)
    unsafe gain.replacePeaks(factors, count: frames, ceiling: 1)
    unsafe block.apply(start, into: start, channels: channels)
  }

  /// Adds frames to the look-ahead, before the first frame is limited.
  private mutating func push(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(frames &- done, maximumFrames)
      unsafe LimiterBlock(frames: count, ceiling: 1, factors: factors)
        .findPeaks(samples + done &* channels, channels: channels)
      unsafe gain.replacePeaks(factors, count: count, ceiling: 1)
      done &+= count
    }
  }
}
