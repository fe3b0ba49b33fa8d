// SPDX-License-Identifier: GPL-3.0-or-later

/// A description of consecutive frames of a stream, without their samples.
public struct StreamFrames: Sendable, Hashable, BitwiseCopyable {
  /// The origin of the first frame.
  public var origin: FrameOrigin
  /// The format of the frames, which may differ from that of their source.
  public var format: AudioFormat
  /// The number of frames.
  public var count: Int

  /// Creates a description of frames.
  public init(origin: FrameOrigin, format: AudioFormat, count: Int) {
    self.origin = origin
    self.format = format
    self.count = count
  }

  /// Returns the origin of the frame `offset` frames after the first.
  public func origin(at offset: Int) -> FrameOrigin { origin.advanced(by: offset, at: format.sampleRate) }
}

/// The origin of frames: their source, their position in it, and whether they were processed.
public struct FrameOrigin: Sendable, Hashable, BitwiseCopyable {
  /// The ID of the source.
  public var source: PlaybackSource.ID
  /// The format of the source.
  public var format: AudioFormat
  /// The position of the first frame in the source, counted from 0 in the source's own frames.
  public var frame: Int64
  /// The number of frames that the source claims to contain; `nil` if it does not say.
  public var frameCount: Int64?
  /// How the source is encoded, and what decodes it.
  public var encoding: SourceEncoding
  /// Whether the samples differ from those of the source, by gain, mixing or resampling.
  public var isProcessed: Bool

  /// Creates an origin of frames.
  public init(
    source: PlaybackSource.ID, format: AudioFormat, frame: Int64, frameCount: Int64?,
    encoding: SourceEncoding = SourceEncoding(), isProcessed: Bool
  ) {
    self.source = source
    self.format = format
    self.frame = frame
    self.frameCount = frameCount
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
