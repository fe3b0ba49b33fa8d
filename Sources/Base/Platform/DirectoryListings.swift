// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

/// The entries of a directory. Their names are bytes, which need not be valid UTF-8.
public struct DirectoryListing: Sendable {
  /// The name of a directory entry, and its kind if the directory itself states it.
  public struct Entry: Sendable, Hashable {
    public let name: FilePath.Component
    /// The kind of the file, without following links; `nil` if the file system does not store it in directories.
    public let kind: FileStatus.Kind?
  }

  /// The entries, sorted by the bytes of their names, without `.` and `..`.
  public let entries: [Entry]

  /// Reads the whole directory at `path`. Blocks while the file system does. Can be called from any thread.
  ///
  /// - Throws: The error number of opendir(3) or readdir(3).
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

/// The entries of a directory, with the status of the files that the caller wants, read in one pass.
public struct StatusListing: Sendable {
  /// A directory entry with its status.
  public struct Entry: Sendable {
    /// The range of the name in ``StatusListing/names``.
    public let name: Range<Int>
    /// The kind of the file, with links followed; `nil` if it could not be determined (see ``error``).
    public let kind: FileStatus.Kind?
    /// Whether the entry is a symbolic link.
    public let isLink: Bool
    /// The status of the file, with links followed; `nil` for directories that are not links, and after an error.
    public let status: FileStatus?
    /// The error with which reading the status failed; `nil` if it did not fail.
    public let error: Errno?
  }

  /// The status of the directory itself, before it was read.
  public let directory: FileStatus
  /// The bytes of all names, one after the other, without separators.
  public private(set) var names: [UInt8] = []
  /// The entries, sorted by the bytes of their names.
  public private(set) var entries: [Entry] = []

  /// Reads the whole directory at `path`. Blocks while the file system does. Can be called from any thread.
  ///
  /// - Parameters:
  ///   - isIgnored: Whether to leave out what has this name, without looking whether it is a link to a directory.
  ///   - isWanted: Whether to include a file of this name. Directories are always included.
  /// - Throws: The error number of opendir(3), readdir(3) or fstat(2).
  public init(
    of path: FilePath, ignoring isIgnored: (UnsafeRawBufferPointer) -> Bool = { _ in false },
    where isWanted: (UnsafeRawBufferPointer) -> Bool
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
      if unsafe isIgnored(bytes) { continue }
      let type = Int(unsafe record.pointee.d_type)
      if type == Int(DT_DIR) {
        unsafe add(bytes, kind: .directory)
        continue
      }
      let isWanted = unsafe isWanted(bytes)
      // For a file that is neither a link nor a directory, the name alone decides.
      if !isWanted, type != Int(DT_LNK), type != Int(DT_UNKNOWN) { continue }
      unsafe add(bytes, name: name, in: descriptor, type: type, isWanted: isWanted)
    }
    unsafe names.withUnsafeBytes { names in
      entries.sort { unsafe Self.compare(names[$0.name], names[$1.name]) < 0 }
    }
  }

  /// Removes the entries whose names satisfy the predicate, whether or not they are links.
  public mutating func remove(where isUnwanted: (ArraySlice<UInt8>) -> Bool) {
    let names = names
    entries.removeAll { isUnwanted(names[$0.name]) }
  }

  /// Whether there is an entry with this name that is not a directory.
  public func holdsFile(named name: [UInt8]) -> Bool {
    entries.contains { $0.kind != .directory && names[$0.name].elementsEqual(name) }
  }

  /// Compares two names by their bytes: negative if `left` comes first, positive if `right` does, 0 if they are equal.
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
        // If the file has been removed meanwhile, it is skipped; any other error is reported.
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
