// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// The status of a file, read without opening it.
///
/// Reading the status never blocks on a FIFO or a device. All members can be used from any thread.
public struct FileStatus: Sendable, Hashable {
  /// The kind of a file.
  public enum Kind: Sendable, Hashable {
    /// A regular file: the only kind that is safe to open.
    case regular
    case directory
    /// A symbolic link. Only reported if links are not followed.
    case symbolicLink
    /// A named pipe: opening it blocks until its other end is opened.
    case fifo
    /// A socket or a device: opening it may block forever.
    case special
  }

  /// The identity of a file on this machine, whatever path leads to it.
  public struct Identity: Sendable, Hashable {
    /// The number of the file system (`st_dev`).
    public let device: UInt64
    /// The number of the file within its file system (`st_ino`).
    public let inode: UInt64
  }

  public let kind: Kind
  /// The device and the inode of the file.
  public let identity: Identity
  /// The size in bytes, at least 0. It is meaningless unless ``kind`` is regular.
  public let size: Int64
  /// The time of the last change of the contents, in nanoseconds since 1970.
  public let modificationTime: Int64
  /// The number of names of the file; 0 if it was deleted, but is still open.
  public let linkCount: Int

  /// Whether `path` is a regular file, with links followed; `nil` if that cannot be determined. Blocks while the file
  /// system does.
  public static func isFile(at path: FilePath) -> Bool? {
    do throws(Errno) {
      return try FileStatus(of: path).kind == .regular
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory ? false : nil
    }
  }

  /// Reads the status of the file at `path`.
  ///
  /// - Parameter followingLinks: Whether to read the status of a symbolic link's target instead of that of the link.
  /// - Throws: The error number of stat(2): `noSuchFileOrDirectory` also for a dangling link,
  ///   `tooManySymbolicLinkLevels` for a link to itself.
  public init(of path: FilePath, followingLinks: Bool = true) throws(Errno) {
    var status = stat()
    let failure: Errno? = unsafe path.withPlatformString { name in
      let result = unsafe followingLinks ? stat(name, &status) : lstat(name, &status)
      return result == 0 ? nil : Errno(rawValue: errno)
    }
    if let failure { throw failure }
    self.init(status)
  }

  /// Reads the status of an open file.
  ///
  /// - Throws: The error number of fstat(2).
  public init(of descriptor: FileDescriptor) throws(Errno) {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    self.init(status)
  }

  /// Creates a status from the result of stat(2).
  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      default: .special
      }
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    size = max(0, Int64(status.st_size))
    linkCount = Int(status.st_nlink)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    // Valid within 292 years of 1970.
    modificationTime = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// The owner and the permissions of a file or directory. Can be used from any thread.
public struct FileOwnership: Sendable, Hashable {
  /// Whether the file belongs to the user of this process.
  public let isOwn: Bool
  /// Whether the file belongs to root.
  public let isSystem: Bool
  public let permissions: FilePermissions
  /// Whether the group of the file is that of this process.
  private let isOfOwnGroup: Bool

  /// Reads the ownership of the file at `path`, with links followed.
  ///
  /// - Throws: The error number of stat(2).
  public init(of path: FilePath) throws(Errno) {
    var status = stat()
    let result = unsafe path.withPlatformString { unsafe stat($0, &status) }
    if result != 0 { throw Errno(rawValue: errno) }
    isOwn = status.st_uid == geteuid()
    isSystem = status.st_uid == 0
    isOfOwnGroup = status.st_gid == getegid()
    permissions = FilePermissions(rawValue: CModeT(status.st_mode & 0o7777))
  }

  /// Whether users other than the owner may read or write the file. The group of a file of the system does not count,
  /// since it is how this process can be given access.
  package var isOpenToOthers: Bool {
    let isOpen = !permissions.isDisjoint(with: .otherReadWriteExecute)
    return isOpen || isOwn && !permissions.isDisjoint(with: .groupReadWriteExecute)
  }

  /// Whether users other than the owner can replace files in this directory. Users in the group of this process do not
  /// count, since that is usually the user's own group.
  public var allowsReplacementByOthers: Bool {
    let isWritable =
      permissions.contains(.otherWrite) || permissions.contains(.groupWrite) && !isOfOwnGroup
    return isWritable && !permissions.contains(.saveText)
  }
}
