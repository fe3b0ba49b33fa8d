// SPDX-License-Identifier: GPL-3.0-or-later

import Platform
import SystemPackage
package import Tagging

/// The libraries that are queried together, by row ID, in the order in which the user listed their directories. There
/// is at least one.
///
/// For a single library, SQL conditions are simply `library = ?1`, the column that the table indexes start with.
package struct LibraryScope: Sendable {
  /// A library of the scope.
  struct Library: Sendable {
    let id: Int64
    /// The name of the directory that stands for the library in paths shown to users; empty if it is the only one.
    let name: [UInt8]
  }

  let all: [Library]

  /// Creates a scope that contains only the library with this row ID.
  init(_ id: Int64) { all = [Library(id: id, name: [])] }

  /// Creates a scope of the libraries in `roots` that are in the index, or returns `nil` if none is.
  ///
  /// - Parameter id: Returns the row ID of the library whose root has these bytes as its path, or `nil` if it is not in
  ///   the index.
  package init?(_ roots: LibraryRoots, id: ([UInt8]) throws -> Int64?) rethrows {
    all = try roots.all.compactMap { root in
      let name = root.name.map { FilePath(root: nil, [$0]).systemBytes }
      return try id(root.path.systemBytes).map { Library(id: $0, name: name ?? []) }
    }
    if all.isEmpty { return nil }
  }

  /// The SQL query for the row ID of a library by its root path.
  static let selection = "SELECT id FROM library WHERE root = ?"

  /// The row ID of the first library, which is bound to `?1` in statements.
  package var first: Int64 { all.first?.id ?? 0 }

  /// Whether the scope contains only one library.
  package var isSingle: Bool { all.count == 1 }

  /// Whether each library is shown to users as a directory with a name of its own.
  var areNamed: Bool { all.first?.name.isEmpty == false }

  /// Returns the SQL condition that `column` is one of these libraries; `parameter` stands for the first one.
  package func condition(_ column: String, _ parameter: String = "?1") -> String {
    if isSingle { return "\(column) = \(parameter)" }
    return "\(column) IN (\(([parameter] + all.dropFirst().map { "\($0.id)" }).joined(separator: ", ")))"
  }

  /// Returns an SQL query for IDs that takes at most `limit` rows from each library, so that the first one does not
  /// crowd out the others.
  ///
  /// - Parameter source: Returns the tables and a condition that begins with `library = ` and the argument. For the
  ///   first library, the argument is `?1`.
  func selection(limit: Int, _ source: (String) -> String) -> String {
    let parts = all.enumerated().map { index, library in
      "SELECT id FROM \(source(index == 0 ? "?1" : "\(library.id)")) LIMIT \(limit)"
    }
    if parts.count == 1 { return parts[0] }
    return parts.map { "SELECT id FROM (\($0))" }.joined(separator: " UNION ALL ")
  }

  /// Returns the library that contains `path`, a path as shown to users, and the path within the library. Returns `nil`
  /// for the directory above the libraries, and for a path outside all of them.
  package func resolve(_ path: RelativePath) -> (library: Int64, path: RelativePath)? {
    guard areNamed else { return (first, path) }
    let name = path.bytes.prefix { $0 != UInt8(ascii: "/") }
    guard let library = all.first(where: { $0.name[...] == name }) else { return nil }
    return (library.id, RelativePath(Array(path.bytes.dropFirst(name.count + 1))))
  }

  /// Returns the form in which `path`, a path in the given library, is shown to users.
  func shownPath(_ path: RelativePath, in library: Int64) -> RelativePath {
    guard areNamed, let name = all.first(where: { $0.id == library })?.name else { return path }
    return path == .root ? RelativePath(name) : RelativePath(name).appending(path.bytes)
  }
}
