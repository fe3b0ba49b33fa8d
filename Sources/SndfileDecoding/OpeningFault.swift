import AudioCore
import SystemPackage

/// Says why a file does not open.
struct OpeningFault {
  private let path: FilePath

  /// The fault of the file at `path`.
  init(_ path: FilePath) { self.path = path }

  /// What libsndfile's `error` means for people.
  func decodingError(_ error: SndfileError) -> DecodingError {
    DecodingError(
      path: path, kind: error.kind,
      reason: error.kind == .malformed ? "is no sound file that can be played" : error.message)
  }
}
