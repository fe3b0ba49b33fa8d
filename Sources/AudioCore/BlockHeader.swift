/// What stands beside a block of frames in the ring.
public struct BlockHeader: Sendable, Hashable, BitwiseCopyable {
  /// What the block is.
  public enum Kind: Sendable, Hashable, BitwiseCopyable {
    /// Frames of a source, in playing order.
    case frames
    /// No frames: nothing follows the source that was played last.
    case end
  }

  /// What the block is.
  public var kind: Kind
  /// Which command made it; a block of an older generation than the ring's reader wants is dropped.
  public var generation: UInt64
  /// Which source it comes from.
  public var source: PlaybackSource.ID
  /// The format of the frames; `nil` where there are none.
  public var format: AudioFormat?
  /// The place of the first frame in the source, from 0.
  public var startFrame: Int64
  /// The number of frames.
  public var frameCount: Int
  /// The number of frames that the source is said to hold, where it says so.
  public var sourceFrameCount: Int64?

  /// A block with these properties.
  public init(
    kind: Kind, generation: UInt64, source: PlaybackSource.ID, format: AudioFormat?, startFrame: Int64,
    frameCount: Int, sourceFrameCount: Int64?
  ) {
    self.kind = kind
    self.generation = generation
    self.source = source
    self.format = format
    self.startFrame = startFrame
    self.frameCount = frameCount
    self.sourceFrameCount = sourceFrameCount
  }
}
