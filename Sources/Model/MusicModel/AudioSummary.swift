/// The format of a track's sound as the file's header states it, for listings.
public struct AudioSummary: Sendable, Hashable {
  /// Frames a second, in Hz.
  public var sampleRate: Int
  /// Samples in a frame.
  public var channels: Int
  /// Bits in a sample, where the format has such a number.
  public var bitDepth: Int?

  /// A summary of these numbers.
  public init(sampleRate: Int, channels: Int, bitDepth: Int? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitDepth = bitDepth
  }
}
