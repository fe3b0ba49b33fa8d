/// Some frames of a stream that follow each other, without their samples.
public struct StreamFrames: Sendable, Hashable, BitwiseCopyable {
  /// Where the first one comes from.
  public var origin: FrameOrigin
  /// The format of the frames, which may be another than that of their source.
  public var format: AudioFormat
  /// How many they are.
  public var count: Int

  /// Frames with these properties.
  public init(origin: FrameOrigin, format: AudioFormat, count: Int) {
    self.origin = origin
    self.format = format
    self.count = count
  }

  /// Where the frame that is `offset` frames behind the first comes from.
  public func origin(at offset: Int) -> FrameOrigin { origin.advanced(by: offset, at: format.sampleRate) }
}

/// Where frames come from, and what was done to them on the way.
public struct FrameOrigin: Sendable, Hashable, BitwiseCopyable {
  /// Which source.
  public var source: PlaybackSource.ID
  /// The format of the source.
  public var format: AudioFormat
  /// The place of the first frame in the source, from 0, in the source's own frames.
  public var frame: Int64
  /// The number of frames that the source is said to hold, where it says so.
  public var frameCount: Int64?
  /// How many bits a second the source takes in its file, where that is known.
  public var bitRate: Int?
  /// Whether the samples are no longer the source's own: made louder, mixed or resampled.
  public var isProcessed: Bool

  /// An origin with these properties.
  public init(
    source: PlaybackSource.ID, format: AudioFormat, frame: Int64, frameCount: Int64?, bitRate: Int? = nil,
    isProcessed: Bool
  ) {
    self.source = source
    self.format = format
    self.frame = frame
    self.frameCount = frameCount
    self.bitRate = bitRate
    self.isProcessed = isProcessed
  }

  /// The origin of the frame that comes `frames` later in a stream of this sample rate, in Hz.
  public func advanced(by frames: Int, at sampleRate: Int) -> FrameOrigin {
    var origin = self
    let distance = Int64(frames)
    origin.frame +=
      sampleRate == format.sampleRate ? distance : distance * Int64(format.sampleRate) / Int64(sampleRate)
    return origin
  }
}
