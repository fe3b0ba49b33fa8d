// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
public import SystemPackage

/// The directories of a music library, in the order in which the user listed them. There is at least one.
///
/// If there are several, each is shown under a name of its own, like a subdirectory of a common directory. The name is
/// the last component of the path; ` (2)` is appended for the second directory with the same name. A directory inside
/// another one is part of it.
public struct LibraryRoots: Sendable, Hashable {
  /// A directory of the library.
  public struct Root: Sendable, Hashable {
    /// The absolute path of the directory.
    public let path: FilePath
    /// The name under which the directory is shown to users; `nil` for the only directory, whose contents are shown
    /// directly.
    public let name: FilePath.Component?
  }

  /// All directories.
  public let all: [Root]

  /// Creates a library of these directories, which need not exist. Duplicates, and directories inside others, are
  /// removed.
  public init(_ first: FilePath, _ others: [FilePath] = []) {
    let paths = ([first] + others).map { (try? $0.absolute()) ?? $0 }
    var distinct: [FilePath] = []
    for path in paths
    where !distinct.contains(path) && !paths.contains(where: { path != $0 && path.starts(with: $0) }) {
      distinct.append(path)
    }
    guard distinct.count > 1 else {
      all = distinct.map { Root(path: $0, name: nil) }
      return
    }
    var names: Set<FilePath.Component> = []
    all = distinct.map { path in
      let name = Self.name(path, unlike: names)
      if let name { names.insert(name) }
      return Root(path: path, name: name)
    }
  }

  /// Creates a library of these directories, or returns `nil` if there are none.
  public init?(_ directories: [FilePath]) {
    guard let first = directories.first else { return nil }
    self.init(first, Array(directories.dropFirst()))
  }

  /// The first directory, in which new playlists are stored.
  public var first: FilePath { all.first?.path ?? FilePath() }

  /// Whether there is exactly one directory.
  public var isSingle: Bool { all.count == 1 }

  /// The paths of all directories.
  public var paths: [FilePath] { all.map(\.path) }

  /// Returns the directory that is or contains the absolute path `path`, and the path within it; `nil` if none does.
  public func find(_ path: FilePath) -> (root: Root, rest: FilePath)? {
    for root in all {
      var rest = path
      if rest.removePrefix(root.path) { return (root, rest) }
    }
    return nil
  }

  /// Whether the real path `path`, which contains no links, is that of one of the directories or is inside of it.
  public func contains(realPath path: FilePath) -> Bool {
    all.contains { root in (try? root.path.realPath()).map { path.starts(with: $0) } ?? false }
  }

  /// Returns the path under which `path`, an absolute path, is shown to users; `nil` if it is outside the directories.
  public func relative(_ path: FilePath) -> FilePath? {
    find(path).map { root, rest in
      root.name.map { FilePath(root: nil, [$0]).appending(rest.components) } ?? rest
    }
  }

  /// Returns the absolute path of the file or directory that is shown to users as `path`. Returns `nil` for the common
  /// directory above several directories, and for a path outside all of them.
  public func absolute(_ path: FilePath) -> FilePath? {
    if let only = all.first, only.name == nil { return only.path.pushing(path) }
    guard let name = path.components.first, let root = all.first(where: { $0.name == name }) else {
      return nil
    }
    return root.path.appending(path.components.dropFirst())
  }

  /// Returns the last component of `path`. If `names` contains it, the lowest possible number is appended.
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
  /// The paths as a list, for messages.
  public var description: String {
    let paths = all.map { "\($0.path)" }
    guard let last = paths.last, paths.count > 1 else { return paths.first ?? "" }
    return "\(paths.dropLast().joined(separator: ", ")) and \(last)"
  }
}

extension FilePath.Component {
  fileprivate var systemBytes: [UInt8] { FilePath(root: nil, [self]).systemBytes }
}

/// A path below the directory of a library, as bytes without leading or trailing slashes. The path of the library's
/// directory itself is empty.
package struct RelativePath: Sendable, Hashable {
  package let bytes: [UInt8]

  /// The path of the library's directory itself.
  package static let root = RelativePath([])

  /// Creates a path from bytes without leading or trailing slashes.
  @inlinable package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates the path of `path` below `root`, both of which are absolute, or returns `nil` if it is not below.
  package init?(_ path: FilePath, below root: FilePath) {
    var rest = path
    guard rest.removePrefix(root) else { return nil }
    self.init(rest.systemBytes)
  }

  @inlinable package func appending(_ name: some Collection<UInt8>) -> RelativePath {
    if bytes.isEmpty { return RelativePath(Array(name)) }
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.count)
    path += bytes
    path.append(UInt8(ascii: "/"))
    path += name
    return RelativePath(path)
  }

  /// The path of the parent directory. The library's directory is its own parent.
  package var parent: RelativePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .root }
    return RelativePath(Array(bytes[..<slash]))
  }

  /// The last component of the path.
  package var name: ArraySlice<UInt8> {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
  }

  /// Whether the path is one of `directories`, or is inside one of them at any depth.
  package func isWithin(anyOf directories: Set<RelativePath>) -> Bool {
    if directories.isEmpty { return false }
    var path = self
    while !directories.contains(path) {
      if path.bytes.isEmpty { return false }
      path = path.parent
    }
    return true
  }

  /// The bounds of the paths inside this directory, at any depth: from `lower` up to, but not including, `upper`.
  package var contentBounds: (lower: [UInt8], upper: [UInt8]) {
    bytes.isEmpty
      ? ([], [UInt8](repeating: 0xFF, count: 256))
      : (bytes + [UInt8(ascii: "/")], bytes + [UInt8(ascii: "/") + 1])
  }

  /// Returns the absolute path in the library whose directory is `root`.
  package func absolute(in root: [UInt8]) -> [UInt8] {
    if bytes.isEmpty { return root }
    return root.last == UInt8(ascii: "/") ? root + bytes : root + [UInt8(ascii: "/")] + bytes
  }
}

extension FilePath {
  /// The bytes of the last component of the path.
  package var lastName: [UInt8] { RelativePath(systemBytes).name.map { $0 } }
}

extension FilePath.Component {
  /// Creates a component from these bytes, which need not be valid UTF-8. Returns `nil` if no file can have this name.
  package init?(systemName bytes: some Collection<UInt8>) {
    if bytes.isEmpty || bytes.contains(0) || bytes.contains(UInt8(ascii: "/")) { return nil }
    guard let component = FilePath(systemBytes: bytes).lastComponent else { return nil }
    self = component
  }
}

/// The names of files and directories in a library that belong to the system or to other programs.
package enum SystemNames {
  /// The names used by programs that synchronise, version, index or delete files.
  private static let names: Set<[UInt8]> = Set(
    [".git", ".stfolder", ".stversions", "@eaDir", "#recycle", "$RECYCLE.BIN", "lost+found"].map {
      Array($0.utf8)
    })
  /// The prefixes of AppleDouble files from a Mac, of a desktop's trash, and of Segue's own copies of files that are
  /// being changed.
  private static let prefixes = ["._", ".Trash", ".segue-"].map { Array($0.utf8) }
  /// The first bytes of all these names.
  private static let beginnings = Set(".@#$l".utf8)

  /// Whether a file or directory with this name belongs to the system or to another program.
  ///
  /// This is inlinable because a scan checks every name, and the first byte decides for most of them.
  @inlinable package static func contains(_ name: some Collection<UInt8>) -> Bool {
    guard let first = name.first, isBeginning(first) else { return false }
    return matches(Array(name))
  }

  @usableFromInline static func isBeginning(_ byte: UInt8) -> Bool { beginnings.contains(byte) }

  /// Whether `name`, whose first byte has been checked, is one of these names.
  @usableFromInline static func matches(_ name: [UInt8]) -> Bool {
    prefixes.contains { name.starts(with: $0) } || names.contains(name)
  }
}
