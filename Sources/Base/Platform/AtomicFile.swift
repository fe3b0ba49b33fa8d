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

/// A hidden file beside another whose place it is to take. It goes with this value, unless it was moved there.
///
/// It is locked as long as it is here, which tells it from what a killed process has left behind: that is removed when
/// the next file is made in its directory. Its name is a random one, so that nothing is in its way.
struct TemporaryFile: ~Copyable {
  private static let prefix = ".segue-"
  private static let attemptLimit = 16

  /// Where it is.
  let path: FilePath
  /// The file, open for reading and writing.
  let descriptor: FileDescriptor
  private var isMoved = false

  /// Makes an empty file beside `target`, with its suffix.
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
      // Where the file system has no locks, nobody takes it for abandoned.
      let isTaken = flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 && Errno(rawValue: errno) == .wouldBlock
      // Who looks for abandoned files may have come in between.
      if !isTaken, Self.isFile(descriptor, at: path) {
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

  /// Gives it the name `target`, in the place of what has it, when all of it is on the disk.
  ///
  /// - Throws: `Errno`; what was there is there still.
  consuming func move(to target: FilePath) throws(Errno) {
    if fsync(descriptor.rawValue) != 0 { throw Errno(rawValue: errno) }
    try AtomicFile.move(path, to: target)
    isMoved = true
  }

  /// Removes the files of this kind in `directory` that no process has any more.
  private static func removeAbandoned(in directory: FilePath) {
    let names = (try? DirectoryListing(of: directory.isEmpty ? "." : directory))?.entries.map(\.name) ?? []
    for name in names where isOurs(name.string) {
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

  /// Whether a file of this kind has such a name: the prefix, a process, a number to the base of 36, and any suffix.
  private static func isOurs(_ name: String) -> Bool {
    guard name.hasPrefix(prefix) else { return false }
    let stem = name.dropFirst(prefix.count).prefix { $0 != "." }
    let parts = stem.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2 && Int32(parts[0]) != nil && UInt64(parts[1], radix: 36) != nil
  }

  /// Whether `descriptor` is open at the file that has the name `path`.
  private static func isFile(_ descriptor: FileDescriptor, at path: FilePath) -> Bool {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else { return false }
    return FileStatus(status).identity == (try? FileStatus(of: path, followingLinks: false))?.identity
  }
}
