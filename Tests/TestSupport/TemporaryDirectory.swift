// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Platform
public import SystemPackage

/// A private directory for one test. It is removed with its contents when the last reference to this object is
/// released.
public final class TemporaryDirectory: Sendable {
  /// The absolute path of the directory.
  public let path: FilePath

  /// Creates an empty directory.
  public init() throws {
    let base = unsafe getenv("TMPDIR").map { unsafe FilePath(platformString: $0) } ?? "/tmp"
    var template = unsafe base.appending("segue-test-XXXXXX").withPlatformString { name in
      unsafe Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    }
    path = try unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let created = unsafe mkdtemp(start) else {
        throw Errno(rawValue: errno)
      }
      return unsafe FilePath(platformString: created)
    }
  }

  deinit { Self.remove(path) }

  /// The path of `name` in the directory. `name` may have several components.
  public subscript(_ name: String) -> FilePath { path.pushing(FilePath(name)) }

  /// Returns the path of the file or directory `name` in the directory.
  public func file(_ name: String) -> FilePath { path.appending(name) }

  /// Writes a file, and creates the directories that contain it if they are missing.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> FilePath {
    try write(bytes, to: FilePath(name))
  }

  /// Writes a file whose name may be invalid UTF-8, and creates the directories that contain it if they are missing.
  @discardableResult
  public func write(_ bytes: some Sequence<UInt8>, to name: FilePath) throws -> FilePath {
    let file = path.pushing(name)
    try makeDirectories(to: file.removingLastComponent())
    let descriptor = try FileDescriptor.open(
      file, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
    try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
    return file
  }

  /// Creates a directory, and the directories that contain it if they are missing.
  @discardableResult
  public func makeDirectory(_ name: String) throws -> FilePath {
    try makeDirectories(to: self[name])
    return self[name]
  }

  /// Creates the symbolic link `name` with exactly this target.
  public func link(_ name: String, to target: String) throws {
    try check(unsafe symlink(target, self[name].string))
  }

  /// Creates `name` as a hard link to the file `original`.
  public func hardLink(_ name: String, to original: String) throws {
    try check(unsafe systemLink(self[original].string, self[name].string))
  }

  /// Removes a file, or a directory with its contents.
  public func remove(_ name: String) { Self.remove(self[name]) }

  /// Creates a FIFO, which blocks any process that opens it for reading.
  public func makeFIFO(_ name: String) throws {
    try check(unsafe self[name].withPlatformString { unsafe mkfifo($0, 0o600) })
  }

  /// Creates a socket on which no process listens.
  public func makeSocket(_ name: String) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = self[name].string.utf8
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw Errno.fileNameTooLong }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    #if canImport(Darwin)
      let number = socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    try check(min(number, 0))
    defer { close(number) }
    try check(
      unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      })
  }

  /// Changes the owner of a file.
  public func setOwner(_ user: UInt32, of name: String) throws {
    try check(unsafe self[name].withPlatformString { unsafe chown($0, user, gid_t.max) })
  }

  /// Returns the permissions of a file, including the sticky bit.
  public func permissions(of name: String) throws -> UInt32 {
    var status = stat()
    try check(unsafe self[name].withPlatformString { unsafe stat($0, &status) })
    return UInt32(status.st_mode) & 0o7777
  }

  /// Sets the permissions of a file.
  public func setPermissions(_ mode: UInt32, of name: String) throws {
    try check(unsafe self[name].withPlatformString { unsafe chmod($0, mode_t(mode)) })
  }

  /// Creates a program, or replaces the one with this name.
  ///
  /// Another process writes it. If this one did, a child that another thread starts meanwhile would have the file open
  /// for writing for a moment, and the system would refuse to run the program.
  @discardableResult
  public func writeProgram(_ text: String, to name: String) throws -> FilePath {
    let source = try write(text.utf8, to: "\(name).source")
    let path = self[name]
    try Tool.run("install", ["-m", "755", source.string, path.string])
    return path
  }

  /// Whether permission bits apply to this process. They do not apply to root.
  public static var permissionsApply: Bool { geteuid() != 0 }

  private func makeDirectories(to directory: FilePath) throws {
    if (try? FileStatus(of: directory).kind) == .directory { return }
    try makeDirectories(to: directory.removingLastComponent())
    try check(unsafe directory.withPlatformString { unsafe mkdir($0, 0o700) })
  }

  private func check(_ result: Int32) throws {
    if result != 0 { throw Errno(rawValue: errno) }
  }

  private static func remove(_ path: FilePath) {
    if (try? FileStatus(of: path, followingLinks: false).kind) == .directory {
      _ = unsafe path.withPlatformString { unsafe chmod($0, 0o700) }
      for entry in (try? DirectoryListing(of: path))?.entries ?? [] { remove(path.appending(entry.name)) }
      _ = unsafe path.withPlatformString { unsafe rmdir($0) }
    } else {
      _ = unsafe path.withPlatformString { unsafe unlink($0) }
    }
  }
}

// Calls link(2). Within the class, `link` is another function.
private func systemLink(_ original: UnsafePointer<CChar>, _ name: UnsafePointer<CChar>) -> Int32 {
  unsafe link(original, name)
}

/// Returns the bytes of the file at `path`; empty if the file does not exist.
public func contents(of path: FilePath) throws -> [UInt8] {
  try AtomicFile.read(path, limit: 1 << 30) ?? []
}

extension FilePath {
  /// Creates the path with these bytes, which may be invalid UTF-8. Returns `nil` if there are none, or if they contain
  /// a NUL.
  public init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    let name = (bytes + [0]).map { CChar(bitPattern: $0) }
    self = unsafe name.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return FilePath() }
      return unsafe FilePath(platformString: start)
    }
  }
}

extension FilePath {
  /// Renames the file at this path to `path`, replacing any file there.
  public func rename(to path: FilePath) throws {
    try Self.check(
      unsafe withPlatformString { from in
        unsafe path.withPlatformString { unsafe Self.systemRename(from, $0) }
      })
  }

  /// Deletes the file or empty directory at this path.
  public func delete() throws {
    try Self.check(unsafe withPlatformString { unsafe remove($0) })
  }

  /// Truncates the file at this path to `size` bytes, or extends it with zeros.
  public func truncate(to size: Int) throws {
    try Self.check(unsafe withPlatformString { unsafe Self.systemTruncate($0, size) })
  }

  /// Copies the file at this path to `path`, including its modification time.
  public func copy(to path: FilePath) throws {
    let modified = try FileStatus(of: self).modificationTime
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
    let bytes = try contents(of: self)
    try file.closeAfter {
      _ = try file.writeAll(bytes)
      try Self.setModificationTime(modified, of: file)
    }
  }

  /// Sets the time of the last change of an open file, in nanoseconds since 1970.
  static func setModificationTime(_ nanoseconds: Int64, of file: FileDescriptor) throws {
    let time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    try check(unsafe futimens(file.rawValue, [time, time]))
  }

  /// Creates empty files in the directory at this path, with numbers as names, and deletes them again.
  ///
  /// It creates no `FilePath` for each file, since debug builds check paths at great cost.
  ///
  /// - Parameter deletingAtOnce: Whether each file is deleted directly after it is created, rather than after all are
  ///   created.
  public func makeAndDeleteFiles(_ count: Int, deletingAtOnce: Bool) throws {
    let prefix = string + "/"
    for number in 0..<count {
      let file = unsafe open(prefix + "\(number)", O_CREAT | O_WRONLY, 0o600)
      try Self.check(min(file, 0))
      try Self.check(close(file))
      if deletingAtOnce { try Self.check(unsafe unlink(prefix + "\(number)")) }
    }
    if deletingAtOnce { return }
    for number in 0..<count { try Self.check(unsafe unlink(prefix + "\(number)")) }
  }

  private static func systemRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
    unsafe CStandard.rename(from, to)
  }

  private static func systemTruncate(_ path: UnsafePointer<CChar>, _ size: Int) -> Int32 {
    unsafe CStandard.truncate(path, off_t(size))
  }

  private static func check(_ result: Int32) throws {
    if result != 0 { throw Errno(rawValue: errno) }
  }
}

/// Provides the paths of the files in `Fixtures`.
public enum Fixture {
  /// The path of the repository's directory `Fixtures`.
  public static let directory = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().appending("Fixtures")

  /// Returns the path of a file in `Fixtures/Broken`.
  public static func broken(_ name: String) -> FilePath {
    directory.appending("Broken").appending(name)
  }

  /// Returns the path of a file in `Fixtures/Music`.
  public static func music(_ path: String) -> FilePath {
    directory.appending("Music").pushing(FilePath(path))
  }

  /// Returns the statements of a file in `Fixtures/Schemas`, for each schema those that it adds to the one before.
  public static func schemas(_ name: String) throws -> [String] {
    let bytes = try AtomicFile.read(directory.appending("Schemas").appending(name), limit: 1 << 20) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: /-- Schema \d+: .*\n/).dropFirst().map { String($0) }
  }

  /// The paths of the three tracks of *Ground and Air* that were cut from one recording.
  public static var canon: [FilePath] {
    ["01 Canon in D, Part One", "02 Canon in D, Part Two", "03 Canon in D, Part Three"].map {
      music("The Clockwork Consort/Ground and Air/\($0).flac")
    }
  }
}
