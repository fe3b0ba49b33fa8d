// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// File operations, such as writing a file atomically: whatever happens meanwhile, the file is complete, in its old
/// version or its new one.
public enum AtomicFile {
  /// Writes `bytes` to the file at `path`, and creates missing directories (mode 0700).
  ///
  /// - Parameter permissions: The permissions of the file, even if it already exists, less the process's umask.
  /// - Throws: `Errno`; then the old file is unchanged.
  public static func write(
    _ bytes: some Sequence<UInt8>, to path: FilePath, permissions: FilePermissions = [.ownerReadWrite]
  ) throws(Errno) {
    try makeDirectories(path.removingLastComponent())
    guard path.lastComponent != nil else { throw .invalidArgument }
    let temporary = try TemporaryFile(beside: path, permissions: permissions)
    try asErrno { try temporary.descriptor.writeAll(bytes) }
    try temporary.move(to: path)
  }

  /// Reads the regular file at `path`; returns `nil` if it is missing.
  ///
  /// - Throws: `Errno` if it cannot be read; `fileTooLarge` if it has more than `limit` bytes.
  public static func read(_ path: FilePath, limit: Int) throws(Errno) -> [UInt8]? {
    do {
      let status = try FileStatus(of: path)
      guard status.kind == .regular else { throw Errno.invalidArgument }
      guard status.size <= limit else { throw Errno.fileTooLarge }
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
      return try file.closeAfter {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
          let piece = try unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            count = unsafe try file.read(into: UnsafeMutableRawBufferPointer(buffer))
          }
          if piece.isEmpty { break }
          bytes += piece
        }
        return bytes
      }
    } catch Errno.noSuchFileOrDirectory {
      return nil
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Creates the directory at `path`, and those above it, if they are missing.
  ///
  /// - Parameter permissions: The permissions of new directories, less the process's umask.
  /// - Throws: `Errno`.
  public static func makeDirectories(
    _ path: FilePath, permissions: FilePermissions = [.ownerReadWriteExecute]
  ) throws(Errno) {
    if path.isEmpty || (try? FileStatus(of: path))?.kind == .directory { return }
    try makeDirectories(path.removingLastComponent(), permissions: permissions)
    let result = unsafe path.withPlatformString { unsafe mkdir($0, permissions.rawValue) }
    if result != 0, errno != EEXIST { throw Errno(rawValue: errno) }
  }

  /// Renames the file at `source` to `target`, replacing any file there.
  ///
  /// - Throws: `Errno`.
  public static func move(_ source: FilePath, to target: FilePath) throws(Errno) {
    let result = unsafe source.withPlatformString { source in
      unsafe target.withPlatformString { target in unsafe rename(source, target) }
    }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Removes the file or symbolic link at `path`.
  ///
  /// - Throws: `Errno`.
  public static func remove(_ path: FilePath) throws(Errno) {
    let result = unsafe path.withPlatformString { unsafe unlink($0) }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Removes the directory at `path`, which must be empty.
  ///
  /// - Throws: `Errno`.
  public static func removeEmptyDirectory(_ path: FilePath) throws(Errno) {
    let result = unsafe path.withPlatformString { unsafe rmdir($0) }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Sets the permissions of the file at `path`.
  ///
  /// - Throws: `Errno`.
  public static func setPermissions(_ permissions: FilePermissions, of path: FilePath) throws(Errno) {
    let result = unsafe path.withPlatformString { unsafe chmod($0, permissions.rawValue) }
    if result != 0 { throw Errno(rawValue: errno) }
  }
}

/// A hidden temporary file in the directory of the file that it will replace. It is deleted when this value is
/// destroyed, unless it was moved into place.
///
/// The file stays locked while it is in use. This distinguishes it from files that a killed process left behind, which
/// are deleted when the next temporary file is created in the directory. The name is random, so it cannot collide with
/// another file.
struct TemporaryFile: ~Copyable {
  private static let prefix = ".segue-"
  private static let attemptLimit = 16

  let path: FilePath
  /// The descriptor of the file, open for reading and writing.
  let descriptor: FileDescriptor
  private var isMoved = false

  /// Creates an empty file in the directory of `target`, with the same extension.
  ///
  /// - Throws: `Errno`.
  init(beside target: FilePath, permissions: FilePermissions = [.ownerReadWrite]) throws(Errno) {
    let directory = target.removingLastComponent()
    Self.removeAbandoned(in: directory)
    let suffix = target.extension.map { ".\($0)" } ?? ""
    for _ in 0..<Self.attemptLimit {
      let (process, random) = (getpid(), UInt64.random(in: .min ... .max))
      let path = directory.appending("\(Self.prefix)\(process)-\(String(random, radix: 36))\(suffix)")
      let descriptor: FileDescriptor
      do {
        descriptor = try FileDescriptor.open(
          path, .readWrite, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: permissions)
      } catch {
        if error as? Errno == .fileExists { continue }
        throw error as? Errno ?? .ioError
      }
      // If the file system does not support locks, other processes never consider the file abandoned.
      let isBusy = flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 && Errno(rawValue: errno) == .wouldBlock
      // Another process may have removed the file as abandoned before it was locked.
      if !isBusy, Self.isFile(descriptor, at: path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      try? descriptor.close()
    }
    throw .fileExists
  }

  deinit {
    if !isMoved { try? AtomicFile.remove(path) }
    try? descriptor.close()
  }

  /// Syncs the file to disk and renames it to `target`, replacing any file there.
  ///
  /// - Throws: `Errno`; then the old file is unchanged.
  consuming func move(to target: FilePath) throws(Errno) {
    if fsync(descriptor.rawValue) != 0 { throw Errno(rawValue: errno) }
    try AtomicFile.move(path, to: target)
    isMoved = true
  }

  /// Removes the temporary files in `directory` that no process is using.
  private static func removeAbandoned(in directory: FilePath) {
    let names = (try? DirectoryListing(of: directory.isEmpty ? "." : directory))?.entries.map(\.name) ?? []
    for name in names where isTemporaryName(name.string) {
      let path = directory.appending(name)
      guard (try? FileStatus(of: path, followingLinks: false))?.kind == .regular,
        let descriptor = try? FileDescriptor.open(
          path, .readWrite, options: [.noFollow, .nonBlocking, .closeOnExec])
      else { continue }
      defer { try? descriptor.close() }
      if flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0, isFile(descriptor, at: path) {
        try? AtomicFile.remove(path)
      }
    }
  }

  /// Whether `name` is the name of a temporary file: the prefix, a process ID, a number in base 36, and any extension.
  private static func isTemporaryName(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let stem = name.dropFirst(prefix.count).prefix { $0 != "." }
    let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && Int32(parts[0]) != nil && UInt64(parts[1], radix: 36) != nil
  }

  /// Whether `descriptor` refers to the file at `path`.
  private static func isFile(_ descriptor: FileDescriptor, at path: FilePath) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else { return false }
    return FileStatus(status).identity == (try? FileStatus(of: path, followingLinks: false))?.identity
  }
}
