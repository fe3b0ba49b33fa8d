import Platform
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FilePath {
  /// Renames what is at this path, in place of what is at the other.
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

  /// Cuts the file at this path to so many bytes, or fills it up to them with zeros.
  public func truncate(to size: Int) throws {
    try Self.check(unsafe withPlatformString { unsafe Self.systemTruncate($0, size) })
  }

  /// Copies the file at this path to the other, with the time at which it was changed last.
  public func copy(to path: FilePath) throws {
    let modified = try FileStatus(of: self).modificationTime
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .truncate], permissions: [.ownerReadWrite])
    let bytes = try contents(of: self)
    let result = try file.closeAfter {
      _ = try file.writeAll(bytes)
      let time = timespec(tv_sec: Int(modified / 1_000_000_000), tv_nsec: Int(modified % 1_000_000_000))
      return unsafe futimens(file.rawValue, [time, time])
    }
    try Self.check(result)
  }

  /// Makes empty files in the directory at this path, named by their numbers, and deletes them again: each at once, or
  /// all at the end.
  ///
  /// Without a path value for each, of which debug builds check a great deal.
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
    #if canImport(Darwin)
      unsafe Darwin.rename(from, to)
    #elseif canImport(Glibc)
      unsafe Glibc.rename(from, to)
    #elseif canImport(Musl)
      unsafe Musl.rename(from, to)
    #endif
  }

  private static func systemTruncate(_ path: UnsafePointer<CChar>, _ size: Int) -> Int32 {
    #if canImport(Darwin)
      unsafe Darwin.truncate(path, off_t(size))
    #elseif canImport(Glibc)
      unsafe Glibc.truncate(path, off_t(size))
    #elseif canImport(Musl)
      unsafe Musl.truncate(path, off_t(size))
    #endif
  }

  private static func check(_ result: Int32) throws {
    if result != 0 { throw Errno(rawValue: errno) }
  }
}
