import CSoxr

/// An open soxr resampler; deleted when it goes. Belongs to one thread at a time.
@safe
struct SoxrHandle: ~Copyable {
  private let handle: soxr_t

  /// A resampler of very high quality (28 bits, linear phase) on the calling thread, or `nil` where soxr makes none.
  ///
  /// Without roll-off, up to 91 % of the band goes through unchanged; soxr's usual roll-off takes 0.003 dB from 19 kHz.
  init?(from: Int, to: Int, channels: Int) {
    var error: soxr_error_t?
    var formats = unsafe soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = unsafe soxr_quality_spec(UInt(SOXR_VHQ), UInt(SOXR_ROLLOFF_NONE))
    var runtime = unsafe soxr_runtime_spec(1)
    let handle = unsafe soxr_create(
      Double(from), Double(to), UInt32(channels), &error, &formats, &quality, &runtime)
    guard let handle = unsafe handle else { return nil }
    guard unsafe error == nil else {
      unsafe soxr_delete(handle)
      return nil
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe soxr_delete(handle) }

  /// Takes up to `inputFrames` frames and puts up to `outputFrames`; `nil` where there is no memory.
  borrowing func process(
    _ input: UnsafePointer<Float>, frames inputFrames: Int,
    into output: UnsafeMutablePointer<Float>,
    frames outputFrames: Int
  ) -> (taken: Int, put: Int)? {
    var taken = 0
    var put = 0
    let error = unsafe soxr_process(handle, input, inputFrames, &taken, output, outputFrames, &put)
    return unsafe error == nil ? (taken, put) : nil
  }
}
