/// What stands beside a block of frames in the ring.
public struct BlockHeader: Sendable, Hashable, BitwiseCopyable {
  /// Which command made it; a block of an older generation than the ring's reader wants is dropped.
  public var generation: UInt64
  /// What the block holds; `nil` where it marks the end: nothing follows what was played last.
  public var frames: StreamFrames?

  /// A block with these properties.
  public init(generation: UInt64, frames: StreamFrames?) {
    self.generation = generation
    self.frames = frames
  }
}
