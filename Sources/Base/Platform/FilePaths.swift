// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FilePath {
  /// Returns the path from the root of the file system, which refers to the same file after a change of directory.
  ///
  /// Symbolic links keep their names, unless the path contains `..`: then they are resolved, since the directory above
  /// a link is not the one above its target.
  ///
  /// - Throws: The error number of getcwd(3) or realpath(3); a path with `..` has to exist.
  public func absolute() throws(Errno) -> FilePath {
    if components.contains(where: { $0.kind == .parentDirectory }) { return try resolved() }
    var path = isAbsolute ? self : try FilePath.currentDirectory().pushing(self)
    // Without ".." this only drops each ".".
    path.lexicallyNormalize()
    return path
  }

  /// Returns the path from the root without links and without `..`.
  ///
  /// - Throws: The error number of realpath(3); the path has to exist.
  public func realPath() throws(Errno) -> FilePath { try resolved() }

  /// The path without links, or this one if it does not exist.
  var resolvedOrSame: FilePath { (try? resolved()) ?? self }

  private func resolved() throws(Errno) -> FilePath {
    let (name, code) = unsafe withPlatformString { name in
      let resolved = unsafe realpath(name, nil)
      return unsafe (resolved, errno)
    }
    guard let name = unsafe name else { throw Errno(rawValue: code) }
    defer { unsafe free(name) }
    return unsafe FilePath(platformString: name)
  }

  private static func currentDirectory() throws(Errno) -> FilePath {
    guard let name = unsafe getcwd(nil, 0) else { throw Errno(rawValue: errno) }
    defer { unsafe free(name) }
    return unsafe FilePath(platformString: name)
  }
}

extension FilePath {
  /// The extension of the last component; `nil` if there is none. Equal to `extension`, which takes many times as long.
  public var suffix: String? {
    let length = length
    return unsafe withPlatformString { start in
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
      var place = length
      while place > 0, unsafe bytes[place - 1] != UInt8(ascii: ".") {
        if unsafe bytes[place - 1] == UInt8(ascii: "/") { return nil }
        place -= 1
      }
      // A name that begins with its only full stop has no extension.
      guard place > 1, unsafe bytes[place - 2] != UInt8(ascii: "/") else { return nil }
      if unsafe place == length && bytes[place - 2] == UInt8(ascii: ".") {
        // `..` has no extension.
        if unsafe place == 2 || bytes[place - 3] == UInt8(ascii: "/") { return nil }
      }
      return unsafe String(decoding: bytes[place...], as: UTF8.self)
    }
  }
}

extension FilePath {
  /// Creates the path of these bytes, which need not be valid text; everything from a NUL on is ignored.
  public init(systemBytes bytes: some Sequence<UInt8>) {
    self = unsafe (Array(bytes) + [0]).withUnsafeBytes { buffer in
      unsafe buffer.baseAddress.map { start in
        unsafe FilePath(platformString: start.assumingMemoryBound(to: CChar.self))
      } ?? FilePath()
    }
  }

  /// The bytes of the path as the system sees them, without the NUL at the end.
  public var systemBytes: [UInt8] {
    let length = length
    return unsafe withPlatformString { name in
      unsafe Array(UnsafeRawBufferPointer(start: name, count: length))
    }
  }
}
