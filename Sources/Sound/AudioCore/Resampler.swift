/// Converts a stream of interleaved frames from one sample rate to another, continuously. Belongs to one thread at a
/// time.
public protocol Resampler: AnyObject {
  /// Takes frames from the beginning of `input` and puts those that are ready at the beginning of `output`; gives the
  /// number of frames that were taken and put.
  ///
  /// Takes nothing only where `output` was filled. The frames that are put begin with the first one of the stream:
  /// there is no delay to be skipped.
  func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) -> (taken: Int, put: Int)

  /// Puts frames that are left when the stream has ended at the beginning of `output`, and gives their number, 0 when
  /// nothing is left. In all, as many frames come out as went in, times the ratio of the rates, rounded.
  func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int
}

/// Makes a resampler from one sample rate to another, in Hz, for frames of so many channels; `nil` where there is no
/// memory.
public typealias ResamplerFactory =
  @Sendable (_ from: Int, _ to: Int, _ channels: Int) -> (any Resampler)?
