import GRDB

/// A statement that is compiled when it is first needed, which is seldom: to compile a few takes as long as to look at
/// some hundred files.
final class LateStatement {
  private let database: Database
  private let sql: String
  private var statement: IndexStatement?

  init(_ database: Database, _ sql: String) {
    self.database = database
    self.sql = sql
  }

  /// The statement.
  func get() throws -> IndexStatement {
    if let statement { return statement }
    let compiled = try IndexStatement(database, sql)
    statement = compiled
    return compiled
  }
}
