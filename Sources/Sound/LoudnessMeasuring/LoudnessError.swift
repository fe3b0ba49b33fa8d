public import AudioCore

/// Why the loudness of a track could not be measured.
public enum LoudnessError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file cannot be decoded.
  case decoding(DecodingError)
  /// There is no memory for the measurement.
  case outOfMemory
  /// The library that measures is not there.
  case noLibrary
  /// Whoever asked for it wants it no longer.
  case cancelled

  /// What is wrong, as one line for people; not yet safe for a terminal.
  public var description: String {
    switch self {
    case .decoding(let error): error.description
    case .outOfMemory: "out of memory; end other programs and try again"
    case .noLibrary: "libebur128, which measures loudness, is not installed"
    case .cancelled: "ended early"
    }
  }
}
