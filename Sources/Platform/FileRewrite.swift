public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A copy of a file, beside it, that is to be changed and then takes its place: whatever happens meanwhile, the file is
/// there whole, in the old version or the new one.
///
/// The new version has the owner (where the system lets the process give it), the permissions and, on macOS, the
/// extended attributes of the old one. Where several names lead to the old file, the others keep it. A link stays, and
/// its target is replaced. What is not committed goes with this value.
public struct FileRewrite: ~Copyable {
  /// The file that is replaced in the end; no link.
  public let target: FilePath
  /// The copy; of the same kind of name, hidden.
  public let copy: FilePath

  /// Copies the regular file at `path`. Blocks while the file system does.
  ///
  /// - Throws: `Errno`; `invalidArgument` for what is no regular file.
  public init(of path: FilePath) throws(Errno) {
    let target = try Self.resolved(path)
    copy = try Self.copied(target)
    self.target = target
  }

  deinit { Self.remove(copy) }

  /// Puts the copy in the place of the file; it is on the disk before the old version goes.
  ///
  /// - Throws: `Errno`; the file is then as it was.
  public consuming func commit() throws(Errno) {
    do {
      let file = try FileDescriptor.open(copy, .readOnly, options: [.closeOnExec])
      try file.closeAfter { if fsync(file.rawValue) != 0 { throw Errno(rawValue: lastErrorNumber()) } }
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
    try AtomicFile.move(copy, to: target)
  }

  private static func remove(_ path: FilePath) { _ = unsafe path.withPlatformString { unsafe unlink($0) } }

  /// A copy of the file at `source`, beside it.
  private static func copied(_ source: FilePath) throws(Errno) -> FilePath {
    guard let name = source.lastComponent else { throw .invalidArgument }
    let suffix = source.extension.map { "." + $0 } ?? ""
    let copy = source.removingLastComponent().appending(".segue-\(getpid())-\(name.hash)\(suffix)")
    do {
      try copyContents(of: source, to: copy)
      return copy
    } catch {
      if error as? Errno != .fileExists { remove(copy) }
      throw error as? Errno ?? .ioError
    }
  }

  private static func resolved(_ path: FilePath) throws(Errno) -> FilePath {
    let (name, code) = unsafe path.withPlatformString { name in
      let resolved = unsafe realpath(name, nil)
      return unsafe (resolved, errno)
    }
    guard let name = unsafe name else { throw Errno(rawValue: code) }
    defer { unsafe free(name) }
    return unsafe FilePath(platformString: name)
  }

  private static func copyContents(of source: FilePath, to target: FilePath) throws {
    guard try FileStatus(of: source).kind == .regular else { throw Errno.invalidArgument }
    let reader = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec])
    try reader.closeAfter {
      var status = stat()
      if unsafe fstat(reader.rawValue, &status) != 0 { throw Errno(rawValue: errno) }
      let writer = try FileDescriptor.open(
        target, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite])
      try writer.closeAfter {
        try copyBytes(from: reader, to: writer)
        // First the owner: giving a file away takes set-user-ID bits from it.
        _ = fchown(writer.rawValue, status.st_uid, status.st_gid)
        if fchmod(writer.rawValue, status.st_mode & 0o7777) != 0 { throw Errno(rawValue: errno) }
      }
    }
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

extension FilePath.Component {
  /// A number that tells names apart; the same in every run.
  fileprivate var hash: String {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    unsafe withPlatformString { name in
      var next = unsafe name
      while unsafe next.pointee != 0 {
        value = (value ^ UInt64(UInt8(bitPattern: unsafe next.pointee))) &* 0x100_0000_01B3
        unsafe next = next.successor()
      }
    }
    return String(value, radix: 36)
  }
}
