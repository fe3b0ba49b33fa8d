import AudioCore
import MusicModel

/// Makes the engine's sources of the queue's items: every playing of an item is a source of its own, so that what the
/// engine reports of an earlier one is told apart.
struct SourceBook: Sendable {
  private var lastNumber: UInt64 = 0

  /// A source for playing `item` once.
  mutating func source(for item: PlayQueue.Item, gain: ReplayGainDecision) -> PlaybackSource {
    lastNumber += 1
    let id = PlaybackSource.ID(rawValue: lastNumber)
    return PlaybackSource(
      id: id, path: item.track.path, segment: item.track.segment.map { SourceSegment($0) },
      gain: SourceGain(gain))
  }
}

extension SourceSegment {
  /// The part of a file that the track is.
  init(_ segment: TrackSegment) { self.init(start: segment.start, end: segment.end) }
}

extension SourceGain {
  /// What the engine makes of `decision`.
  init(_ decision: ReplayGainDecision) {
    self.init(factor: decision.factor, isLimited: decision.needsLimiter)
  }
}
