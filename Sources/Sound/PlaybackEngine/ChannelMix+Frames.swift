import AudioCore

extension ChannelMix {
  /// The mix of all of `frames`.
  func mixed(_ frames: ArraySlice<Float>) -> ArraySlice<Float> {
    let count = frames.count / from * to
    return unsafe [Float](unsafeUninitializedCapacity: count) { room, filled in
      filled = unsafe frames.withUnsafeBufferPointer { unsafe apply($0, into: room) } * to
    }[...]
  }
}
