// SPDX-License-Identifier: GPL-3.0-or-later

import CTagLib
import Platform
import Synchronization
public import SystemPackage

/// Finds the pictures of tracks as files that other programs can open: of a picture within a sound file, it writes a
/// copy into a directory.
///
/// A copy is named by its contents, so that an album has one, and is its owner's alone (mode 0600). There are so many
/// of them at most, and none that nobody has asked for in a month.
public final class CoverCache: Sendable {
  /// How much there may be.
  struct Limits: Sendable {
    /// How many copies.
    var count = 64
    /// How many bytes they may have together.
    var bytes: Int64 = 64 << 20
    /// How old one may be, in nanoseconds.
    var age: Int64 = 30 * 86_400_000_000_000
    /// How old one may be that is found again before it is written anew, and so is a new one, in nanoseconds.
    var renewal: Int64 = 86_400_000_000_000
  }

  /// The most bytes that a picture may have.
  private static let pictureLimit = 16 << 20

  private struct State {
    /// What was asked for last, and what was found.
    var last: (track: FilePath, modified: Int64, cover: FilePath?)?
    var isTidied = false
  }

  private let directory: FilePath
  private let limits: Limits
  private let state = Mutex(State())

  /// The pictures that are copied into `covers` in `cacheDirectory`, which is made when there is one.
  public convenience init(in cacheDirectory: FilePath) { self.init(in: cacheDirectory, Limits()) }

  init(in cacheDirectory: FilePath, _ limits: Limits) {
    directory = cacheDirectory.appending("covers")
    self.limits = limits
  }

  /// The file with the picture of the sound file at `track`: of the one within it, or else the best one beside it;
  /// `nil` where there is none.
  ///
  /// What was found last is known without reading, as long as the sound file and the picture are there. Blocks while
  /// the disk does; any thread.
  public func file(of track: FilePath) -> FilePath? {
    guard track.isAbsolute, let status = try? FileStatus(of: track), status.kind == .regular else { return nil }
    let known = state.withLock { $0.last }
    if let known, known.track == track, known.modified == status.modificationTime,
      known.cover.map({ FileStatus.isFile(at: $0) == true }) ?? true
    {
      return known.cover
    }
    let copy = EmbeddedPicture(of: track, limit: Self.pictureLimit).flatMap { self.copy(of: $0.bytes) }
    let cover = copy ?? CoverFile(in: track.removingLastComponent(), limit: Self.pictureLimit)?.path
    state.withLock { $0.last = (track, status.modificationTime, cover) }
    return cover
  }

  /// The file with a copy of `picture`; `nil` where it is of no known format, or cannot be written.
  private func copy(of picture: [UInt8]) -> FilePath? {
    guard let format = PictureFormat(of: picture) else { return nil }
    let path = directory.appending("\(Self.name(of: picture)).\(format.rawValue)")
    let now = WallClock.now
    let status = try? FileStatus(of: path, followingLinks: false)
    let isNew = status.map { (0..<limits.renewal).contains(now - $0.modificationTime) } ?? false
    let isSame = isNew && status?.kind == .regular && (try? AtomicFile.read(path, limit: picture.count)) == picture
    if !isSame, (try? AtomicFile.write(picture, to: path)) == nil { return nil }
    let isTidied = state.withLock { state in
      defer { state.isTidied = true }
      return state.isTidied
    }
    if !isSame || !isTidied { tidy(sparing: path, at: now) }
    return path
  }

  /// Removes what is old or too much, the oldest first.
  private func tidy(sparing spared: FilePath, at now: Int64) {
    guard let entries = try? DirectoryListing(of: directory).entries else { return }
    var copies = entries.filter { Self.isCopy($0.name) }.compactMap { entry -> (path: FilePath, status: FileStatus)? in
      let path = directory.appending(entry.name)
      guard path != spared, let status = try? FileStatus(of: path, followingLinks: false) else { return nil }
      return (path, status)
    }
    copies.sort { $0.status.modificationTime > $1.status.modificationTime }
    var (count, bytes) = (1, (try? FileStatus(of: spared))?.size ?? 0)
    for (path, status) in copies {
      count += 1
      bytes += status.size
      if count > limits.count || bytes > limits.bytes || now - status.modificationTime > limits.age {
        try? AtomicFile.remove(path)
      }
    }
  }

  /// The name of a copy of `picture`, without its suffix: 128 bits of FNV-1a, in hexadecimal.
  private static func name(of picture: [UInt8]) -> String {
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for byte in picture { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  private static func isCopy(_ name: FilePath.Component) -> Bool {
    name.stem.utf8.count == 32 && name.stem.allSatisfy(\.isHexDigit)
      && name.extension.map { PictureFormat(rawValue: $0) != nil } ?? false
  }
}

/// A format of pictures that other programs show, by the suffix of its files.
private enum PictureFormat: String {
  case jpg
  case png
  case gif
  case webp
  case bmp

  /// The format of `picture`, by how it begins; `nil` where that is none of these.
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

/// A picture of an album that lies in a directory beside its songs.
public struct CoverFile: Equatable, Sendable {
  /// The names without their suffixes, the best first; in any case.
  private static let names = ["cover", "folder", "front", "album", "albumart"]
  /// The suffixes, the best first; in any case.
  private static let suffixes = ["jpg", "jpeg", "png", "webp", "gif"]

  /// Where it is.
  public let path: FilePath

  /// The best picture of at most `limit` bytes in `directory`; `nil` where there is none. It reads the directory.
  ///
  /// - Parameter reach: the directories out of which no link may lead, but to what lies where `directory` really is;
  ///   `nil` where any may.
  public init?(in directory: FilePath, reach: LibraryRoots? = nil, limit: Int) {
    guard let entries = try? DirectoryListing(of: directory).entries else { return nil }
    let place = reach == nil ? nil : try? directory.realPath()
    let ranked = entries.compactMap { entry in Self.rank(entry.name).map { (rank: $0, name: entry.name) } }
    for (_, name) in ranked.sorted(by: { $0.rank < $1.rank }) {
      let path = directory.appending(name)
      guard let status = try? FileStatus(of: path), status.kind == .regular,
        status.size > 0, status.size <= limit
      else { continue }
      if let reach {
        guard let real = try? path.realPath(),
          reach.really(contain: real) || place.map({ real.starts(with: $0) }) ?? false
        else { continue }
      }
      self.path = path
      return
    }
    return nil
  }

  /// The picture within the file at `track`, or else the best one beside it: of at most `limit` bytes.
  ///
  /// It blocks while the disk does. Any thread.
  public static func picture(of track: FilePath, limit: Int) -> [UInt8]? {
    if let embedded = EmbeddedPicture(of: track, limit: limit) { return embedded.bytes }
    guard let cover = CoverFile(in: track.removingLastComponent(), limit: limit) else { return nil }
    return (try? AtomicFile.read(cover.path, limit: limit)) ?? nil
  }

  private static func rank(_ name: FilePath.Component) -> Int? {
    guard let stem = names.firstIndex(of: name.stem.lowercased()),
      let suffix = suffixes.firstIndex(of: (name.extension ?? "").lowercased())
    else { return nil }
    return stem * suffixes.count + suffix
  }
}

/// A picture within a sound file.
public struct EmbeddedPicture: Sendable, Hashable {
  /// The picture, in the format that ``mimeType`` says.
  public var bytes: [UInt8]
  /// The format, as the file says it: "image/jpeg"; not yet safe for a terminal, perhaps empty.
  public var mimeType: String

  /// The picture of the front cover in the file at `path`, or else any picture, of at most `limit` bytes; `nil` where
  /// there is none.
  ///
  /// Opens nothing but regular files; blocks while the disk does. Any thread.
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
}
