import AudioCore
import CSndfile

/// An error of a decoding library, or of opening the file for it, by libsndfile's numbers.
struct SndfileError: Error, Hashable {
  static let system = Int32(SF_ERR_SYSTEM)
  static let malformed = Int32(SF_ERR_MALFORMED_FILE)
  static let unsupported = Int32(SF_ERR_UNSUPPORTED_ENCODING)
  static let notRegular = SndfileError(code: system, message: "is not a file that holds data")

  /// The error `code`, which libsndfile words like this.
  init(code: Int32, message: String) {
    self.code = code
    var text = Substring(message)
    for noise in ["System error : ", "Error : ", "Internal error : "] where text.hasPrefix(noise) {
      text = text.dropFirst(noise.count)
    }
    self.message = String(text.hasSuffix(".") ? text.dropLast() : text)
  }

  /// The error `code`, in libsndfile's words.
  init(code: Int32) {
    let message = unsafe sf_error_number(code).map { unsafe String(cString: $0) }
    self.init(code: code, message: code == 0 ? "unknown error" : message ?? "unknown error")
  }

  /// One of the `SF_ERR_` codes, or a number that libsndfile keeps to itself.
  let code: Int32
  /// What is wrong, in libsndfile's or the system's words.
  let message: String

  var kind: DecodingError.Kind {
    switch code {
    case Self.system: .unreadable
    case Self.unsupported: .unsupported
    default: .malformed
    }
  }
}
