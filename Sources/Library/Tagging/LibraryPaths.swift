// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// The directories of music that are one library, in the order in which the user named them; at least one.
///
/// Where they are several, each is seen under a name of its own, as if it were a directory in one that holds them all:
/// the last name of its path, behind which the second of the same name has ` (2)`. A directory within another of them
/// is a part of that one.
public struct LibraryRoots: Sendable, Hashable {
  /// One of the directories.
  public struct Root: Sendable, Hashable {
    /// Where it is; absolute.
    public let path: FilePath
    /// Under which name it is seen; `nil` where it is the only one, whose content is seen as it is.
    public let name: FilePath.Component?
  }

  /// All of them.
  public let all: [Root]

  /// These directories, which need not be there, each once.
  public init(_ first: FilePath, _ others: [FilePath] = []) {
    let paths = ([first] + others).map { (try? $0.absolute()) ?? $0 }
    var kept: [FilePath] = []
    for path in paths
    where !kept.contains(path) && !paths.contains(where: { path != $0 && path.starts(with: $0) }) {
      kept.append(path)
    }
    guard kept.count > 1 else {
      all = kept.map { Root(path: $0, name: nil) }
      return
    }
    var names: Set<FilePath.Component> = []
    all = kept.map { path in
      let name = Self.name(path, unlike: names)
      if let name { names.insert(name) }
      return Root(path: path, name: name)
    }
  }

  /// These directories; `nil` for none.
  public init?(_ directories: [FilePath]) {
    guard let first = directories.first else { return nil }
    self.init(first, Array(directories.dropFirst()))
  }

  /// The first directory, in which new playlists are kept.
  public var first: FilePath { all.first?.path ?? FilePath() }

  /// Whether there is no more than one.
  public var isSingle: Bool { all.count == 1 }

  /// All paths.
  public var paths: [FilePath] { all.map(\.path) }

  /// Which of them `path`, which is absolute, lies in, or is, and where below it.
  public func find(_ path: FilePath) -> (root: Root, rest: FilePath)? {
    for root in all {
      var rest = path
      if rest.removePrefix(root.path) { return (root, rest) }
    }
    return nil
  }

  /// Whether `path`, which has no links in it, lies in one of them once their own links are resolved.
  public func really(contain path: FilePath) -> Bool {
    all.contains { root in (try? root.path.realPath()).map { path.starts(with: $0) } ?? false }
  }

  /// The path under which `path`, which is absolute, is seen in the library; `nil` where it is in none of the
  /// directories.
  public func relative(_ path: FilePath) -> FilePath? {
    find(path).map { root, rest in
      root.name.map { FilePath(root: nil, [$0]).appending(rest.components) } ?? rest
    }
  }

  /// Where that is which is seen under `path`; `nil` for what holds several directories, and for what is in none of
  /// them.
  public func absolute(_ path: FilePath) -> FilePath? {
    if let only = all.first, only.name == nil { return only.path.pushing(path) }
    guard let name = path.components.first, let root = all.first(where: { $0.name == name }) else {
      return nil
    }
    return root.path.appending(path.components.dropFirst())
  }

  /// The last name of `path`, or that with the least number that is not among `names`.
  private static func name(_ path: FilePath, unlike names: Set<FilePath.Component>) -> FilePath.Component? {
    let own = path.lastComponent?.systemBytes ?? Array("files".utf8)
    for number in 1...(names.count + 1) {
      let bytes = number == 1 ? own : own + Array(" (\(number))".utf8)
      if let name = FilePath.Component(systemName: bytes), !names.contains(name) { return name }
    }
    return nil
  }
}

extension LibraryRoots: CustomStringConvertible {
  /// The paths, for messages.
  public var description: String {
    let paths = all.map { "\($0.path)" }
    guard let last = paths.last, paths.count > 1 else { return paths.first ?? "" }
    return "\(paths.dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension FilePath.Component {
  /// The bytes of the name.
  fileprivate var systemBytes: [UInt8] { FilePath(root: nil, [self]).systemBytes }
}

/// Where something is below the directory of a library: bytes without a slash at their ends. The library's own is
/// empty.
package struct RelativePath: Sendable, Hashable {
  /// Its bytes.
  package let bytes: [UInt8]

  /// The directory of the library itself.
  package static let root = RelativePath([])

  /// The path of these bytes, which have no slash at their ends.
  @inlinable package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The path of `path` below `root`, both absolute; `nil` where it is not there.
  package init?(_ path: FilePath, below root: FilePath) {
    var rest = path
    guard rest.removePrefix(root) else { return nil }
    self.init(rest.systemBytes)
  }

  /// What is called `name` in this directory.
  @inlinable package func appending(_ name: some Collection<UInt8>) -> RelativePath {
    if bytes.isEmpty { return RelativePath(Array(name)) }
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.count)
    path += bytes
    path.append(UInt8(ascii: "/"))
    path += name
    return RelativePath(path)
  }

  /// The directory that it is in.
  package var parent: RelativePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
    return RelativePath(Array(bytes[..<slash]))
  }

  /// Its last name.
  package var name: ArraySlice<UInt8> {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
  }

  /// Whether it is one of `directories`, or lies in one, at whatever depth.
  package func isWithin(anyOf directories: Set<RelativePath>) -> Bool {
    if directories.isEmpty { return false }
    var path = self
    while !directories.contains(path) {
      if path.bytes.isEmpty { return false }
      path = path.parent
    }
    return true
  }

  /// All that lies in it, at whatever depth, has paths from the first to, but without, the second of these.
  package var contentBounds: (lower: [UInt8], upper: [UInt8]) {
    bytes.isEmpty
      ? ([], [UInt8](repeating: 0xFF, count: 256))
      : (bytes + [UInt8(ascii: "/")], bytes + [UInt8(ascii: "/") + 1])
  }

  /// The whole path, of the library in `root`.
  package func absolute(in root: [UInt8]) -> [UInt8] {
    if bytes.isEmpty { return root }
    return root.last == UInt8(ascii: "/") ? root + bytes : root + [UInt8(ascii: "/")] + bytes
  }
}

extension FilePath {
  /// The bytes of its last name.
  package var lastName: [UInt8] { RelativePath(systemBytes).name.map { $0 } }
}

extension FilePath.Component {
  /// The name of these bytes, which need not be text; `nil` where no file can have it.
  package init?(systemName bytes: some Collection<UInt8>) {
    if bytes.isEmpty || bytes.contains(0) || bytes.contains(UInt8(ascii: "/")) { return nil }
    guard let component = FilePath(systemBytes: bytes).lastComponent else { return nil }
    self = component
  }
}
