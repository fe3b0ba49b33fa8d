/// The last frames of a stream, as long as its shape stays the same. Belongs to the decode thread.
struct StreamTail {
  /// More than the longest filter hears, in frames.
  private static let frameLimit = 4096

  private var shape: StreamShape?
  private var samples: ArraySlice<Float> = []

  /// The stream goes on with these samples of frames of `shape`.
  mutating func add(_ new: UnsafeBufferPointer<Float>, of shape: StreamShape) {
    if self.shape != shape { samples = [] }
    self.shape = shape
    let limit = Self.frameLimit * shape.channels
    samples = unsafe (samples + new.suffix(limit)).suffix(limit)
  }

  /// The last frames, where they are of this shape.
  func frames(of shape: StreamShape) -> ArraySlice<Float> {
    shape == self.shape ? samples : []
  }
}
