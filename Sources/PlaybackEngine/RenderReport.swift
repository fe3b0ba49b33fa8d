import AudioCore

/// What the render thread reports, without allocation.
struct RenderReport: Sendable, Hashable, BitwiseCopyable {
  enum Kind: Sendable, Hashable, BitwiseCopyable {
    /// The frame is the first of its source, or the first after a seek, that goes to the output.
    case started(AudioFormat, frameCount: Int64?)
    /// All frames before this one have gone to the output.
    case position(AudioFormat)
    /// Everything has gone to the output, which is closed.
    case drained
    /// Something that no report can hold: it waits in `EngineShare.news`.
    case news
  }

  var kind: Kind
  var generation: UInt64
  var source: PlaybackSource.ID
  var frame: Int64
}
