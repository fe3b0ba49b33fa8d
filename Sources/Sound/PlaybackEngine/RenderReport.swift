import AudioCore

/// What the render thread reports, without allocation.
struct RenderReport: Sendable, Hashable, BitwiseCopyable {
  enum Kind: Sendable, Hashable, BitwiseCopyable {
    /// The frame is the first of its source, or the first after a seek, that goes to the output, as part of such a
    /// stream.
    case started(stream: AudioFormat)
    /// Everything before this frame has gone to the output, and nothing more does for now.
    case held
    /// Everything has gone to the output, which is closed.
    case drained
    /// Something that no report can hold: it waits in `EngineShare.news`.
    case news
  }

  var kind: Kind
  var generation: UInt64
  /// The source, and the frame in it.
  var origin: FrameOrigin?
  /// When it will be heard, on the monotonic clock, in nanoseconds.
  var due: UInt64
}
