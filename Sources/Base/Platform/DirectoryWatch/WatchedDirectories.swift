// SPDX-License-Identifier: GPL-3.0-or-later

import SystemPackage

/// The directories of a tree and their watches, at about 70 bytes per directory. When a directory is moved, everything
/// below it moves with it.
struct WatchedDirectories {
  /// The ID of a directory, valid as long as the directory is in the tree.
  typealias ID = Int32

  private struct Node {
    var watch: Int32
    var parent: ID
    var firstChild: ID = none
    var next: ID = none
    var previous: ID = none
    var nameHash: UInt32
    var nameStart: UInt32
    var nameLength: UInt8
    var isLinked: Bool
    var isMarked = false
  }

  private static let none: ID = -1
  /// The ID of the root of the tree, once it is inserted.
  static let root: ID = 0

  /// The path of the root, with which all other paths begin.
  let rootPath: [UInt8]
  private var nodes: [Node] = []
  private var free: [ID] = []
  private var names: [UInt8] = []
  private var usedNameBytes = 0
  private var byWatch = IndexTable()
  private var byName = IndexTable()

  /// Creates an empty tree whose root has this path.
  init(root path: [UInt8]) { rootPath = path }

  /// The number of directories.
  var count: Int { byWatch.count }

  /// Returns the directory with this watch, or `nil` if there is none.
  func directory(watch: Int32) -> ID? {
    byWatch.find(UInt32(bitPattern: watch)) { nodes[Int($0)].watch == watch }
  }

  /// Returns the subdirectory of `parent` with the given name, or `nil` if there is none.
  func child(of parent: ID, named name: ArraySlice<UInt8>) -> ID? {
    byName.find(Self.hash(parent, name)) { id in
      nodes[Int(id)].parent == parent && self.name(id).elementsEqual(name)
    }
  }

  /// Returns the parent of a directory; `nil` for the root.
  func parent(of id: ID) -> ID? {
    let parent = nodes[Int(id)].parent
    return parent == Self.none ? nil : parent
  }

  /// Returns the watch of a directory.
  func watch(of id: ID) -> Int32 { nodes[Int(id)].watch }

  /// Whether the directory is reached through a symbolic link in its parent.
  func isLinked(_ id: ID) -> Bool { nodes[Int(id)].isLinked }

  /// Whether the directory with this ID is still in the tree.
  func contains(_ id: ID) -> Bool { nodes.indices.contains(Int(id)) && nodes[Int(id)].watch >= 0 }

  /// Returns the path of a directory, with `name` appended if it is given, as bytes without a NUL at the end.
  func pathBytes(of id: ID, appending name: ArraySlice<UInt8>? = nil) -> [UInt8] {
    var chain: [ID] = []
    var next = id
    while next != Self.root, next != Self.none {
      chain.append(next)
      next = nodes[Int(next)].parent
    }
    var bytes = rootPath
    for id in chain.reversed() { Self.append(self.name(id), to: &bytes) }
    if let name { Self.append(name, to: &bytes) }
    return bytes
  }

  /// The watches of all directories.
  var watches: [Int32] { nodes.lazy.filter { $0.watch >= 0 }.map(\.watch) }

  // MARK: Changes

  /// Inserts the root, and returns its ID. The root must be inserted first.
  mutating func insertRoot(watch: Int32) -> ID {
    insert(watch: watch, parent: Self.none, name: [], isLinked: false)
  }

  /// Inserts a directory, and returns its ID. The name must be free in `parent`, and the watch must be new.
  mutating func insert(watch: Int32, parent: ID, name: ArraySlice<UInt8>, isLinked: Bool) -> ID {
    let node = Node(
      watch: watch, parent: parent, nameHash: 0, nameStart: 0, nameLength: 0, isLinked: isLinked)
    let id: ID
    if let last = free.popLast() {
      id = last
      nodes[Int(id)] = node
    } else {
      id = ID(nodes.count)
      nodes.append(node)
    }
    byWatch.insert(id, hash: UInt32(bitPattern: watch), hashOf: watchHash)
    attach(id, to: parent, name)
    return id
  }

  /// Whether the directory `id` is `other`, or is below it.
  func isInside(_ id: ID, _ other: ID) -> Bool {
    var next = id
    while next != Self.none {
      if next == other { return true }
      next = nodes[Int(next)].parent
    }
    return false
  }

  /// Moves a directory to a name that is free in `parent`; `parent` must not be inside the directory.
  mutating func move(_ id: ID, to parent: ID, name: ArraySlice<UInt8>, isLinked: Bool) {
    detach(id)
    nodes[Int(id)].isLinked = isLinked
    attach(id, to: parent, name)
  }

  /// Removes a directory and everything below it; returns the watches of all these directories.
  mutating func remove(_ id: ID) -> [Int32] {
    detach(id)
    var watches: [Int32] = []
    var pending = [id]
    while let next = pending.popLast() {
      var child = nodes[Int(next)].firstChild
      while child != Self.none {
        pending.append(child)
        byName.remove(child, hash: nodes[Int(child)].nameHash, hashOf: nameHash)
        usedNameBytes -= Int(nodes[Int(child)].nameLength)
        child = nodes[Int(child)].next
      }
      let watch = nodes[Int(next)].watch
      watches.append(watch)
      byWatch.remove(next, hash: UInt32(bitPattern: watch), hashOf: watchHash)
      nodes[Int(next)].watch = Self.none
      nodes[Int(next)].isMarked = false
      free.append(next)
    }
    return watches
  }

  /// Sets or clears the mark of a directory; returns whether it was marked before.
  @discardableResult
  mutating func mark(_ id: ID, _ isMarked: Bool = true) -> Bool {
    let wasMarked = nodes[Int(id)].isMarked
    nodes[Int(id)].isMarked = isMarked
    return wasMarked
  }

  // MARK: Nodes and names

  private var watchHash: (ID) -> UInt32 {
    let nodes = nodes
    return { UInt32(bitPattern: nodes[Int($0)].watch) }
  }

  private var nameHash: (ID) -> UInt32 {
    let nodes = nodes
    return { nodes[Int($0)].nameHash }
  }

  private func name(_ id: ID) -> ArraySlice<UInt8> {
    let node = nodes[Int(id)]
    let start = Int(node.nameStart)
    return names[start..<start + Int(node.nameLength)]
  }

  private mutating func attach(_ id: ID, to parent: ID, _ name: ArraySlice<UInt8>) {
    let hash = Self.hash(parent, name)
    nodes[Int(id)].parent = parent
    nodes[Int(id)].nameHash = hash
    nodes[Int(id)].nameStart = UInt32(truncatingIfNeeded: names.count)
    nodes[Int(id)].nameLength = UInt8(clamping: name.count)
    guard parent != Self.none else { return }
    names += name.prefix(255)
    usedNameBytes += min(255, name.count)
    let first = nodes[Int(parent)].firstChild
    nodes[Int(id)].previous = Self.none
    nodes[Int(id)].next = first
    if first != Self.none { nodes[Int(first)].previous = id }
    nodes[Int(parent)].firstChild = id
    byName.insert(id, hash: hash, hashOf: nameHash)
    if names.count > 2 * usedNameBytes + 4096 { compactNames() }
  }

  private mutating func detach(_ id: ID) {
    let node = nodes[Int(id)]
    guard node.parent != Self.none else { return }
    byName.remove(id, hash: node.nameHash, hashOf: nameHash)
    usedNameBytes -= Int(node.nameLength)
    if node.previous == Self.none {
      nodes[Int(node.parent)].firstChild = node.next
    } else {
      nodes[Int(node.previous)].next = node.next
    }
    if node.next != Self.none { nodes[Int(node.next)].previous = node.previous }
  }

  /// Compacts the stored names, which frees those of removed directories.
  private mutating func compactNames() {
    var compacted: [UInt8] = []
    compacted.reserveCapacity(usedNameBytes)
    for index in nodes.indices where nodes[index].watch >= 0 {
      let name = self.name(ID(index))
      nodes[index].nameStart = UInt32(truncatingIfNeeded: compacted.count)
      compacted += name
    }
    names = compacted
  }

  private static func append(_ name: ArraySlice<UInt8>, to path: inout [UInt8]) {
    if path.last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
    path += name
  }

  /// Returns the FNV-1a hash of the parent and the name.
  private static func hash(_ parent: ID, _ name: ArraySlice<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261 ^ UInt32(bitPattern: parent) &* 0x85EB_CA6B
    for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash
  }
}

/// A hash table of indices into an array that its owner stores, at about eight bytes per entry.
struct IndexTable {
  private static let none: Int32 = -1

  private var slots: [Int32] = [none, none, none, none]
  private(set) var count = 0

  /// Returns the index with this hash that satisfies `matches`, or `nil` if there is none.
  func find(_ hash: UInt32, where matches: (Int32) -> Bool) -> Int32? {
    var slot = home(hash)
    while slots[slot] != Self.none {
      if matches(slots[slot]) { return slots[slot] }
      slot = next(slot)
    }
    return nil
  }

  /// Inserts an index that is not in the table; `hashOf` returns the hash of any index in it.
  mutating func insert(_ index: Int32, hash: UInt32, hashOf: (Int32) -> UInt32) {
    if (count + 1) * 3 > slots.count * 2 { grow(hashOf) }
    place(index, hash)
    count += 1
  }

  /// Removes an index, if it is in the table; `hashOf` returns the hash of any index in it.
  mutating func remove(_ index: Int32, hash: UInt32, hashOf: (Int32) -> UInt32) {
    var hole = home(hash)
    while slots[hole] != index {
      guard slots[hole] != Self.none else { return }
      hole = next(hole)
    }
    count -= 1
    // Move back the entries that the removed one had displaced.
    var slot = next(hole)
    while slots[slot] != Self.none {
      let ideal = home(hashOf(slots[slot]))
      if distance(ideal, slot) >= distance(hole, slot) {
        slots[hole] = slots[slot]
        hole = slot
      }
      slot = next(slot)
    }
    slots[hole] = Self.none
  }

  private mutating func grow(_ hashOf: (Int32) -> UInt32) {
    let old = slots
    slots = [Int32](repeating: Self.none, count: old.count * 2)
    for index in old where index != Self.none { place(index, hashOf(index)) }
  }

  private mutating func place(_ index: Int32, _ hash: UInt32) {
    var slot = home(hash)
    while slots[slot] != Self.none { slot = next(slot) }
    slots[slot] = index
  }

  // The number of slots is always a power of two.
  private func home(_ hash: UInt32) -> Int { Int((hash &* 0x9E37_79B1) >> 7) & (slots.count - 1) }
  private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
  private func distance(_ from: Int, _ to: Int) -> Int { (to - from) & (slots.count - 1) }
}
