// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore

/// The filters of a profile at one sample rate, and a crossfeed, with their state, followed by a limiter. Only one
/// thread at a time may use it.
///
/// Filters are computed in double precision. The result does not depend on how a stream is divided into pieces. Memory
/// is allocated only at initialisation; what is not needed is not touched.
@safe
public struct EqualiserChain: ~Copyable {
  /// The samples of two channels, which are filtered together.
  typealias Pair = SIMD2<Double>

  /// The state at a position, to which the chain can return.
  private struct Snapshot: BitwiseCopyable {
    var position: Int64
    var limiterGain: Int32
  }

  /// The number of frames that are filtered at a time, so that they stay in the processor's cache.
  private static let pieceFrames = 256
  private static let pairLimit = (AudioFormat.channelCounts.upperBound + 1) / 2
  private static let stateCapacity = EqualiserProfile.filterLimit * pairLimit * 2 + 2
  /// The maximum number of snapshots: more than the blocks that are stored for an output.
  private static let snapshotLimit = 64
  /// The magnitude below which the state of a filter counts as silence: smaller numbers would be slow.
  private static let silence = 1e-30

  private let biquads: UnsafeMutablePointer<Biquad>
  private var biquadCount = 0
  private var preamp = 1.0
  /// The crossfeed, which is only applied to stereo; `nil` for none.
  private var crossfeed: CrossfeedFilters?
  private var channels = 1
  /// Two numbers for each filter, for each pair of channels; those of the crossfeed come last.
  private let state: UnsafeMutablePointer<Pair>
  /// The state before the look-ahead.
  private let earlierState: UnsafeMutablePointer<Pair>
  private let work: UnsafeMutablePointer<Pair>
  private var limiter: UndelayedLimiter
  private let snapshotStates: UnsafeMutablePointer<Pair>
  private let snapshots: UnsafeMutablePointer<Snapshot>
  /// The slot of the newest snapshot, and the number of snapshots.
  private var newest = 0
  private var snapshotCount = 0

  /// Creates a chain without filters, for at most `maximumFrames` frames at a time, at sample rates up to
  /// `maximumRate`, in Hz.
  public init(maximumFrames: Int, maximumRate: Int) {
    limiter = UndelayedLimiter(maximumFrames: maximumFrames, maximumRate: maximumRate)
    unsafe biquads = .allocate(capacity: EqualiserProfile.filterLimit)
    unsafe state = .allocate(capacity: Self.stateCapacity)
    unsafe earlierState = .allocate(capacity: Self.stateCapacity)
    unsafe work = .allocate(capacity: Self.pieceFrames)
    unsafe snapshotStates = .allocate(capacity: Self.snapshotLimit * Self.stateCapacity)
    unsafe snapshots = .allocate(capacity: Self.snapshotLimit)
  }

  deinit {
    unsafe biquads.deallocate()
    unsafe state.deallocate()
    unsafe earlierState.deallocate()
    unsafe work.deallocate()
    unsafe snapshotStates.deallocate()
    unsafe snapshots.deallocate()
  }

  /// The number of frames after those to be processed that ``process(_:_:following:into:)`` needs.
  public var lookAhead: Int { limiter.lookAhead }

  /// The longest possible look-ahead, in frames.
  public var maximumLookAhead: Int { limiter.maximumLookAhead }

  /// Starts anew with these filters, this gain before them, as a factor, and this crossfeed after them, for a stream of
  /// this format. A crossfeed of anything but stereo is left out.
  public mutating func begin(
    _ filters: UnsafeBufferPointer<EqualiserFilter>, preamp: Double, crossfeed: Crossfeed? = nil, sampleRate: Int,
    channels: Int
  ) {
    self.preamp = preamp
    self.channels = min(max(1, channels), 2 * Self.pairLimit)
    self.crossfeed = channels == 2 ? crossfeed.map { CrossfeedFilters($0, sampleRate: sampleRate) } : nil
    biquadCount = 0
    for index in 0..<min(filters.count, EqualiserProfile.filterLimit) {
      let biquad = Biquad(unsafe filters[index], sampleRate: sampleRate)
      guard biquad != .identity else { continue }
      unsafe (biquads + biquadCount).initialize(to: biquad)
      biquadCount += 1
    }
    limiter.begin(sampleRate: sampleRate, channels: self.channels)
    snapshotCount = 0
    reset()
  }

  /// Forgets what has been processed, as if there had been silence.
  public mutating func reset() {
    unsafe state.update(repeating: .zero, count: stateCount)
    limiter.reset()
  }

  private var pairCount: Int { (channels &+ 1) / 2 }
  private var stateCount: Int { biquadCount &* pairCount &* 2 &+ (crossfeed == nil ? 0 : 2) }

  // MARK: Processing

  /// Filters the frames `range` of `block` to the beginning of `target`, which has room for them and for the
  /// look-ahead.
  ///
  /// - Parameter following: The samples after those of `block`, as far as they are known.
  public mutating func process(
    _ block: UnsafeBufferPointer<Float>, _ range: Range<Int>, following: UnsafeBufferPointer<Float>,
    into target: UnsafeMutableBufferPointer<Float>
  ) {
    guard let source = block.baseAddress, let start = target.baseAddress, range.upperBound &* channels <= block.count,
      target.count >= (range.count + lookAhead) * channels
    else { return }
    unsafe filter(source + range.lowerBound &* channels, frames: range.count, into: start)
    unsafe earlierState.update(from: state, count: stateCount)
    var filled = range.count
    let end = range.count &+ lookAhead
    let rest = min(block.count / channels &- range.upperBound, end &- filled)
    unsafe filter(source + range.upperBound &* channels, frames: rest, into: start + filled &* channels)
    filled &+= rest
    if filled < end, let source = following.baseAddress {
      let count = min(following.count / channels, end &- filled)
      unsafe filter(source, frames: count, into: start + filled &* channels)
      filled &+= count
    }
    if filled < end { unsafe (start + filled &* channels).update(repeating: 0, count: (end &- filled) &* channels) }
    unsafe state.update(from: earlierState, count: stateCount)
    unsafe limiter.limit(target, frames: range.count)
  }

  private func filter(
    _ source: UnsafePointer<Float>, frames: Int, into target: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < frames {
      let count = min(frames &- done, Self.pieceFrames)
      let offset = done &* channels
      for pair in 0..<pairCount {
        let (left, right) = (offset &+ 2 &* pair, offset &+ min(2 &* pair &+ 1, channels &- 1))
        for frame in 0..<count {
          let index = frame &* channels
          let samples = unsafe Pair(Double(source[left &+ index]), Double(source[right &+ index]))
          // What is not finite would stay in the state forever.
          let isInvalid = .!(samples * samples .< 0x1p32)
          unsafe work[frame] = samples.replacing(with: 0, where: isInvalid) * preamp
        }
        let pairState = unsafe state + 2 &* pair &* biquadCount
        for index in 0..<biquadCount {
          unsafe Self.run(biquads[index], state: pairState + 2 &* index, work, count: count)
        }
        if let crossfeed { unsafe Self.run(crossfeed, state: pairState + 2 &* biquadCount, work, count: count) }
        for frame in 0..<count {
          let index = frame &* channels
          unsafe target[left &+ index] = Float(work[frame].x)
          unsafe target[right &+ index] = right == left ? Float(work[frame].x) : Float(work[frame].y)
        }
      }
      done &+= count
    }
  }

  /// Runs one filter over samples, in the transposed direct form II.
  @inline(__always)
  private static func run(
    _ biquad: Biquad, state: UnsafeMutablePointer<Pair>, _ samples: UnsafeMutablePointer<Pair>, count: Int
  ) {
    var (first, second) = unsafe (state[0], state[1])
    for index in 0..<count {
      let sample = unsafe samples[index]
      let result = sample * biquad.b0 + first
      first = sample * biquad.b1 - result * biquad.a1 + second
      second = sample * biquad.b2 - result * biquad.a2
      unsafe samples[index] = result
    }
    unsafe store(first, second, in: state)
  }

  /// Runs a crossfeed over the samples of two channels.
  @inline(__always)
  private static func run(
    _ crossfeed: CrossfeedFilters, state: UnsafeMutablePointer<Pair>, _ samples: UnsafeMutablePointer<Pair>, count: Int
  ) {
    var (near, far) = unsafe (state[0], state[1])
    for index in 0..<count {
      let sample = unsafe samples[index]
      let own = sample * crossfeed.near0 + near
      let other = sample * crossfeed.far0 + far
      near = sample * crossfeed.near1 + own * crossfeed.nearPole
      far = other * crossfeed.farPole
      unsafe samples[index] = own + Pair(other.y, other.x)
    }
    unsafe store(near, far, in: state)
  }

  @inline(__always)
  private static func store(_ first: Pair, _ second: Pair, in state: UnsafeMutablePointer<Pair>) {
    unsafe state[0] = first.replacing(with: 0, where: first * first .< silence * silence)
    unsafe state[1] = second.replacing(with: 0, where: second * second .< silence * silence)
  }

  // MARK: Returning

  /// Stores the state at a position in the stream, in frames, so that the chain can return to it.
  public mutating func record(at position: Int64) {
    dropSnapshots(from: position)
    newest = (newest &+ 1) % Self.snapshotLimit
    snapshotCount = min(snapshotCount + 1, Self.snapshotLimit)
    unsafe (snapshotStates + newest &* Self.stateCapacity).update(from: state, count: stateCount)
    unsafe snapshots[newest] = Snapshot(position: position, limiterGain: limiter.gainBefore)
  }

  /// Returns to a position in the stream: that of frame `offset` of `block`. The frames before it in the block are
  /// processed again from where the state is known or, if it is not, from silence.
  ///
  /// - Parameter scratch: Room for frames and the look-ahead.
  public mutating func restore(
    to position: Int64, _ block: UnsafeBufferPointer<Float>, offset: Int, scratch: UnsafeMutableBufferPointer<Float>
  ) {
    dropSnapshots(from: position + 1)
    let begin = position - Int64(offset)
    var frame = 0
    reset()
    if snapshotCount > 0, let snapshot = Optional(unsafe snapshots[newest]), snapshot.position >= begin {
      unsafe state.update(from: snapshotStates + newest &* Self.stateCapacity, count: stateCount)
      limiter.reset(to: snapshot.limiterGain)
      frame = Int(snapshot.position - begin)
    }
    let room = max(1, scratch.count / channels - lookAhead)
    while frame < offset {
      let count = min(offset - frame, room)
      unsafe process(block, frame..<frame + count, following: UnsafeBufferPointer(start: nil, count: 0), into: scratch)
      frame += count
    }
  }

  private mutating func dropSnapshots(from position: Int64) {
    while snapshotCount > 0, unsafe snapshots[newest].position >= position {
      snapshotCount -= 1
      newest = (newest &+ Self.snapshotLimit &- 1) % Self.snapshotLimit
    }
  }
}
