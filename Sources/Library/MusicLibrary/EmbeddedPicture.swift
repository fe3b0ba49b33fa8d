import CTagLib
public import SystemPackage

/// A picture within a sound file.
public struct EmbeddedPicture: Sendable, Hashable {
  /// The picture, in the format that ``mimeType`` says.
  public var bytes: [UInt8]
  /// The format, as the file says it: "image/jpeg"; not yet safe for a terminal, perhaps empty.
  public var mimeType: String

  /// The picture of the front cover in the file at `path`, or else any picture, of at most `limit` bytes; `nil` where
  /// there is none, or TagLib is not there (``TagLibInstallation``).
  ///
  /// Opens nothing but regular files; blocks while the disk does. Any thread.
  public init?(of path: FilePath, limit: Int) {
    guard
      let picture = unsafe path.withPlatformString({
        unsafe TagLibInstallation.library?.pointee.readPicture($0, max(0, limit))
      })
    else { return nil }
    defer { unsafe picture.pointee.release(picture) }
    bytes = unsafe Array(
      UnsafeBufferPointer(start: picture.pointee.bytes, count: picture.pointee.count))
    mimeType = unsafe String(cString: picture.pointee.mimeType)
  }
}
