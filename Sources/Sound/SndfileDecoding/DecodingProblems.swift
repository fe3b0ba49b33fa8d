// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import CSndfile
import FormatSniffing
import Platform
import Synchronization
import SystemPackage

/// Determines why libsndfile does not open a file.
///
/// libsndfile stores the error in one variable for all threads (`sf_errno` in its `sndfile.c`): every open clears it,
/// and a failing open sets it. If every open held a lock, a file that blocks would prevent all others from opening. So
/// files are opened without a lock. A file that failed is opened again here, from memory, with a lock that is held only
/// briefly.
enum FailedOpen {
  private static let queryLock = Mutex(())
  /// How many times in a row the error must be the same: each concurrent open can cause one wrong result.
  private static let requiredAgreement = 3
  private static let attemptLimit = 12

  /// Waits until no query of an error is under way; this does not depend on the speed of any file. Call it before every
  /// open, since an open would disturb a query.
  static func waitForQueries() { queryLock.withLock { _ in } }

  /// Returns the error with which opening `file` fails. Blocks as long as reading the file does, without blocking other
  /// threads.
  static func error(of file: VirtualFile) -> SndfileError {
    let record = RecordedFile(file)
    waitForQueries()
    _ = code(opening: record)
    if let failure = file.failure {
      return SndfileError(code: SndfileError.system, message: failure.description)
    }
    record.isReplayed = true
    return SndfileError(code: queryLock.withLock { _ in agreedCode(opening: record) })
  }

  private static func agreedCode(opening file: RecordedFile) -> Int32 {
    var last: Int32 = 0
    var count = 0
    var attempts = 0
    while count < requiredAgreement, attempts < attemptLimit {
      attempts += 1
      let found = code(opening: file)
      count = found != 0 && found == last ? count + 1 : 1
      last = found
    }
    return last
  }

  /// Opens `file` and returns libsndfile's error code; 0 if it succeeds.
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

/// The reason why reading ended early, or what was wrong with the data.
enum StreamProblem: Equatable {
  /// The system failed to read the file. The string is the system's message.
  case system(String)
  /// The file has become shorter since it was opened.
  case shrunk
  /// The decoding library could not continue. The string is its message.
  case damaged(String)
  /// More than a second of the stated length is missing, or anything at all if that length is exact.
  ///
  /// Stated lengths are often wrong by a few MPEG frames, or by an encoder's delay; a truncated file lacks more.
  ///
  /// The number is that of the stated frames, if the length of the file is only that of those it contains.
  case truncated(of: Int64? = nil)
  /// More than a second is missing before the end, which exists: the last page of an Ogg file states its length.
  case incomplete
  /// From this frame on, the file is in a format that cannot be played in the same stream.
  case changed(at: Int64)

  // Problems that did not prevent the rest from being played.

  /// From this frame on, the audio had another rate, in Hz, and was converted.
  case resampled(at: Int64, from: Int)
  /// Some bytes before this frame are not audio, and were skipped.
  case skipped(at: Int64, byteCount: Int64)
  /// From this frame on, lost audio was replaced with silence.
  case silenced(at: Int64)

  /// Returns the error to report for the file at `path`, in which reading ended at frame `position` of `frameCount`.
  func decodingError(
    path: FilePath, at position: Int64, of frameCount: Int64?, format: AudioFormat
  ) -> DecodingError {
    let positionText = format.positionText(position, of: frameCount)
    let (kind, reason): (DecodingError.Kind, String) =
      switch self {
      case .system(let text): (.unreadable, "cannot be read beyond \(positionText): \(text)")
      case .shrunk: (.unreadable, "ends at \(positionText): the file was truncated during playback")
      case .damaged(let text): (.malformed, "ends at \(positionText): the file is damaged (\(text))")
      case .truncated(let stated):
        (.malformed, "ends at \(format.positionText(position, of: stated ?? frameCount)): the file is truncated")
      case .incomplete: (.malformed, "ends at \(positionText): parts of the file are missing")
      case .changed(let start):
        (
          .unsupported,
          "ends at \(format.positionText(start)): the rest of the file is in another format, and cannot be played"
        )
      case .resampled(let start, let rate):
        (
          .malformed,
          "changes to \(rate) Hz at \(format.positionText(start)); the rest was converted to \(format.sampleRate) Hz"
        )
      case .skipped(let start, let count):
        (.malformed, "is damaged at \(format.positionText(start)): \(count) bytes that are not audio were skipped")
      case .silenced(let start):
        (.malformed, "is damaged at \(format.positionText(start)): the lost part is silent")
      }
    return DecodingError(path: path, kind: kind, reason: reason)
  }
}

/// An error of a decoding library, or of opening a file for one, with libsndfile's error codes.
struct SndfileError: Error, Hashable {
  static let system = Int32(SF_ERR_SYSTEM)
  static let malformed = Int32(SF_ERR_MALFORMED_FILE)
  static let unsupported = Int32(SF_ERR_UNSUPPORTED_ENCODING)
  static let notRegular = SndfileError(code: system, message: "is not a regular file")

  init(code: Int32, message: String) {
    self.code = code
    var text = Substring(message)
    for prefix in ["System error : ", "Error : ", "Internal error : "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    self.message = String(text.hasSuffix(".") ? text.dropLast() : text)
  }

  /// Creates an error from a code, and looks up libsndfile's message for it.
  init(code: Int32) {
    let message = unsafe sf_error_number(code).map { unsafe String(cString: $0) }
    self.init(code: code, message: code == 0 ? "unknown error" : message ?? "unknown error")
  }

  /// The error code: an `SF_ERR_` constant, or an internal code of libsndfile.
  let code: Int32
  /// The description of the error, in the words of libsndfile or the system.
  let message: String

  var kind: DecodingError.Kind {
    switch code {
    case Self.system: .unreadable
    case Self.unsupported: .unsupported
    default: .malformed
    }
  }
}

extension SndfileError {
  /// Returns the error to report when the file at `path` does not open. It names the file's format if the contents show
  /// what it is.
  func decodingError(opening path: FilePath) -> DecodingError {
    if kind == .unreadable { return DecodingError(path: path, kind: .unreadable, reason: message) }
    guard let signature = Self.signature(of: path) else {
      return DecodingError(path: path, kind: .malformed, reason: "is not a playable audio file")
    }
    if let name = signature.unplayableName {
      return DecodingError(
        path: path, kind: .unsupported, reason: "is \(name), which is not supported")
    }
    if let name = signature.nameForFFmpeg {
      return DecodingError(
        path: path, kind: .otherDecoder, reason: "is \(name), which libsndfile does not decode")
    }
    let name = signature.format.name
    switch signature.format.use {
    case .none:
      let kind = signature.format == .empty ? DecodingError.Kind.empty : .malformed
      return DecodingError(path: path, kind: kind, reason: "is not an audio file, but \(name)")
    case .played, .playedByFFmpeg, .unplayable:
      if kind == .unsupported {
        return DecodingError(
          path: path, kind: .otherDecoder, reason: "is \(name) with a codec that libsndfile does not decode")
      }
      return DecodingError(path: path, kind: .malformed, reason: "is \(name), but damaged (\(message))")
    }
  }

  /// Returns the signature of the file at `path`; `nil` if it cannot be read or its format is unknown.
  private static func signature(of path: FilePath) -> FormatSignature? {
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    defer { try? descriptor.close() }
    return FormatSignature(size: status.size) { descriptor.bytes(at: $0, count: $1) }
  }
}
