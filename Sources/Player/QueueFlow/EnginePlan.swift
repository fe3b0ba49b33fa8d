import AudioCore
import MusicModel

/// What the engine was given to play, and what it is still to be given.
struct EnginePlan: Sendable {
  /// An item that is to be played as soon as its ReplayGain values are known.
  struct Request: Sendable {
    let item: PlayQueue.Item
    var place: Duration
    var isPaused: Bool
  }

  /// What the engine was given to play.
  var chain = SourceChain()
  /// What it is to play next of all, once its ReplayGain values are known.
  var request: Request?
  /// Whether the gain of what is heard waits for its ReplayGain values.
  var needsGain = false
  /// Whether an edit has ended playing, and nothing else has happened since.
  var wasStoppedByEdit = false
  /// The ReplayGain values of the few items that are about to be played, as far as they are known.
  var replayGain: [PlayQueue.Item.ID: ReplayGainTags] = [:]
  /// The items whose values are being looked up.
  var awaitedReplayGain: [PlayQueue.Item.ID] = []
  private var lastSourceNumber: UInt64 = 0

  /// A source for playing `item` once: every playing has a source of its own, so that reports about an earlier one can
  /// be recognised.
  mutating func source(for item: PlayQueue.Item, gain: ReplayGainDecision) -> PlaybackSource {
    lastSourceNumber += 1
    let id = PlaybackSource.ID(rawValue: lastSourceNumber)
    return PlaybackSource(
      id: id, path: item.track.path, segment: SourceSegment(item.track), gain: SourceGain(gain))
  }
}

extension SourceSegment {
  /// The part of its file that is played of `track`; `nil` for the whole.
  init?(_ track: Track) {
    guard track.segment != nil || track.range != nil else { return nil }
    let start = track.segment?.start ?? 0
    guard let range = track.range else {
      self.init(start: start, end: track.segment?.end)
      return
    }
    let end = range.end.map { start + Self.frames($0) }
    self.init(
      start: start + Self.frames(range.start), end: [end, track.segment?.end].compactMap { $0 }.min())
  }

  /// The CD frame nearest to this place, which is at most some years.
  private static func frames(_ place: Duration) -> Int {
    Int((min(max(0, place / .seconds(1)), 1e9) * Double(framesPerSecond)).rounded())
  }
}

extension SourceGain {
  /// What the engine makes of `decision`.
  init(_ decision: ReplayGainDecision) {
    self.init(factor: decision.factor, isLimited: decision.needsLimiter)
  }
}
