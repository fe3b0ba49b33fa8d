import AudioCore
import Platform
import SystemPackage

/// Says why a file does not open.
struct OpeningFault {
  private let path: FilePath

  /// The fault of the file at `path`.
  init(_ path: FilePath) { self.path = path }

  /// What libsndfile's `error` means for people: the format's name, where the contents show it.
  func decodingError(_ error: SndfileError) -> DecodingError {
    if error.kind == .unreadable {
      return DecodingError(path: path, kind: .unreadable, reason: error.message)
    }
    guard let signature else {
      return DecodingError(path: path, kind: .malformed, reason: "is no sound file that can be played")
    }
    if let name = signature.unplayableName {
      return DecodingError(
        path: path, kind: .unsupported, reason: "is \(name), which libsndfile does not decode")
    }
    let name = signature.format.name
    switch signature.format.use {
    case .none:
      let kind = signature.format == .empty ? DecodingError.Kind.empty : .malformed
      return DecodingError(path: path, kind: kind, reason: "is no sound file, but \(name)")
    case .played, .unplayable:
      if error.kind == .unsupported {
        return DecodingError(
          path: path, kind: .unsupported, reason: "is \(name) in a coding that libsndfile does not decode")
      }
      return DecodingError(path: path, kind: .malformed, reason: "is \(name), but damaged (\(error.message))")
    }
  }

  /// What the file holds, as far as it can be read.
  private var signature: FormatSignature? {
    guard let status = try? FileStatus(of: path), status.kind == .regular,
      let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
    else { return nil }
    defer { try? descriptor.close() }
    return FormatSignature(size: status.size) { descriptor.bytes(at: $0, count: $1) }
  }
}
