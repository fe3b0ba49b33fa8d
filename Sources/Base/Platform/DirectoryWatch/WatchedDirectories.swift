// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

/// The directories of a tree, and their watches. When a directory is moved, everything below it moves with it.
struct WatchedDirectories {
  /// The watch of a directory, which identifies it as long as it is in the tree.
  typealias ID = Int32

  private struct Directory {
    /// `nil` for the root.
    var parent: ID?
    var name: [UInt8]
    var children: [[UInt8]: ID] = [:]
    /// Whether a symbolic link in the parent leads to it.
    var isLinked: Bool
    var isMarked = false
  }

  /// The path of the root, with which all other paths begin.
  let rootPath: [UInt8]
  /// The root of the tree; `nil` until it is inserted.
  private(set) var root: ID?
  private var directories: [ID: Directory] = [:]

  /// Creates an empty tree whose root has this path.
  init(root path: [UInt8]) { rootPath = path }

  var count: Int { directories.count }

  var watches: [ID] { Array(directories.keys) }

  func contains(_ id: ID) -> Bool { directories[id] != nil }

  /// Returns the subdirectory of `parent` with the given name, or `nil` if there is none.
  func child(of parent: ID, named name: ArraySlice<UInt8>) -> ID? { directories[parent]?.children[Array(name)] }

  /// Returns the parent of a directory; `nil` for the root.
  func parent(of id: ID) -> ID? { directories[id]?.parent }

  /// Whether the directory is reached through a symbolic link in its parent.
  func isLinked(_ id: ID) -> Bool { directories[id]?.isLinked ?? false }

  /// Returns the path of a directory, with `name` appended if it is given, as bytes without a NUL at the end.
  func pathBytes(of id: ID, appending name: ArraySlice<UInt8>? = nil) -> [UInt8] {
    var bytes = rootPath
    let names = ancestors(of: id).reversed().dropFirst().compactMap { directories[$0]?.name[...] }
    for name in names + (name.map { [$0] } ?? []) {
      if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += name
    }
    return bytes
  }

  /// Whether the directory `id` is `other`, or is below it.
  func isInside(_ id: ID, _ other: ID) -> Bool { ancestors(of: id).contains(other) }

  /// Returns the directory itself, its parent, and so on up to the root.
  private func ancestors(of id: ID) -> [ID] { Array(sequence(first: id) { directories[$0]?.parent }) }

  // MARK: Changes

  /// Inserts the root. It must be inserted first.
  mutating func insertRoot(_ id: ID) {
    root = id
    directories[id] = Directory(parent: nil, name: [], isLinked: false)
  }

  /// Inserts a directory, which must not be in the tree. The name must be free in `parent`.
  mutating func insert(_ id: ID, in parent: ID, name: ArraySlice<UInt8>, isLinked: Bool) {
    directories[id] = Directory(parent: parent, name: Array(name), isLinked: isLinked)
    directories[parent]?.children[Array(name)] = id
  }

  /// Moves a directory to a name that is free in `parent`; `parent` must not be inside the directory.
  mutating func move(_ id: ID, to parent: ID, name: ArraySlice<UInt8>, isLinked: Bool) {
    guard var directory = directories[id] else { return }
    detach(directory)
    (directory.parent, directory.name, directory.isLinked) = (parent, Array(name), isLinked)
    directories[id] = directory
    directories[parent]?.children[directory.name] = id
  }

  /// Removes a directory and everything below it; returns the watches of all these directories.
  mutating func remove(_ id: ID) -> [ID] {
    if let directory = directories[id] { detach(directory) }
    var removed: [ID] = []
    var pending = [id]
    while let next = pending.popLast() {
      guard let directory = directories.removeValue(forKey: next) else { continue }
      removed.append(next)
      pending += directory.children.values
    }
    if id == root { root = nil }
    return removed
  }

  /// Sets or clears the mark of a directory; returns whether it was marked before.
  @discardableResult
  mutating func mark(_ id: ID, _ isMarked: Bool = true) -> Bool {
    let wasMarked = directories[id]?.isMarked ?? false
    directories[id]?.isMarked = isMarked
    return wasMarked
  }

  private mutating func detach(_ directory: Directory) {
    if let parent = directory.parent { directories[parent]?.children[directory.name] = nil }
  }
}
