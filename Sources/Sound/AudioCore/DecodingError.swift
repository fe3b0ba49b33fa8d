public import SystemPackage

/// Why a file cannot be played.
public struct DecodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Sendable, Hashable {
    /// The file is not there, or may not be read.
    case unreadable
    /// The file is no sound, or is damaged beyond reading.
    case malformed
    /// The file is in a format that cannot be decoded.
    case unsupported
    /// The file holds no sound.
    case empty
  }

  /// Which file; may hold bytes that are no text.
  public let path: FilePath
  /// What kind of fault it is.
  public let kind: Kind
  /// What is wrong, in words for people, without the path.
  public let reason: String

  /// The fault `reason` of the file at `path`.
  public init(path: FilePath, kind: Kind, reason: String) {
    self.path = path
    self.kind = kind
    self.reason = reason
  }

  /// The path and what is wrong with it.
  public var description: String { "\(path): \(reason)" }
}
