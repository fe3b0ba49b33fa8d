public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FilePath {
  /// The path from the root of the file system: it names the same file after a change of directory.
  ///
  /// Symbolic links keep their names, unless the path goes up through `..`: then they are resolved, since what
  /// lies above a link is not what lies above its target.
  ///
  /// - Throws: the error number of getcwd(3) or realpath(3); a path with `..` has to exist.
  public func absolute() throws(Errno) -> FilePath {
    if components.contains(where: { $0.kind == .parentDirectory }) { return try resolved() }
    var path = isAbsolute ? self : try FilePath.currentDirectory().pushing(self)
    // Without ".." this only drops each ".".
    path.lexicallyNormalize()
    return path
  }

  /// The path from the root without links and without `..`: where the system really goes.
  ///
  /// - Throws: the error number of realpath(3); the path has to exist.
  public func realPath() throws(Errno) -> FilePath { try resolved() }

  /// The path without links on the way, or this one where it leads to nothing.
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
