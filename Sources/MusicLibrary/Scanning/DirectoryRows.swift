import GRDB

/// The rows of a library's directories.
final class DirectoryRows {
  private static let limit = 20_000

  private let library: Int64
  private let insertion: IndexStatement
  private let selection: IndexStatement
  private let completion: IndexStatement
  private let deletion: IndexStatement
  private var ids: [RelativePath: Int64] = [:]

  init(_ database: Database, library: Int64) throws {
    self.library = library
    insertion = try IndexStatement(
      database, "INSERT INTO directory (library, path, mtime) VALUES (?, ?, 0) RETURNING id")
    selection = try IndexStatement(database, "SELECT id FROM directory WHERE library = ? AND path = ?")
    completion = try IndexStatement(database, "UPDATE directory SET mtime = ? WHERE id = ?")
    deletion = try IndexStatement(
      database,
      "DELETE FROM directory WHERE id = ? AND NOT EXISTS (SELECT 1 FROM track WHERE directory = directory.id)"
    )
  }

  /// The row of a directory, which is made where there is none.
  func id(of path: RelativePath) throws -> Int64 {
    if let id = ids[path] { return id }
    selection.bind(library)
    selection.bind(path.bytes)
    var id: Int64?
    while try selection.step() { id = selection.integer(0) }
    if id == nil {
      insertion.bind(library)
      insertion.bind(path.bytes)
      while try insertion.step() { id = insertion.integer(0) }
    }
    guard let id else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
    if ids.count >= Self.limit { ids.removeAll(keepingCapacity: true) }
    ids[path] = id
    return id
  }

  /// Says that all in a directory is in the index as it was when it was listed.
  func complete(_ visit: DirectoryVisit) throws -> Int64 {
    let id = try visit.id ?? id(of: visit.path)
    completion.bind(visit.modificationTime)
    completion.bind(id)
    try completion.run()
    return id
  }

  /// Removes a row that no track needs.
  func remove(_ id: Int64) throws {
    deletion.bind(id)
    try deletion.run()
    ids = [:]
  }
}
