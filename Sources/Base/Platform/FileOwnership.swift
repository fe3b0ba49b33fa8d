public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whose a file or directory is, and who may write to it. Any thread.
public struct FileOwnership: Sendable, Hashable {
  /// Whether this process's user is the owner.
  public let isOwn: Bool
  /// Whether the system's administrator is the owner.
  public let isSystem: Bool
  /// The permissions.
  public let permissions: FilePermissions
  /// Whether the group is that of this process.
  private let isOfOwnGroup: Bool

  /// Those of what `path` names, links followed.
  ///
  /// - Throws: the error number of stat(2).
  public init(of path: FilePath) throws(Errno) {
    var status = stat()
    let result = unsafe path.withPlatformString { unsafe stat($0, &status) }
    if result != 0 { throw Errno(rawValue: errno) }
    isOwn = status.st_uid == geteuid()
    isSystem = status.st_uid == 0
    isOfOwnGroup = status.st_gid == getegid()
    permissions = FilePermissions(rawValue: CModeT(status.st_mode & 0o7777))
  }

  /// Whether others than the owner may put something else in the place of what is in this directory. Users that share
  /// the group of this process, which is mostly the user's own, do not count.
  public var letsOthersReplace: Bool {
    let isWritable =
      permissions.contains(.otherWrite) || permissions.contains(.groupWrite) && !isOfOwnGroup
    return isWritable && !permissions.contains(.saveText)
  }
}
