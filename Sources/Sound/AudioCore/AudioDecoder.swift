public import SystemPackage

/// Reads the sound of one file. Belongs to one thread at a time; reading may block on the file.
public protocol AudioDecoder: AnyObject {
  /// The format of what ``read(into:)`` gives; never changes.
  var format: AudioFormat { get }

  /// The number of frames that the file is said to hold, or `nil` where it does not say.
  ///
  /// Good for a progress bar; the end is where ``read(into:)`` gives 0.
  var frameCount: Int64? { get }

  /// How many bits a second the file takes for its sound, on the average, or `nil` where that is not known.
  var bitRate: Int? { get }

  /// Fills the beginning of `buffer` with the frames that follow and gives their number, 0 at the end.
  ///
  /// `buffer` has room for at least one frame. Fewer frames than fit do not mean the end. What cannot be read behind
  /// damage ends early.
  func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int

  /// Where ``read(into:)`` gave 0: why it did so before the end that the file states, or what was wrong on the way.
  var failure: DecodingError? { get }

  /// Goes to `frame`, counted from 0; where the file ends earlier, to its end.
  ///
  /// - Throws: `DecodingError` where the file can no longer be read.
  func seek(toFrame frame: Int64) throws(DecodingError)
}

extension AudioDecoder {
  /// Not known.
  public var bitRate: Int? { nil }
}

/// Opens the file at a path for decoding.
public typealias DecoderFactory = @Sendable (FilePath) throws(DecodingError) -> any AudioDecoder

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
