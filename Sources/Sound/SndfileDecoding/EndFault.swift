import AudioCore
import SystemPackage

/// Why reading ended where it should not have, or what was wrong on the way.
enum EndFault: Equatable {
  /// The system failed to read the file, in its words.
  case system(String)
  /// The file has become shorter since it was opened.
  case shrunk
  /// The library could not go on, in its words.
  case damaged(String)
  /// More than a second is missing of what the file states, or anything where that is exact.
  ///
  /// Stated lengths are often wrong by up to some MPEG frames, and by an encoder's delay; a cut file lacks more.
  case truncated
  /// What follows is in a format that cannot be played in the same stream.
  case changed(at: Int64)

  // What did not keep the rest from being played.

  /// From a frame on, the sound was of another rate, in Hz, and was converted.
  case resampled(at: Int64, from: Int)
  /// Some bytes ahead of a frame are no sound.
  case passedOver(at: Int64, byteCount: Int64)
  /// From a frame on, silence takes the place of what was lost.
  case silenced(at: Int64)

  /// The fault of the file at `path`, which ended at `position` of `frameCount` frames.
  func decodingError(
    path: FilePath, at position: Int64, of frameCount: Int64?, format: AudioFormat
  ) -> DecodingError {
    let place = Self.time(position, format) + (frameCount.map { " of \(Self.time($0, format))" } ?? "")
    let (kind, reason): (DecodingError.Kind, String) =
      switch self {
      case .system(let text): (.unreadable, "cannot be read beyond \(place): \(text)")
      case .shrunk: (.unreadable, "ends at \(place): the file was cut while it was played")
      case .damaged(let text): (.malformed, "ends at \(place): the file is damaged (\(text))")
      case .truncated: (.malformed, "ends at \(place): the file is truncated")
      case .changed(let start):
        (
          .unsupported,
          "ends at \(Self.time(start, format)): what follows in the file is in another format, and cannot be played"
        )
      case .resampled(let start, let rate):
        (
          .malformed,
          "changes to \(rate) Hz at \(Self.time(start, format)); the rest was converted to \(format.sampleRate) Hz"
        )
      case .passedOver(let start, let count):
        (.malformed, "is damaged at \(Self.time(start, format)): \(count) bytes that are no sound were left out")
      case .silenced(let start):
        (.malformed, "is damaged at \(Self.time(start, format)): what was lost is silent")
      }
    return DecodingError(path: path, kind: kind, reason: reason)
  }

  /// Minutes and seconds, and hours where there are any.
  private static func time(_ frame: Int64, _ format: AudioFormat) -> String {
    let seconds = format.duration(ofFrames: frame).components.seconds
    let pair = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
    guard seconds >= 3600 else { return "\(seconds / 60):\(pair(seconds % 60))" }
    return "\(seconds / 3600):\(pair(seconds / 60 % 60)):\(pair(seconds % 60))"
  }
}
