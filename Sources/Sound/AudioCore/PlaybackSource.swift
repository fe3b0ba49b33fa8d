public import SystemPackage

/// One file, or a part of one, that is to be played, once.
public struct PlaybackSource: Sendable, Hashable, Identifiable {
  /// What tells one playing from every other, also of the same file.
  public struct ID: Sendable, Hashable, BitwiseCopyable {
    /// The number.
    public let rawValue: UInt64

    /// The id with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  /// What tells it from the others.
  public let id: ID
  /// The file.
  public let path: FilePath
  /// Which part of the file it is, where it is not the whole.
  public let segment: SourceSegment?
  /// By how much it is made louder or softer.
  public var gain: SourceGain

  /// The playing `id` of the file at `path`, or of a part of it.
  public init(id: ID, path: FilePath, segment: SourceSegment? = nil, gain: SourceGain = .unity) {
    self.id = id
    self.path = path
    self.segment = segment
    self.gain = gain
  }
}

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

/// By how much a source is made louder or softer, whatever the volume is: ReplayGain.
public struct SourceGain: Sendable, Hashable, BitwiseCopyable {
  /// Every sample as it is.
  public static let unity = SourceGain(factor: 1, isLimited: false)

  /// The factor for every sample, from 0.
  public let factor: Float
  /// Whether a limiter keeps the peaks below full scale, instead of clipping them.
  public let isLimited: Bool

  /// The gain by this factor; what is no number, or negative, leaves every sample as it is.
  public init(factor: Float, isLimited: Bool) {
    self.factor = factor >= 0 && factor.isFinite ? factor : 1
    self.isLimited = isLimited
  }
}

/// Where in the current source to go.
public enum SeekTarget: Sendable, Hashable {
  /// So far from its beginning.
  case to(Duration)
  /// So much further from where it is, or back where negative.
  case by(Duration)
}

extension SeekTarget {
  /// The place that is meant where `position` is heard of what lasts for `duration`, as far as that is known: not
  /// before its beginning, nor behind its end.
  public func place(from position: Duration, within duration: Duration?) -> Duration {
    let wanted =
      switch self {
      case .to(let place): place
      case .by(let distance): position + distance
      }
    return max(.zero, min(wanted, duration ?? .seconds(Int64.max)))
  }
}
