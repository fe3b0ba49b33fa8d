// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
package import Tagging

/// The libraries that are queried together, by row id, in the order in which the user listed their directories. There
/// is at least one.
///
/// With a single library, SQL conditions are the plain `library = ?1`, which the table indexes start with.
package struct LibraryScope: Sendable {
  /// One of the libraries.
  struct Library: Sendable {
    let id: Int64
    /// The directory name under which this library is shown; empty if it is the only one.
    let name: [UInt8]
  }

  let all: [Library]

  /// Creates a scope of the one library with this row id.
  init(_ id: Int64) { all = [Library(id: id, name: [])] }

  /// Creates a scope of those libraries in `roots` that are in the index, or returns `nil` if none is.
  ///
  /// - Parameter id: Returns the row id of the library whose root has these path bytes.
  package init?(_ roots: LibraryRoots, id: ([UInt8]) throws -> Int64?) rethrows {
    all = try roots.all.compactMap { root in
      let name = root.name.map { FilePath(root: nil, [$0]).systemBytes }
      return try id(root.path.systemBytes).map { Library(id: $0, name: name ?? []) }
    }
    if all.isEmpty { return nil }
  }

  /// Selects the row id of a library by its root path.
  static let selection = "SELECT id FROM library WHERE root = ?"

  /// The row id of the first library, which is bound to `?1` in statements.
  package var first: Int64 { all.first?.id ?? 0 }

  /// Whether the scope holds only one library.
  package var isSingle: Bool { all.count == 1 }

  /// Whether each library is shown as a directory under its own name.
  var areNamed: Bool { all.first?.name.isEmpty == false }

  /// Returns an SQL condition that `column` is one of these libraries; `parameter` stands for the first one.
  package func condition(_ column: String, _ parameter: String = "?1") -> String {
    if isSingle { return "\(column) = \(parameter)" }
    return "\(column) IN (\(([parameter] + all.dropFirst().map { "\($0.id)" }).joined(separator: ", ")))"
  }

  /// Returns an SQL query for ids that takes at most `limit` rows from each library, so that the first does not crowd
  /// out the others.
  ///
  /// - Parameter source: Returns the tables and a condition that begins with `library = `, followed by the argument;
  ///   the argument for the first library is `?1`.
  func selection(limit: Int, _ source: (String) -> String) -> String {
    let parts = all.enumerated().map { index, library in
      "SELECT id FROM \(source(index == 0 ? "?1" : "\(library.id)")) LIMIT \(limit)"
    }
    if parts.count == 1 { return parts[0] }
    return parts.map { "SELECT id FROM (\($0))" }.joined(separator: " UNION ALL ")
  }

  /// Returns the library that contains `path`, as shown to the user, and the path within it; `nil` for the directory
  /// above the libraries, and for a path in none of them.
  package func place(_ path: RelativePath) -> (library: Int64, path: RelativePath)? {
    guard areNamed else { return (first, path) }
    let name = path.bytes.prefix { $0 != UInt8(ascii: "/") }
    guard let library = all.first(where: { $0.name[...] == name }) else { return nil }
    return (library.id, RelativePath(Array(path.bytes.dropFirst(name.count + 1))))
  }

  /// Returns the path under which `path` in this library is shown to the user.
  func seen(_ path: RelativePath, in library: Int64) -> RelativePath {
    guard areNamed, let name = all.first(where: { $0.id == library })?.name else { return path }
    return path == .root ? RelativePath(name) : RelativePath(name).appending(path.bytes)
  }
}
