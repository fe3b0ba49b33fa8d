import AudioCore
import SystemPackage

/// Why reading ended where it should not have.
enum EndFault: Equatable {
  /// The system failed to read the file, in its words.
  case system(String)
  /// The file has become shorter since it was opened.
  case shrunk
  /// Another stream follows the one that was read.
  case chained
  /// libsndfile could not go on, in its words.
  case damaged(String)
  /// More than a second is missing of what the file states.
  ///
  /// Stated lengths are often wrong by up to some MPEG frames, and by an encoder's delay; a cut file lacks more.
  case truncated

  /// The fault of the file at `path`, which ended at `position` of `frameCount` frames.
  func decodingError(
    path: FilePath, at position: Int64, of frameCount: Int64?, format: AudioFormat
  ) -> DecodingError {
    let place = Self.time(position, format) + (frameCount.map { " of \(Self.time($0, format))" } ?? "")
    return switch self {
    case .system(let text):
      DecodingError(path: path, kind: .unreadable, reason: "cannot be read beyond \(place): \(text)")
    case .shrunk:
      DecodingError(
        path: path, kind: .unreadable, reason: "ends at \(place): the file was cut while it was played")
    case .chained:
      DecodingError(
        path: path, kind: .unsupported, reason: "holds several chained streams; only the first is played")
    case .damaged(let text):
      DecodingError(path: path, kind: .malformed, reason: "ends at \(place): the file is damaged (\(text))")
    case .truncated:
      DecodingError(path: path, kind: .malformed, reason: "ends at \(place): the file is truncated")
    }
  }

  /// Minutes and seconds, and hours where there are any.
  private static func time(_ frame: Int64, _ format: AudioFormat) -> String {
    let seconds = format.duration(ofFrames: frame).components.seconds
    let pair = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
    guard seconds >= 3600 else { return "\(seconds / 60):\(pair(seconds % 60))" }
    return "\(seconds / 3600):\(pair(seconds / 60 % 60)):\(pair(seconds % 60))"
  }
}
