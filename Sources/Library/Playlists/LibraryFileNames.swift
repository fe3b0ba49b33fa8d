// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import Synchronization
public import SystemPackage

/// The files of a library by the ends of their paths, regardless of case and of Unicode normalisation. The files are
/// listed when they are first needed. Safe to use from any thread.
public final class LibraryFileNames: Sendable {
  /// What the end of a path names.
  struct Match {
    /// The only file; `nil` if there are several.
    var file: FilePath?
    /// The number of names that agree.
    var depth: Int
  }

  private let list: @Sendable () -> [FilePath]
  private let tree = Mutex<Tree?>(nil)

  /// Creates the names of the files that `list` returns, as absolute paths. It is called at most once, on the thread
  /// that needs it, and may block.
  public init(_ list: @escaping @Sendable () -> [FilePath]) { self.list = list }

  /// Returns what the longest end of `names` that a file of the library has names; `nil` if there is no such file.
  func match(_ names: [ArraySlice<UInt8>]) -> Match? { withTree { $0.match(names) } }

  /// Returns the file whose name is most similar to `name` and begins with the same letter.
  func nearest(to name: ArraySlice<UInt8>) -> FilePath? { withTree { $0.nearest(to: FileNameKey.key(name)) } }

  private func withTree<Value>(_ body: (inout sending Tree) -> sending Value) -> sending Value {
    tree.withLock { tree in
      var known = tree ?? Tree(list())
      // Otherwise the first change would copy all nodes.
      tree = nil
      defer { tree = known }
      return body(&known)
    }
  }

  /// Nodes of files that agree in their last names. A node gets children when it has several files and is searched, so
  /// that each file is sorted into each of its levels at most once.
  private struct Tree {
    private struct Node {
      var files: [Int] = []
      var children: [String: Int]?
    }

    private let paths: [FilePath]
    private var nodes: [Node]

    init(_ paths: [FilePath]) {
      self.paths = paths
      nodes = [Node(files: Array(paths.indices))]
    }

    mutating func match(_ names: [ArraySlice<UInt8>]) -> Match? {
      var (node, depth) = (0, 0)
      for name in names.reversed() {
        guard nodes[node].files.count > 1 || node == 0, let child = children(of: node, depth)[FileNameKey.key(name)]
        else { break }
        (node, depth) = (child, depth + 1)
      }
      if depth == 0 { return nil }
      let files = nodes[node].files
      if files.count == 1, let file = files.first {
        let own = Self.names(paths[file])
        while depth < min(own.count, names.count),
          FileNameKey.key(own[own.count - 1 - depth]) == FileNameKey.key(names[names.count - 1 - depth])
        { depth += 1 }
        return Match(file: paths[file], depth: depth)
      }
      // Of files that differ only in case, the one that is written the same is meant.
      let exact = files.count > 64 ? [] : files.filter { Self.names(paths[$0]).suffix(depth) == names.suffix(depth) }
      return Match(file: exact.count == 1 ? paths[exact[0]] : nil, depth: depth)
    }

    mutating func nearest(to name: String) -> FilePath? {
      let near = children(of: 0, 0).filter { $0.key.first == name.first }.sorted { $0.key < $1.key }
      guard let index = FileNameKey.nearest(to: name, in: near.map(\.key)) else { return nil }
      return nodes[near[index].value].files.first.map { paths[$0] }
    }

    private mutating func children(of node: Int, _ depth: Int) -> [String: Int] {
      if let known = nodes[node].children { return known }
      var children: [String: Int] = [:]
      for file in nodes[node].files {
        let names = Self.names(paths[file])
        guard names.count > depth else { continue }
        let key = FileNameKey.key(names[names.count - 1 - depth])
        let child = children[key] ?? nodes.count
        if child == nodes.count {
          children[key] = child
          nodes.append(Node())
        }
        nodes[child].files.append(file)
      }
      nodes[node].children = children
      return children
    }

    private static func names(_ path: FilePath) -> [ArraySlice<UInt8>] {
      path.systemBytes.split(separator: UInt8(ascii: "/"))
    }
  }
}
