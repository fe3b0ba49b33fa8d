/// The format in which an output takes sound: interleaved integer samples.
public struct DeviceFormat: Sendable, Hashable, BitwiseCopyable {
  /// Frames a second, in Hz.
  public let sampleRate: Int
  /// Samples in a frame.
  public let channels: Int
  /// The depth of a sample.
  public let depth: SampleDepth

  /// A format of these numbers.
  public init(sampleRate: Int, channels: Int, depth: SampleDepth) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.depth = depth
  }

  /// The format that takes `format` without loss; 16 bits for sound that has no depth of its own.
  public init(for format: AudioFormat) {
    self.init(
      sampleRate: format.sampleRate, channels: format.channels, depth: format.sourceDepth ?? .bits16)
  }

  /// Bytes a frame.
  public var frameByteCount: Int { channels * depth.byteCount }

  /// Whether an output open in this format takes `format` without loss.
  public func carries(_ format: AudioFormat) -> Bool {
    sampleRate == format.sampleRate && channels == format.channels && depth >= format.sourceDepth ?? depth
  }
}
