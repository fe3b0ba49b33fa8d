import CSndfile
import Synchronization
import SystemPackage

/// Finds out why libsndfile does not open a file.
///
/// libsndfile keeps that in one place for all threads (`sf_errno` in its `sndfile.c`): every open begins by clearing
/// it, and one that fails sets it. With a lock held over every open, a file that blocks would keep all others from
/// opening. So files are opened without one, and what has failed is opened again here, from memory: nobody holds the
/// lock for longer than that takes.
enum FailedOpen {
  private static let asking = Mutex(())
  /// How often in a row the answer has to be the same: each open that was under way already can give one wrong answer.
  private static let agreement = 3
  private static let attemptLimit = 12

  /// Waits until nobody asks, which takes no file's time. To be called ahead of every open, which would disturb.
  static func letFinish() { asking.withLock { _ in } }

  /// Why opening `file` fails. Blocks as long as reading the file does, and meanwhile keeps nobody from anything.
  static func error(of file: VirtualFile) -> SndfileError {
    let record = RecordedFile(file)
    letFinish()
    _ = code(opening: record)
    if let failure = file.failure {
      return SndfileError(code: SndfileError.system, message: failure.description)
    }
    record.isReplayed = true
    return SndfileError(code: asking.withLock { _ in agreedCode(opening: record) })
  }

  private static func agreedCode(opening file: RecordedFile) -> Int32 {
    var last: Int32 = 0
    var count = 0
    var attempts = 0
    while count < agreement, attempts < attemptLimit {
      attempts += 1
      let found = code(opening: file)
      count = found != 0 && found == last ? count + 1 : 1
      last = found
    }
    return last
  }

  /// The number of the error with which opening `file` fails; 0 where it does not.
  private static func code(opening file: RecordedFile) -> Int32 {
    file.rewind()
    var info = SF_INFO()
    var callbacks = unsafe VirtualFile.callbacks
    let handle = unsafe sf_open_virtual(
      &callbacks, Int32(SFM_READ), &info, Unmanaged.passUnretained(file).toOpaque())
    guard let opened = unsafe handle else { return sf_error(nil) }
    unsafe sf_close(opened)
    return 0
  }
}
