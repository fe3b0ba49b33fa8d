/// A part of a file that is a track of its own, as a cue sheet tells it.
///
/// Its bounds are in frames of a CD, 75 a second, from the beginning of the file: the unit of the sheet's `INDEX`
/// lines, from which the frames of the sound follow without rounding drift.
public struct TrackSegment: Sendable, Hashable {
  /// How many of these frames a second has.
  public static let framesPerSecond = 75

  /// The first CD frame of the track, from 0.
  public let start: Int
  /// The CD frame behind its last one; `nil` where the track goes on to the file's end.
  public let end: Int?

  /// The part from `start` to before `end`; `nil` where that is empty or begins before the file.
  public init?(start: Int, end: Int?) {
    guard start >= 0, end.map({ $0 > start }) ?? true else { return nil }
    self.start = start
    self.end = end
  }
}
