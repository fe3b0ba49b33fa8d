public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that are there whole, in the old version or the new one, whatever happens meanwhile.
public enum AtomicFile {
  /// Writes `bytes` to the file at `path`, and makes its directories where they are missing (mode 0700).
  ///
  /// - Parameter permissions: of a new version as of an old, less what the process' mask takes away.
  /// - Throws: `Errno`; the old file is then as it was.
  public static func write(
    _ bytes: some Sequence<UInt8>, to path: FilePath, permissions: FilePermissions = [.ownerReadWrite]
  ) throws(Errno) {
    try makeDirectories(path.removingLastComponent())
    guard path.lastComponent != nil else { throw .invalidArgument }
    let temporary = try TemporaryFile(beside: path, permissions: permissions)
    do {
      try temporary.descriptor.writeAll(bytes)
    } catch {
      throw error as? Errno ?? .ioError
    }
    try temporary.move(to: path)
  }

  /// All of the regular file at `path`, or `nil` where there is none.
  ///
  /// - Throws: `Errno` where it cannot be read, `fileTooLarge` beyond `limit` bytes.
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

  /// Makes the directory at `path`, and those above it, where they are missing.
  ///
  /// - Parameter permissions: of what is made, less what the process' mask takes away.
  /// - Throws: `Errno`.
  public static func makeDirectories(
    _ path: FilePath, permissions: FilePermissions = [.ownerReadWriteExecute]
  ) throws(Errno) {
    if path.isEmpty || (try? FileStatus(of: path))?.kind == .directory { return }
    try makeDirectories(path.removingLastComponent(), permissions: permissions)
    let result = unsafe path.withPlatformString { unsafe mkdir($0, permissions.rawValue) }
    if result != 0, errno != EEXIST { throw Errno(rawValue: errno) }
  }

  /// Gives the file at `source` the name `target`, in the place of what has it.
  ///
  /// - Throws: `Errno`.
  public static func move(_ source: FilePath, to target: FilePath) throws(Errno) {
    try rename(source, to: target)
  }

  /// Removes the file at `path`, or the link that is there.
  ///
  /// - Throws: `Errno`.
  public static func remove(_ path: FilePath) throws(Errno) {
    let result = unsafe path.withPlatformString { unsafe unlink($0) }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Gives the file at `path` these permissions.
  ///
  /// - Throws: `Errno`.
  public static func setPermissions(_ permissions: FilePermissions, of path: FilePath) throws(Errno) {
    let result = unsafe path.withPlatformString { unsafe chmod($0, permissions.rawValue) }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  private static func rename(_ source: FilePath, to target: FilePath) throws(Errno) {
    let result = unsafe source.withPlatformString { source in
      unsafe target.withPlatformString { target in
        #if canImport(Darwin)
          unsafe Darwin.rename(source, target)
        #elseif canImport(Glibc)
          unsafe Glibc.rename(source, target)
        #else
          unsafe Musl.rename(source, target)
        #endif
      }
    }
    if result != 0 { throw Errno(rawValue: errno) }
  }
}
