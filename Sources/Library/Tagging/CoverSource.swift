// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
import FormatSniffing
import Platform
public import SystemPackage

/// Returns the picture in a file of at most this many bytes, for formats that TagLib does not know; `nil` if there is
/// none. It is called only with regular files that are not empty, from any thread, and concurrently.
public typealias PictureProbe = @Sendable (_ path: FilePath, _ limit: Int) -> [UInt8]?

/// Reads the covers of tracks. Safe to use from any thread; blocks until the disk has been read.
public struct CoverSource: Sendable {
  /// The formats of which TagLib may know no pictures.
  private static let probedFormats: Set<AudioFileFormat> = [.matroska, .webM, .oggMixed, .theora]

  private let probe: PictureProbe?

  /// Creates a source that uses `probe` for formats that TagLib does not know.
  public init(probe: PictureProbe? = nil) { self.probe = probe }

  /// Returns the front cover embedded in the file at `path` or, if there is none, the first other picture, of at most
  /// `limit` bytes; `nil` if there is none. Opens only regular files.
  public func embeddedPicture(of path: FilePath, limit: Int) -> EmbeddedPicture? {
    if let picture = EmbeddedPicture(of: path, limit: limit) { return picture }
    guard let probe, let status = try? FileStatus(of: path), status.kind == .regular,
      let format = FormatSignature(path, status)?.format, Self.probedFormats.contains(format)
    else { return nil }
    return probe(path, limit).flatMap { EmbeddedPicture($0, limit: limit) }
  }

  /// Returns the picture that is embedded in the file at `track` or, if there is none, the best picture in its
  /// directory, of at most `limit` bytes.
  public func picture(of track: FilePath, limit: Int) -> [UInt8]? {
    if let embedded = embeddedPicture(of: track, limit: limit) { return embedded.bytes }
    guard let cover = CoverFile(in: track.removingLastComponent(), reach: .anywhere, limit: limit) else { return nil }
    return (try? AtomicFile.read(cover.path, limit: limit)) ?? nil
  }
}

extension FormatSignature {
  /// Creates the signature of the regular file at `path`; returns `nil` if it cannot be read, or has an unknown format.
  init?(_ path: FilePath, _ status: FileStatus) {
    guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
      return nil
    }
    defer { try? file.close() }
    self.init(size: status.size) { file.bytes(at: $0, count: $1) }
  }
}

/// A picture that is embedded in an audio file.
public struct EmbeddedPicture: Sendable, Hashable {
  /// The bytes of the picture, in the format that ``mimeType`` names.
  public var bytes: [UInt8]
  /// The format according to the file, such as "image/jpeg". It may be empty, and is not yet escaped for a terminal.
  public var mimeType: String

  /// Reads the front cover embedded in the file at `path` or, if there is none, the first other picture. Ignores
  /// pictures larger than `limit` bytes. Returns `nil` if no picture is left.
  ///
  /// Knows only what TagLib reads; see ``CoverSource``. Opens only regular files. Blocks until the disk has been read.
  /// Safe to call from any thread.
  public init?(of path: FilePath, limit: Int) {
    guard
      let picture = unsafe path.withPlatformString({
        unsafe TagLibPictureRead($0, max(0, limit))
      })
    else { return nil }
    defer { unsafe picture.pointee.release(picture) }
    bytes = unsafe Array(
      UnsafeBufferPointer(start: picture.pointee.bytes, count: picture.pointee.count))
    mimeType = unsafe String(cString: picture.pointee.mimeType)
  }

  fileprivate init?(_ bytes: [UInt8], limit: Int) {
    guard (1...max(1, limit)).contains(bytes.count) else { return nil }
    self.bytes = bytes
    mimeType = ""
  }
}
