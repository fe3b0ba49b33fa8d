/// Some frames of a stream that follow each other, without their samples.
public struct StreamFrames: Sendable, Hashable, BitwiseCopyable {
  /// Where the first one comes from.
  public var origin: FrameOrigin
  /// The format of the frames, which may be another than that of their source.
  public var format: AudioFormat
  /// How many they are.
  public var count: Int
  /// Whether the source before is mixed into them.
  public var isCrossfade = false

  /// Frames with these properties.
  public init(origin: FrameOrigin, format: AudioFormat, count: Int) {
    self.origin = origin
    self.format = format
    self.count = count
  }

  /// Where the frame that is `offset` frames behind the first comes from.
  public func origin(at offset: Int) -> FrameOrigin { origin.advanced(by: offset, at: format.sampleRate) }
}
