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

/// The names in a directory with the status of each that matters; in one go, as scanning a library needs it.
public struct StatusListing: Sendable {
  /// One name, and what it is.
  public struct Entry: Sendable {
    /// Where the name is in ``StatusListing/names``.
    public let name: Range<Int>
    /// What it is; of a symbolic link, what its target is. `nil` where nobody can tell, which ``error`` explains.
    public let kind: FileStatus.Kind?
    /// Whether it is a symbolic link.
    public let isLink: Bool
    /// The status, links followed; `nil` for real directories, and where there is none.
    public let status: FileStatus?
    /// Why there is no status.
    public let error: Errno?
  }

  /// The directory itself, as it was before it was read.
  public let directory: FileStatus
  /// The bytes of the names, one behind the other.
  public private(set) var names: [UInt8] = []
  /// The entries in the order of their names' bytes.
  public private(set) var entries: [Entry] = []

  /// Reads the whole directory at `path`. Blocks while the file system does; any thread.
  ///
  /// - Parameter isWanted: whether a file of this name matters; others are left out. Directories always matter.
  /// - Throws: the error number of opendir(3), readdir(3) or fstat(2).
  public init(
    of path: FilePath, where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws(Errno) {
    let (opened, openError) = unsafe path.withPlatformString { name in
      let handle = unsafe opendir(name)
      return unsafe (handle, errno)
    }
    guard let handle = unsafe opened else { throw Errno(rawValue: openError) }
    defer { unsafe closedir(handle) }
    let descriptor = unsafe dirfd(handle)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Errno(rawValue: errno) }
    directory = FileStatus(status)
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
    while true {
      errno = 0
      guard let record = unsafe readdir(handle) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        break
      }
      let name = unsafe UnsafeRawPointer(record).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let bytes = unsafe UnsafeRawBufferPointer(start: name, count: strlen(name))
      if unsafe bytes.isEmpty || bytes.elementsEqual(".".utf8) || bytes.elementsEqual("..".utf8) { continue }
      let type = Int(unsafe record.pointee.d_type)
      if type == Int(DT_DIR) {
        unsafe add(bytes, kind: .directory)
        continue
      }
      let isWanted = unsafe isWanted(bytes)
      // What is no link and no directory matters by its name alone.
      if !isWanted, type != Int(DT_LNK), type != Int(DT_UNKNOWN) { continue }
      unsafe add(bytes, name: name, in: descriptor, type: type, isWanted: isWanted)
    }
    unsafe names.withUnsafeBytes { names in
      entries.sort { unsafe Self.compare(names[$0.name], names[$1.name]) < 0 }
    }
  }

  /// Takes out the entries with these names, links or not.
  public mutating func remove(where isUnwanted: (ArraySlice<UInt8>) -> Bool) {
    let names = names
    entries.removeAll { isUnwanted(names[$0.name]) }
  }

  /// Whether something has this name that is no directory.
  public func holdsFile(named name: [UInt8]) -> Bool {
    entries.contains { $0.kind != .directory && names[$0.name].elementsEqual(name) }
  }

  /// Which of two names comes first by its bytes: below 0 the first, above 0 the second, 0 where they are the same.
  public static func compare(_ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>)
    -> Int
  {
    let left = unsafe UnsafeRawBufferPointer(rebasing: left)
    let right = unsafe UnsafeRawBufferPointer(rebasing: right)
    let count = min(left.count, right.count)
    if count > 0, let first = left.baseAddress, let second = right.baseAddress {
      let order = unsafe memcmp(first, second, count)
      if order != 0 { return Int(order) }
    }
    return left.count - right.count
  }

  private mutating func add(
    _ bytes: UnsafeRawBufferPointer, name: UnsafePointer<CChar>, in descriptor: Int32, type: Int,
    isWanted: Bool
  ) {
    var isLink = type == Int(DT_LNK)
    var status = stat()
    if !isLink {
      guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        // It was removed meanwhile, or else there is something to say of it.
        let error = Errno(rawValue: errno)
        if error != .noSuchFileOrDirectory, isWanted { unsafe add(bytes, kind: nil, error: error) }
        return
      }
      isLink = FileStatus(status).kind == .symbolicLink
    }
    if isLink, unsafe fstatat(descriptor, name, &status, 0) != 0 {
      let error = Errno(rawValue: errno)
      if isWanted { unsafe add(bytes, kind: nil, isLink: true, error: error) }
      return
    }
    let found = FileStatus(status)
    if found.kind == .directory || isWanted {
      unsafe add(bytes, kind: found.kind, isLink: isLink, status: found)
    }
  }

  private mutating func add(
    _ bytes: UnsafeRawBufferPointer, kind: FileStatus.Kind?, isLink: Bool = false, status: FileStatus? = nil,
    error: Errno? = nil
  ) {
    let start = names.count
    unsafe names.append(contentsOf: bytes)
    entries.append(
      Entry(name: start..<names.count, kind: kind, isLink: isLink, status: status, error: error))
  }
}
