/// The part of a track that is played, where that is not all of it.
public struct PlayedRange: Sendable, Hashable {
  /// Where playing begins, from the track's beginning.
  public let start: Duration
  /// Where it ends; `nil` for the track's end.
  public let end: Duration?
  /// The duration of the whole track, as far as it is known.
  public let wholeDuration: Duration?

  /// The part from `start` to `end` of a track that lasts `wholeDuration`; `nil` where that is empty, or begins before
  /// the track.
  public init?(start: Duration, end: Duration?, wholeDuration: Duration?) {
    guard start >= .zero, end.map({ $0 > start }) ?? true else { return nil }
    self.start = start
    self.end = end
    self.wholeDuration = wholeDuration
  }
}

extension Track {
  /// The track with no more played of it than what lies from `start` to `end`, which counts up to the track's own end;
  /// all of it where that is nothing less, or nothing at all. The duration is that of the part.
  public func played(from start: Duration, to end: Duration?) -> Track {
    var track = self
    let whole = range.map(\.wholeDuration) ?? duration
    let end = end.flatMap { end in whole.map { end < $0 } ?? true ? end : nil }
    let isWhole = start <= .zero && end == nil
    track.range = isWhole ? nil : PlayedRange(start: start, end: end, wholeDuration: whole)
    track.duration = whole
    if let range = track.range, let last = range.end ?? whole {
      track.duration = max(.zero, last - range.start)
    }
    return track
  }
}
