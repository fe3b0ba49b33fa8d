import AudioCore
import CSndfile

/// An open libsndfile handle; closed when it goes.
///
/// A read or seek belongs to one thread at a time.
@safe
struct SoundFile: ~Copyable {
  private let handle: OpaquePointer
  /// What the header says.
  let info: SF_INFO

  /// Opens what `source` reads; `source` outlives the handle.
  ///
  /// Where it does not open, it is read once more, so that the reason can be found. A file that blocks keeps no other
  /// thread from opening another one.
  init(_ source: VirtualFile) throws(SndfileError) {
    var info = SF_INFO()
    var callbacks = unsafe VirtualFile.callbacks
    FailedOpen.letFinish()
    let opened = unsafe sf_open_virtual(
      &callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
    guard let handle = unsafe opened else { throw FailedOpen.error(of: source) }
    unsafe self.handle = unsafe handle
    self.info = info
  }

  deinit { unsafe sf_close(handle) }

  /// Reads frames of interleaved samples into `buffer` and gives their number, 0 at the end or at damage.
  borrowing func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let samples = buffer.baseAddress, info.channels > 0 else { return 0 }
    let frames = buffer.count / Int(info.channels)
    return unsafe Int(clamping: sf_readf_float(handle, samples, sf_count_t(frames)))
  }

  /// What went wrong in the call before this one; `nil` where nothing did.
  var error: SndfileError? {
    let code = unsafe sf_error(handle)
    guard code != 0 else { return nil }
    let message = unsafe sf_strerror(handle).map { unsafe String(cString: $0) }
    return SndfileError(code: code, message: message ?? "unknown error")
  }

  /// How many bytes a second the sound takes in the file; `nil` where libsndfile does not know.
  var byteRate: Int? {
    // libsndfile divides by their number.
    guard info.frames > 0 else { return nil }
    let rate = unsafe sf_current_byterate(handle)
    return rate > 0 ? Int(rate) : nil
  }

  /// Goes to `frame`; `false` where libsndfile cannot, and then the handle is of no more use.
  borrowing func seek(toFrame frame: Int64) -> Bool {
    unsafe sf_seek(handle, frame, SEEK_SET) == frame
  }
}
