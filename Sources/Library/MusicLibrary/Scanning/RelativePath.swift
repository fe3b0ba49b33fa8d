import Platform
import SystemPackage

/// Where something is below the directory of a library: bytes without a slash at their ends. The library's own is
/// empty.
struct RelativePath: Sendable, Hashable {
  let bytes: [UInt8]

  static let root = RelativePath([])

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The path of `path` below `root`, both absolute; `nil` where it is not there.
  init?(_ path: FilePath, below root: FilePath) {
    var rest = path
    guard rest.removePrefix(root) else { return nil }
    self.init(rest.systemBytes)
  }

  /// What is called `name` in this directory.
  func appending(_ name: some Collection<UInt8>) -> RelativePath {
    if bytes.isEmpty { return RelativePath(Array(name)) }
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.count)
    path += bytes
    path.append(UInt8(ascii: "/"))
    path += name
    return RelativePath(path)
  }

  /// The directory that it is in.
  var parent: RelativePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
    return RelativePath(Array(bytes[..<slash]))
  }

  /// Its last name.
  var name: ArraySlice<UInt8> {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
  }

  /// Whether it is one of `directories`, or lies in one, at whatever depth.
  func isWithin(anyOf directories: Set<RelativePath>) -> Bool {
    if directories.isEmpty { return false }
    var path = self
    while !directories.contains(path) {
      if path.bytes.isEmpty { return false }
      path = path.parent
    }
    return true
  }

  /// All that lies in it, at whatever depth, has paths from the first to, but without, the second of these.
  var contentBounds: (lower: [UInt8], upper: [UInt8]) {
    bytes.isEmpty
      ? ([], [UInt8](repeating: 0xFF, count: 256))
      : (bytes + [UInt8(ascii: "/")], bytes + [UInt8(ascii: "/") + 1])
  }

  /// The whole path, of the library in `root`.
  func absolute(in root: [UInt8]) -> [UInt8] {
    if bytes.isEmpty { return root }
    return root.last == UInt8(ascii: "/") ? root + bytes : root + [UInt8(ascii: "/")] + bytes
  }
}
