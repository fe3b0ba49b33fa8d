/// Where sound goes: a device or a file, opened in one format. Belongs to one thread at a time.
public protocol AudioOutput: AnyObject {
  /// The format in which it takes samples; never changes.
  var format: DeviceFormat { get }

  /// What it is, in words for people ("pulse", "out.wav").
  var name: String { get }

  /// Whether it takes sound only as fast as it is heard; a file takes it as fast as it comes.
  var isRealTime: Bool { get }

  /// How many frames it holds at most that were taken and are not heard yet; 0 where it keeps no time.
  var bufferFrames: Int { get }

  /// How many frames are best written at once; at most ``bufferFrames`` where that is not 0, and at least 1.
  var periodFrames: Int { get }

  /// Whether whoever writes has to do so in real time: not where a sound server, or a library's own thread, takes it
  /// from there.
  var needsRealTime: Bool { get }

  /// Whether it stays open in a pause, however long that is: nobody else waits for it, and its reader takes an end for
  /// one.
  var isKeptInPause: Bool { get }

  /// What the user should know of how it was opened, in one line.
  var warning: String? { get }

  /// Takes `bytes`, whole frames in ``format``; blocks until it has. After a failure, the output must be closed.
  ///
  /// - Throws: `OutputError` where the device is gone or the file cannot be written.
  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError)

  /// Lets what was taken be heard, or be stored, to its end, and closes. The last call.
  ///
  /// - Throws: `OutputError` where not everything could be stored.
  func close() throws(OutputError)
}

extension AudioOutput {
  /// No.
  public var needsRealTime: Bool { false }

  /// No.
  public var isKeptInPause: Bool { false }
}

/// Opens an output that takes the format asked for, or the nearest that its device takes; the output says which.
public typealias OutputFactory = @Sendable (DeviceFormat) throws(OutputError) -> any AudioOutput

/// Why sound cannot be put out.
public struct OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Kind: Sendable, Hashable {
    /// There is no such driver.
    case unknownDriver
    /// The device or the file could not be opened.
    case cannotOpen
    /// The device went while it was open; it may come back.
    case lost
    /// Not everything could be stored in the file.
    case incomplete
    /// The output cannot take this format.
    case unsupportedFormat
  }

  /// What kind of fault it is.
  public let kind: Kind
  /// Which output and what is wrong with it, in words for people.
  public let description: String

  /// A fault described in words for people.
  public init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }
}
