import AudioCore

/// The last frames of a stream, as long as its shape stays the same. Belongs to the decode thread.
struct StreamTail {
  /// More than the longest filter hears, in frames.
  private static let frameLimit = 4096

  private var shape: StreamShape?
  private var samples: ArraySlice<Float> = []

  /// The stream goes on with `frames`, whose samples these are, and maybe more.
  mutating func add(_ frames: StreamFrames, _ samples: UnsafeBufferPointer<Float>) {
    let format = frames.format
    if shape != format.shape { self.samples = [] }
    shape = format.shape
    let limit = Self.frameLimit * format.channels
    let new = unsafe samples.prefix(frames.count * format.channels).suffix(limit)
    self.samples = unsafe (self.samples + new).suffix(limit)
  }

  /// The last frames, where they are of this shape.
  func frames(of shape: StreamShape) -> ArraySlice<Float> {
    shape == self.shape ? samples : []
  }
}
