// SPDX-License-Identifier: GPL-3.0-or-later

public import GRDB

/// The tables, indexes and columns that a database must have.
///
/// SQLite does not notice a damaged name or type of a column. It would surface only in the middle of reading or, worse,
/// of writing.
public struct ExpectedTables: Sendable {
  /// A new database in memory. It stays open, because a connection that is released leaves a Dispatch timer behind that
  /// wakes the process every second.
  private let template: DatabaseQueue
  private let columns: [[DatabaseValue]]

  /// Creates the tables with `create`, in an empty database in memory.
  public init(_ create: (DatabaseQueue) throws -> Void) throws {
    template = try DatabaseQueue()
    try create(template)
    columns = try template.unsafeRead(Self.columns)
  }

  /// Returns whether `database` has exactly these tables, indexes and columns.
  public func match(_ database: Database) throws -> Bool { try Self.columns(database) == columns }

  /// Returns the table, name and definition of every column.
  private static func columns(_ database: Database) throws -> [[DatabaseValue]] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT item.type, item.name, info.name, info.type, info."notnull", info.pk
        FROM sqlite_master AS item LEFT JOIN pragma_table_info(item.name) AS info
        WHERE item.name NOT LIKE 'sqlite%' ORDER BY item.name, info.cid
        """
    ).map { Array($0.databaseValues) }
  }
}
