// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

extension FilePath {
  /// Returns the absolute path, which refers to the same file even if the working directory changes.
  ///
  /// Symbolic links are preserved, unless the path contains `..`. Then they are resolved, since the parent directory of
  /// a link is not the parent directory of its target.
  ///
  /// - Throws: The error number of getcwd(3) or realpath(3); a path with `..` has to exist.
  public func absolute() throws(Errno) -> FilePath {
    if components.contains(where: { $0.kind == .parentDirectory }) { return try realPath() }
    var path = isAbsolute ? self : try FilePath.currentDirectory().pushing(self)
    // Without ".." this only drops each ".".
    path.lexicallyNormalize()
    return path
  }

  /// Returns the absolute path, without symbolic links and without `..`.
  ///
  /// - Throws: The error number of realpath(3); the path has to exist.
  public func realPath() throws(Errno) -> FilePath {
    let (name, code) = unsafe withPlatformString { name in
      let resolved = unsafe realpath(name, nil)
      return unsafe (resolved, errno)
    }
    guard let name = unsafe name else { throw Errno(rawValue: code) }
    defer { unsafe free(name) }
    return unsafe FilePath(platformString: name)
  }

  /// The absolute path without symbolic links, or this path unchanged if it cannot be resolved.
  var resolvedOrSame: FilePath { (try? realPath()) ?? self }

  private static func currentDirectory() throws(Errno) -> FilePath {
    guard let name = unsafe getcwd(nil, 0) else { throw Errno(rawValue: errno) }
    defer { unsafe free(name) }
    return unsafe FilePath(platformString: name)
  }
}

extension FilePath {
  /// The extension of the last component; `nil` if there is none. This is the same as `extension`, but many times
  /// faster.
  public var suffix: String? {
    let length = length
    return unsafe withPlatformString { start in
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
      var index = length
      while index > 0, unsafe bytes[index - 1] != UInt8(ascii: ".") {
        if unsafe bytes[index - 1] == UInt8(ascii: "/") { return nil }
        index -= 1
      }
      // A name that begins with its only full stop has no extension.
      guard index > 1, unsafe bytes[index - 2] != UInt8(ascii: "/") else { return nil }
      if unsafe index == length && bytes[index - 2] == UInt8(ascii: ".") {
        // `..` has no extension.
        if unsafe index == 2 || bytes[index - 3] == UInt8(ascii: "/") { return nil }
      }
      return unsafe String(decoding: bytes[index...], as: UTF8.self)
    }
  }
}

extension FilePath {
  /// Creates a path from bytes, which need not be valid UTF-8. A NUL and everything after it are ignored.
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

/// A shell pattern for file names, as fnmatch(3) interprets it: `*`, `?` and `[...]`.
public struct NamePattern: Sendable, Hashable {
  /// The bytes of the pattern, with a NUL at the end.
  private let bytes: [CChar]

  /// Creates a pattern from bytes; a NUL and everything after it are ignored.
  public init(_ pattern: some Collection<UInt8>) {
    bytes = pattern.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }

  /// Whether the pattern matches the whole of `name`, which need not be valid UTF-8. Can be called from any thread.
  public func matches(_ name: some Collection<UInt8>) -> Bool {
    let name = name.map { CChar(bitPattern: $0) } + [0]
    return unsafe bytes.withUnsafeBufferPointer { pattern in
      unsafe name.withUnsafeBufferPointer { name in
        guard let pattern = pattern.baseAddress, let name = name.baseAddress else { return false }
        return unsafe fnmatch(pattern, name, 0) == 0
      }
    }
  }
}
