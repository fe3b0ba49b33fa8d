// SPDX-License-Identifier: GPL-3.0-or-later

public import Platform
import Synchronization
public import SystemPackage

/// Provides the covers of tracks as files that other programs can open. Pictures that are embedded in audio files are
/// copied into a directory.
///
/// A copy is named by a hash of its contents, so that the tracks of an album share it, or by one of the address from
/// which it was sent; only its owner can access it (mode 0600). The number and total size of the copies are limited,
/// and copies that have not been requested for a month are removed.
public final class CoverCache: Sendable {
  struct Limits: Sendable {
    /// The maximum number of copies.
    var count = 64
    /// The maximum total size of the copies, in bytes.
    var bytes: Int64 = 64 << 20
    /// The maximum age of a copy, in nanoseconds.
    var age: Int64 = 30 * 86_400_000_000_000
    /// The age in nanoseconds from which a copy is written again when it is requested, which resets its age.
    var renewal: Int64 = 86_400_000_000_000
  }

  /// The maximum size of a picture, in bytes.
  private static let pictureLimit = 16 << 20

  private struct State {
    /// The last request, the modification time of the audio file, and the result.
    var last: (track: FilePath, modified: Int64, cover: FilePath?)?
    var isTidied = false
  }

  /// Reads the pictures of tracks.
  public let source: CoverSource

  private let directory: FilePath
  private let limits: Limits
  private let state = Mutex(State())

  /// Creates a cache that copies pictures into the directory `covers` in `cacheDirectory`. The directory is created for
  /// the first copy.
  public convenience init(in cacheDirectory: FilePath, source: CoverSource = CoverSource()) {
    self.init(in: cacheDirectory, Limits(), source: source)
  }

  init(in cacheDirectory: FilePath, _ limits: Limits, source: CoverSource = CoverSource()) {
    self.source = source
    directory = cacheDirectory.appending("covers")
    self.limits = limits
  }

  /// Stores the picture that the server of `address` has sent, if its format is known. Blocks until the disk has been
  /// written. Safe to call from any thread.
  public func store(_ picture: [UInt8], of address: StreamAddress) {
    _ = copy(of: picture, named: Self.name(of: Array(address.description.utf8)))
  }

  /// Returns a file with the cover of the audio file at `track`: a copy of the embedded picture or, if there is none,
  /// the best picture in the same directory; for the path of an address, the picture that its server has sent. Returns
  /// `nil` if there is no picture.
  ///
  /// The last result is returned without reading, as long as the audio file is unchanged and the picture exists. Blocks
  /// until the disk has been read. Safe to call from any thread.
  public func file(of track: FilePath) -> FilePath? {
    if let address = StreamAddress(track) {
      let name = Self.name(of: Array(address.description.utf8))
      let files = PictureFormat.allCases.map { directory.appending("\(name).\($0.rawValue)") }
      return files.first { FileStatus.isFile(at: $0) == true }
    }
    guard track.isAbsolute, let status = try? FileStatus(of: track), status.kind == .regular else { return nil }
    let last = state.withLock { $0.last }
    if let last, last.track == track, last.modified == status.modificationTime,
      last.cover.map({ FileStatus.isFile(at: $0) == true }) ?? true
    {
      return last.cover
    }
    let copy = source.embeddedPicture(of: track, limit: Self.pictureLimit).flatMap {
      self.copy(of: $0.bytes, named: Self.name(of: $0.bytes))
    }
    let cover = copy ?? CoverFile(in: track.removingLastComponent(), reach: .anywhere, limit: Self.pictureLimit)?.path
    state.withLock { $0.last = (track, status.modificationTime, cover) }
    return cover
  }

  /// Returns the file with a copy of `picture`, or `nil` if its format is unknown or the copy cannot be written.
  private func copy(of picture: [UInt8], named name: String) -> FilePath? {
    guard let format = PictureFormat(of: picture) else { return nil }
    let path = directory.appending("\(name).\(format.rawValue)")
    let now = WallClock.now
    let status = try? FileStatus(of: path, followingLinks: false)
    let isNew = status.map { (0..<limits.renewal).contains(now - $0.modificationTime) } ?? false
    let isSame = isNew && status?.kind == .regular && (try? AtomicFile.read(path, limit: picture.count)) == picture
    if !isSame, (try? AtomicFile.write(picture, to: path)) == nil { return nil }
    let isTidied = state.withLock { state in
      defer { state.isTidied = true }
      return state.isTidied
    }
    if !isSame || !isTidied { tidy(keeping: path, at: now) }
    return path
  }

  /// Removes copies that are too old or exceed the limits, the oldest first, but not the copy at `current`.
  private func tidy(keeping current: FilePath, at now: Int64) {
    guard let entries = try? DirectoryListing(of: directory).entries else { return }
    var copies = entries.filter { Self.isCopy($0.name) }.compactMap { entry -> (path: FilePath, status: FileStatus)? in
      let path = directory.appending(entry.name)
      guard path != current, let status = try? FileStatus(of: path, followingLinks: false) else { return nil }
      return (path, status)
    }
    copies.sort { $0.status.modificationTime > $1.status.modificationTime }
    var (count, bytes) = (1, (try? FileStatus(of: current))?.size ?? 0)
    for (path, status) in copies {
      count += 1
      bytes += status.size
      if count > limits.count || bytes > limits.bytes || now - status.modificationTime > limits.age {
        try? AtomicFile.remove(path)
      }
    }
  }

  /// Returns the file name for a copy of a picture with these bytes, or from an address with these, without the suffix:
  /// a 128-bit FNV-1a hash in hexadecimal.
  private static func name(of bytes: [UInt8]) -> String {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  private static func isCopy(_ name: FilePath.Component) -> Bool {
    name.stem.utf8.count == 32 && name.stem.allSatisfy(\.isHexDigit)
      && name.extension.map { PictureFormat(rawValue: $0) != nil } ?? false
  }
}

/// A picture format that other programs can show, by its file name suffix.
private enum PictureFormat: String, CaseIterable {
  case jpg
  case png
  case gif
  case webp
  case bmp

  /// Creates the format of `picture` from its first bytes, or returns `nil` if it is none of these.
  init?(of picture: [UInt8]) {
    if picture.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if picture.starts(with: "GIF8".utf8) {
      self = .gif
    } else if picture.starts(with: "RIFF".utf8), picture.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if picture.starts(with: "BM".utf8) {
      self = .bmp
    } else {
      return nil
    }
  }
}

/// A picture of an album in the directory of its tracks.
public struct CoverFile: Equatable, Sendable {
  /// The file names without their suffixes, the best first, in lower case; names match regardless of case.
  private static let names = ["cover", "folder", "front", "album", "albumart"]
  /// The file name suffixes, the best first, in lower case; suffixes match regardless of case.
  private static let suffixes = ["jpg", "jpeg", "png", "webp", "gif"]

  /// The path under which to open the picture.
  public let path: FilePath
  /// The modification time of the picture, in nanoseconds since 1970.
  package let modificationTime: Int64

  /// Reads `directory`, and finds the best picture of at most `limit` bytes in it that is within `reach`. Returns `nil`
  /// if there is none.
  public init?(in directory: FilePath, reach: FileReach, limit: Int) {
    guard let entries = try? DirectoryListing(of: directory).entries else { return nil }
    let ranked = entries.compactMap { entry in Self.rank(entry.name).map { (rank: $0, name: entry.name) } }
    for (_, name) in ranked.sorted(by: { $0.rank < $1.rank }) {
      guard let (path, status) = reach.file(directory.appending(name), isBesideMusic: true),
        status.size > 0, status.size <= limit
      else { continue }
      self.path = path
      modificationTime = status.modificationTime
      return
    }
    return nil
  }

  private static func rank(_ name: FilePath.Component) -> Int? {
    guard let stem = names.firstIndex(of: name.stem.lowercased()),
      let suffix = suffixes.firstIndex(of: (name.extension ?? "").lowercased())
    else { return nil }
    return stem * suffixes.count + suffix
  }
}
