import GRDB

/// Adds rows to a table, several by one statement: to begin and to end a statement takes as long as a few rows do.
///
/// Where a row cannot be added, those before it stay, so the transaction has to be undone. A statement that could be
/// undone by itself would have FTS5 write down the words that it has gathered, few as they are.
final class RowInsertion {
  /// What is done with a row that conflicts with one that there is.
  enum Conflict: String {
    case fail = "FAIL"
    case ignore = "IGNORE"
  }

  /// How many rows one statement adds.
  private static let rowsAtOnce = 16

  private let one: IndexStatement
  private let many: IndexStatement

  /// Adds rows to `table`, which have so many `columns` of these names.
  init(_ database: Database, into table: String, columns: [String], or conflict: Conflict = .fail) throws {
    let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
    let insertion =
      "INSERT OR \(conflict.rawValue) INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
    one = try IndexStatement(database, insertion + row)
    many = try IndexStatement(
      database, insertion + Array(repeating: row, count: Self.rowsAtOnce).joined(separator: ", "))
  }

  /// Adds `rows`, of which `bind` binds the values of each.
  func add<Row>(_ rows: [Row], bind: (Row, inout StatementBinding) -> Void) throws {
    var start = 0
    while start < rows.count {
      let isMany = start + Self.rowsAtOnce <= rows.count
      let end = start + (isMany ? Self.rowsAtOnce : 1)
      let statement = isMany ? many : one
      statement.bind { binding in
        for index in start..<end { bind(rows[index], &binding) }
      }
      try statement.run()
      start = end
    }
  }
}
