public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The names in a directory: bytes as the file system holds them, whether or not they are text.
public struct DirectoryListing: Sendable {
  /// One name, and what it is as far as the directory itself says.
  public struct Entry: Sendable, Hashable {
    /// The name.
    public let name: FilePath.Component
    /// The kind without following a link; `nil` where this file system's directories do not tell.
    public let kind: FileStatus.Kind?
  }

  /// The entries in the order of their bytes, without `.` and `..`.
  public let entries: [Entry]

  /// Reads the whole directory at `path`. Blocks while the file system does; any thread.
  ///
  /// - Throws: the error number of opendir(3) or readdir(3).
  public init(of path: FilePath) throws(Errno) {
    let (handle, openError) = unsafe path.withPlatformString { name in
      let handle = unsafe opendir(name)
      return unsafe (handle, errno)
    }
    guard let handle = unsafe handle else { throw Errno(rawValue: openError) }
    defer { unsafe closedir(handle) }
    var found: [(bytes: [UInt8], entry: Entry)] = []
    while true {
      errno = 0
      guard let record = unsafe readdir(handle) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        break
      }
      if let named = unsafe Self.entry(record) { found.append(named) }
    }
    found.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    entries = found.map(\.entry)
  }

  private static func entry(_ record: UnsafeMutablePointer<dirent>) -> (bytes: [UInt8], entry: Entry)? {
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
    let name = unsafe UnsafeRawPointer(record).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    guard let component = unsafe FilePath.Component(platformString: name), component.kind == .regular else {
      return nil
    }
    let bytes = unsafe UnsafeBufferPointer(start: name, count: strlen(name)).map(UInt8.init(bitPattern:))
    let kind: FileStatus.Kind? =
      switch Int(unsafe record.pointee.d_type) {
      case Int(DT_REG): .regular
      case Int(DT_DIR): .directory
      case Int(DT_LNK): .symbolicLink
      case Int(DT_FIFO): .fifo
      case Int(DT_UNKNOWN): nil
      default: .special
      }
    return (bytes, Entry(name: component, kind: kind))
  }
}
