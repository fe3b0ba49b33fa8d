/// The part of a file that a source is.
///
/// Its bounds are in frames of a CD, 75 a second, from the beginning of the file, since that is the unit of cue sheets.
public struct SourceSegment: Sendable, Hashable, BitwiseCopyable {
  /// How many CD frames a second has.
  public static let framesPerSecond = 75

  /// The first CD frame, from 0.
  public let start: Int
  /// The CD frame behind the last one, not before ``start``; `nil` where the part goes on to the file's end.
  public let end: Int?

  /// The part from `start` to before `end`; bounds that make no sense give an empty part, or one from the file's
  /// beginning.
  public init(start: Int, end: Int?) {
    self.start = max(0, start)
    self.end = end.map { max($0, max(0, start)) }
  }

  /// The first frame of sound at `sampleRate`, in Hz.
  public func startFrame(at sampleRate: Int) -> Int64 { Self.frame(start, at: sampleRate) }

  /// The frame of sound behind the last one at `sampleRate`, in Hz; `nil` for the file's end.
  public func endFrame(at sampleRate: Int) -> Int64? { end.map { Self.frame($0, at: sampleRate) } }

  /// The frame of sound at which a CD frame begins, rounded down; the greatest number where it is beyond it.
  ///
  /// It is worked out from the file's beginning, so what is rounded does not add up, and two parts that meet meet on
  /// one frame.
  private static func frame(_ cdFrame: Int, at sampleRate: Int) -> Int64 {
    let (seconds, rest) = Int64(cdFrame).quotientAndRemainder(dividingBy: Int64(framesPerSecond))
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
    let (frame, overflows) = whole.addingReportingOverflow(rest * Int64(sampleRate) / Int64(framesPerSecond))
    return overflow || overflows ? .max : frame
  }
}
