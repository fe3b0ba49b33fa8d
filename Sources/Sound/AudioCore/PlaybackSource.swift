// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A file, or a part of a file, to be played once.
public struct PlaybackSource: Sendable, Hashable, Identifiable {
  /// The ID of one playback of a file; unique even if the same file is played again.
  public struct ID: Sendable, Hashable, BitwiseCopyable {
    /// The sequence number of the playback.
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  /// The unique ID of this playback.
  public let id: ID
  public let path: FilePath
  /// The part of the file to play; `nil` for the whole file.
  public let segment: SourceSegment?
  /// The frames to play, without the silence at the ends; `nil` for all.
  public var frames: SourceFrames?
  /// The ReplayGain to apply.
  public var gain: SourceGain
  /// The passage that is repeated; `nil` if none is. A source that begins behind it does not repeat it.
  public var passage: SourcePassage?
  /// The speed at which it is played. DSD is converted to PCM for any other than the normal one.
  public var speed = PlaybackSpeed.normal

  /// Creates a source for the file at `path`, or for a part of it.
  public init(
    id: ID, path: FilePath, segment: SourceSegment? = nil, frames: SourceFrames? = nil, gain: SourceGain = .unity
  ) {
    self.id = id
    self.path = path
    self.segment = segment
    self.frames = frames
    self.gain = gain
  }
}

/// A part of a file.
///
/// Its bounds are in CD frames, 75 per second, from the beginning of the file, since that is the unit of cue sheets.
public struct SourceSegment: Sendable, Hashable, BitwiseCopyable {
  /// The number of CD frames in a second.
  public static let framesPerSecond = 75

  /// The first CD frame of the part, counted from 0.
  public let start: Int
  /// The CD frame after the last one of the part, not before ``start``; `nil` if the part ends with the file.
  public let end: Int?
  /// Whether the part is a track of its own, to which the chapters of the file do not apply.
  public let isTrack: Bool

  /// Creates the part from `start` up to, but not including, `end`. A negative `start` becomes 0; an `end` before the
  /// start gives an empty part.
  public init(start: Int, end: Int?, isTrack: Bool = false) {
    self.isTrack = isTrack
    self.start = max(0, start)
    self.end = end.map { max($0, max(0, start)) }
  }

  /// Returns the first audio frame of the part at `sampleRate`, in Hz.
  public func startFrame(at sampleRate: Int) -> Int64 { Self.frame(start, at: sampleRate) }

  /// Returns the audio frame after the last one of the part at `sampleRate`, in Hz; `nil` if the part ends with the
  /// file.
  public func endFrame(at sampleRate: Int) -> Int64? { end.map { Self.frame($0, at: sampleRate) } }

  /// Returns the audio frame at which a CD frame begins, rounded down; `Int64.max` if it is out of range.
  ///
  /// It is computed from the beginning of the file, so that rounding errors do not add up, and adjacent parts meet at
  /// one frame.
  private static func frame(_ cdFrame: Int, at sampleRate: Int) -> Int64 {
    let (seconds, rest) = Int64(cdFrame).quotientAndRemainder(dividingBy: Int64(framesPerSecond))
    let (whole, productOverflows) = seconds.multipliedReportingOverflow(by: Int64(sampleRate))
    let (frame, sumOverflows) = whole.addingReportingOverflow(rest * Int64(sampleRate) / Int64(framesPerSecond))
    return productOverflows || sumOverflows ? .max : frame
  }
}

/// The frames of a file that are played, while positions still count from its beginning. A source that is played from a
/// position after ``end`` is played to the end of the file.
public struct SourceFrames: Sendable, Hashable, BitwiseCopyable {
  /// The sample rate that the file must have, in Hz. With any other, all frames are played.
  public let sampleRate: Int
  /// The number of frames in the file, to within a second of what it states. If it states another number, it has been
  /// replaced, and all frames are played.
  public let frameCount: Int64
  /// The first frame.
  public let start: Int64
  /// The frame after the last one; `nil` for the end of the file.
  public var end: Int64?

  public init(sampleRate: Int, frameCount: Int64, start: Int64, end: Int64?) {
    self.sampleRate = sampleRate
    self.frameCount = frameCount
    self.start = start
    self.end = end
  }

  /// Returns whether a file with this sample rate, in Hz, that states this number of frames can be the one whose frames
  /// these are.
  public func areOfFile(sampleRate: Int, statedFrameCount: Int64?) -> Bool {
    guard sampleRate == self.sampleRate else { return false }
    guard let statedFrameCount else { return true }
    let (difference, overflows) = statedFrameCount.subtractingReportingOverflow(frameCount)
    return !overflows && difference.magnitude <= sampleRate.magnitude
  }
}

/// A passage of a source: what is between two positions.
public struct SourcePassage: Sendable, Hashable, BitwiseCopyable {
  /// The length of the shortest passage.
  public static let minimum = Duration.milliseconds(100)

  public let start: Duration
  /// The position after the last one of the passage.
  public let end: Duration

  /// Creates a passage; returns `nil` if it is shorter than ``minimum``.
  public init?(start: Duration, end: Duration) {
    guard end - start >= Self.minimum else { return nil }
    self.start = max(.zero, start)
    self.end = end
  }

  public func contains(_ position: Duration) -> Bool { start <= position && position < end }
}

/// The ReplayGain of a source, applied in addition to the volume.
public struct SourceGain: Sendable, Hashable, BitwiseCopyable {
  /// No gain: every sample stays unchanged.
  public static let unity = SourceGain(factor: 1, isLimited: false)

  /// The gain factor for every sample; at least 0.
  public let factor: Float
  /// Whether a limiter holds the peaks below full scale, so that they are not clipped.
  public let isLimited: Bool

  /// Creates a gain; a `factor` that is negative or not finite becomes 1.
  public init(factor: Float, isLimited: Bool) {
    self.factor = factor >= 0 && factor.isFinite ? factor : 1
    self.isLimited = isLimited
  }
}

/// The target of a seek within the current source.
public enum SeekTarget: Sendable, Hashable {
  /// A position from the beginning.
  case to(Duration)
  /// A distance from the current position; negative to seek backwards.
  case by(Duration)
}

extension SeekTarget {
  /// Returns the position to seek to, which is limited to the range from 0 to `duration`.
  ///
  /// - Parameter position: The current position.
  /// - Parameter duration: The duration of the source; `nil` if it is not known.
  public func position(from position: Duration, within duration: Duration?) -> Duration {
    let wanted =
      switch self {
      case .to(let target): target
      case .by(let distance): position + distance
      }
    return max(.zero, min(wanted, duration ?? .seconds(Int64.max)))
  }
}

/// A description of consecutive frames of a stream, without their samples.
public struct StreamFrames: Sendable, Hashable, BitwiseCopyable {
  /// The origin of the first frame.
  public var origin: FrameOrigin
  /// The format of the frames, which may differ from that of their source.
  public var format: AudioFormat
  /// The number of frames.
  public var count: Int
  /// Whether they have the speed of their source: they last as long as more or fewer frames of it.
  public var isStretched = false

  public init(origin: FrameOrigin, format: AudioFormat, count: Int) {
    self.origin = origin
    self.format = format
    self.count = count
  }

  /// Returns the origin of the frame `offset` frames after the first.
  public func origin(at offset: Int) -> FrameOrigin {
    origin.advanced(by: isStretched ? Int(Double(offset) * origin.speed.factor) : offset, at: format.sampleRate)
  }

  /// The speed at which the frames play their source.
  public var speed: PlaybackSpeed { isStretched ? origin.speed : .normal }
}

/// The origin of frames: their source, their position in it, and whether they were processed.
public struct FrameOrigin: Sendable, Hashable, BitwiseCopyable {
  public var source: PlaybackSource.ID
  public var format: AudioFormat
  /// The position of the first frame in the source, counted from 0 in the source's own frames.
  public var frame: Int64
  /// The number of frames that the source claims to contain; `nil` if it does not say.
  public var frameCount: Int64?
  /// The frame with which the source begins, unless it is played from another position.
  public var beginning: Int64
  /// How the source is encoded, and what decodes it.
  public var encoding: SourceEncoding
  /// The number of times that a passage was repeated before these frames.
  public var passNumber: Int
  /// Whether the samples differ from those of the source, by gain, mixing or resampling.
  public var isProcessed: Bool
  /// The speed at which the source is to be played.
  public var speed = PlaybackSpeed.normal

  public init(
    source: PlaybackSource.ID, format: AudioFormat, frame: Int64, frameCount: Int64?, beginning: Int64 = 0,
    encoding: SourceEncoding = SourceEncoding(), passNumber: Int = 0, isProcessed: Bool
  ) {
    self.passNumber = passNumber
    self.source = source
    self.format = format
    self.frame = frame
    self.frameCount = frameCount
    self.beginning = beginning
    self.encoding = encoding
    self.isProcessed = isProcessed
  }

  /// Returns the origin of the frame `frames` frames later, in a stream with this sample rate, in Hz.
  public func advanced(by frames: Int, at sampleRate: Int) -> FrameOrigin {
    var origin = self
    let distance = Int64(frames)
    origin.frame +=
      sampleRate == format.sampleRate ? distance : distance * Int64(format.sampleRate) / Int64(sampleRate)
    return origin
  }
}
