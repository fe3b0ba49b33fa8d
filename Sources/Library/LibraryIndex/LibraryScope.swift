import Platform
import SystemPackage
package import Tagging

/// The libraries of the index that are asked as one, each by its row, in the order in which the user named their
/// directories; at least one.
///
/// Statements for one library are what they are without this: `library = ?1`, which the indexes begin with.
package struct LibraryScope: Sendable {
  /// One of them.
  struct Library: Sendable {
    let id: Int64
    /// The name under which its directory is seen; empty where it is the only one.
    let name: [UInt8]
  }

  let all: [Library]

  /// The library of this row alone.
  init(_ id: Int64) { all = [Library(id: id, name: [])] }

  /// Those in `roots` of which something is known, whose rows `id` finds by the bytes of their paths; `nil` where there
  /// is none.
  package init?(_ roots: LibraryRoots, id: ([UInt8]) throws -> Int64?) rethrows {
    all = try roots.all.compactMap { root in
      let name = root.name.map { FilePath(root: nil, [$0]).systemBytes }
      return try id(root.path.systemBytes).map { Library(id: $0, name: name ?? []) }
    }
    if all.isEmpty { return nil }
  }

  /// Finds the row of a library by its path.
  static let selection = "SELECT id FROM library WHERE root = ?"

  /// What the first parameter of statements stands for.
  package var first: Int64 { all.first?.id ?? 0 }

  /// Whether there is no more than one.
  package var isSingle: Bool { all.count == 1 }

  /// Whether each is seen as a directory under its name.
  var areNamed: Bool { all.first?.name.isEmpty == false }

  /// True of rows of any of them: `parameter` stands for the first one.
  package func condition(_ column: String, _ parameter: String = "?1") -> String {
    if isSingle { return "\(column) = \(parameter)" }
    return "\(column) IN (\(([parameter] + all.dropFirst().map { "\($0.id)" }).joined(separator: ", ")))"
  }

  /// A selection of ids from each, at most `limit` of each: so that the first of them does not crowd out the others.
  ///
  /// - Parameter source: tables, and a condition that begins with `library = ` and what it is given; `?1` stands for
  ///   the first one.
  func selection(limit: Int, _ source: (String) -> String) -> String {
    let parts = all.enumerated().map { index, library in
      "SELECT id FROM \(source(index == 0 ? "?1" : "\(library.id)")) LIMIT \(limit)"
    }
    if parts.count == 1 { return parts[0] }
    return parts.map { "SELECT id FROM (\($0))" }.joined(separator: " UNION ALL ")
  }

  /// Which library that is in which is seen under `path`, and where; `nil` for what holds the libraries, and for what
  /// is in none.
  package func place(_ path: RelativePath) -> (library: Int64, path: RelativePath)? {
    guard areNamed else { return (first, path) }
    let name = path.bytes.prefix { $0 != UInt8(ascii: "/") }
    guard let library = all.first(where: { $0.name[...] == name }) else { return nil }
    return (library.id, RelativePath(Array(path.bytes.dropFirst(name.count + 1))))
  }

  /// The path under which what is at `path` in this library is seen.
  func seen(_ path: RelativePath, in library: Int64) -> RelativePath {
    guard areNamed, let name = all.first(where: { $0.id == library })?.name else { return path }
    return path == .root ? RelativePath(name) : RelativePath(name).appending(path.bytes)
  }
}
