// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// A copy of a file that can be changed and then replaces the file atomically.
///
/// The copy is in the same directory. Whatever happens in the meantime, the file is complete, in its old version or its
/// new one. The new version has the owner (if the system permits that), the permissions and, on macOS, the extended
/// attributes of the old one. Other hard links still refer to the old version. If the path is a symbolic link, the link
/// stays, and its target is replaced. A copy that is not committed is removed when this value is destroyed, or, if the
/// process was killed, when the next file in the directory is rewritten.
public struct FileRewrite: ~Copyable {
  /// The path of the file to be replaced, with links resolved.
  public let target: FilePath
  /// The path of the copy: a hidden file with the same extension.
  public var copy: FilePath { file.path }

  private let file: TemporaryFile
  private let source: LockedSource

  /// Copies the regular file at `path`. Blocks while the file system does.
  ///
  /// - Throws: `Errno`; `invalidArgument` if it is not a regular file, `resourceBusy` if another process is rewriting
  ///   it.
  public init(of path: FilePath) throws(Errno) {
    let target = try path.realPath()
    let source = try LockedSource(target)
    let file = try TemporaryFile(beside: target)
    try asErrno { try Self.copyContents(of: source.descriptor, to: file.descriptor) }
    self.file = file
    self.source = source
    self.target = target
  }

  /// Syncs the copy to disk, and replaces the file with it.
  ///
  /// - Throws: `Errno`; then the file is unchanged.
  public consuming func commit() throws(Errno) {
    let target = target
    try file.move(to: target)
  }

  private static func copyContents(of reader: FileDescriptor, to writer: FileDescriptor) throws {
    var status = stat()
    if unsafe fstat(reader.rawValue, &status) != 0 { throw Errno(rawValue: errno) }
    try copyBytes(from: reader, to: writer)
    // Set the owner first: changing it clears set-user-ID bits.
    _ = fchown(writer.rawValue, status.st_uid, status.st_gid)
    if fchmod(writer.rawValue, status.st_mode & 0o7777) != 0 { throw Errno(rawValue: errno) }
  }

  private static func copyBytes(from reader: FileDescriptor, to writer: FileDescriptor) throws {
    #if canImport(Darwin)
      let flags = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR | COPYFILE_DATA)
      if unsafe fcopyfile(reader.rawValue, writer.rawValue, nil, flags) != 0 { throw Errno(rawValue: errno) }
    #else
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
      defer { unsafe buffer.deallocate() }
      while true {
        let count = unsafe try reader.read(into: buffer)
        if count == 0 { break }
        unsafe try writer.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    #endif
  }
}

/// A regular file, open for reading and locked, so that only one process rewrites it at a time.
private final class LockedSource {
  let descriptor: FileDescriptor

  init(_ path: FilePath) throws(Errno) {
    let status = try FileStatus(of: path)
    guard status.kind == .regular else { throw .invalidArgument }
    descriptor = try asErrno {
      try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
    }
    // On a file system without locks, or without locks for readers, the file is rewritten without a lock.
    let isBusy = flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 && Errno(rawValue: errno) == .wouldBlock
    // Another process may have replaced the file before it was locked.
    if isBusy || (try? FileStatus(of: path))?.identity != status.identity { throw .resourceBusy }
  }

  deinit { try? descriptor.close() }
}
