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

  private static func systemRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
    #if canImport(Darwin)
      unsafe Darwin.rename(from, to)
    #elseif canImport(Glibc)
      unsafe Glibc.rename(from, to)
    #elseif canImport(Musl)
      unsafe Musl.rename(from, to)
    #endif
  }

  private static func check(_ result: Int32) throws {
    if result != 0 { throw Errno(rawValue: errno) }
  }
}
