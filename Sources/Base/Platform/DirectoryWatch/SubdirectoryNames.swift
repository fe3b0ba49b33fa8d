// SPDX-License-Identifier: GPL-3.0-or-later

#if os(Linux)
  import SystemPackage

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The names of the subdirectories of a directory, and of its symbolic links to directories, without ignored names.
  ///
  /// Cheaper than a `DirectoryListing`, which contains all names and sorts them.
  struct SubdirectoryNames {
    private(set) var directories: [ArraySlice<UInt8>] = []
    /// The names of symbolic links to directories.
    private(set) var links: [ArraySlice<UInt8>] = []

    /// Reads the names in the directory at `path`, except those that `isIgnored` ignores.
    ///
    /// - Throws: The error number of opendir(3) or readdir(3).
    init(
      of path: [UInt8], without isIgnored: (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) throws(Errno) {
      let handle = try DirectoryHandle(path)
      while let (name, type) = try handle.next() {
        if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) || isIgnored(name) { continue }
        switch type {
        case Int(DT_DIR): directories.append(name)
        case Int(DT_LNK): if handle.kind(of: name, followingLinks: true) == S_IFDIR { links.append(name) }
        case Int(DT_UNKNOWN):
          switch handle.kind(of: name, followingLinks: false) {
          case S_IFDIR: directories.append(name)
          case S_IFLNK: if handle.kind(of: name, followingLinks: true) == S_IFDIR { links.append(name) }
          default: break
          }
        default: break
        }
      }
    }
  }

  /// A directory that is open for reading.
  @safe private struct DirectoryHandle: ~Copyable {
    private let handle: OpaquePointer
    private let nameOffset: Int

    init(_ path: [UInt8]) throws(Errno) {
      let name = path.map { CChar(bitPattern: $0) } + [0]
      let (handle, code) = unsafe name.withUnsafeBufferPointer { name -> (OpaquePointer?, Int32) in
        guard let start = name.baseAddress else { return (nil, EINVAL) }
        let handle = unsafe opendir(start)
        return unsafe (handle, errno)
      }
      guard let handle = unsafe handle, let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
        throw Errno(rawValue: code)
      }
      unsafe self.handle = unsafe handle
      nameOffset = offset
    }

    deinit { unsafe closedir(handle) }

    /// Returns the next name and its type as the directory states it; `nil` at the end. If the type is not a directory,
    /// a link or unknown, the name is left empty.
    func next() throws(Errno) -> (name: ArraySlice<UInt8>, type: Int)? {
      errno = 0
      guard let record = unsafe readdir(handle) else {
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return nil
      }
      let type = Int(unsafe record.pointee.d_type)
      // Most names are those of files, and are not needed.
      if type != Int(DT_DIR), type != Int(DT_LNK), type != Int(DT_UNKNOWN) { return ([], type) }
      let name = unsafe UnsafeRawPointer(record).advanced(by: nameOffset).assumingMemoryBound(to: UInt8.self)
      let length = unsafe strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      return (unsafe ArraySlice(UnsafeBufferPointer(start: name, count: length)), type)
    }

    /// Returns the kind of the file with this name, as the file type bits of `st_mode`; `nil` if there is none.
    func kind(of name: ArraySlice<UInt8>, followingLinks: Bool) -> mode_t? {
      var status = stat()
      let text = name.map { CChar(bitPattern: $0) } + [0]
      let isKnown = unsafe text.withUnsafeBufferPointer { name in
        guard let start = name.baseAddress else { return false }
        return unsafe fstatat(dirfd(handle), start, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0
      }
      return isKnown ? status.st_mode & S_IFMT : nil
    }
  }
#endif
