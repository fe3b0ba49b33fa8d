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
      id: id, path: item.track.path, segment: SourceSegment(item.track),
      gain: SourceGain(gain))
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
