// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex

/// Inserts rows into a table, several with each statement, because starting and ending a statement takes as long as
/// inserting a few rows.
///
/// If a row cannot be inserted, the rows before it remain, so the transaction must be rolled back. A statement that can
/// be rolled back by itself would make FTS5 write out the few words that it has buffered.
final class RowInsertion {
  /// The way to handle a row that conflicts with an existing row.
  enum Conflict: String {
    case fail = "FAIL"
    case ignore = "IGNORE"
  }

  /// The number of rows that one statement inserts.
  private static let rowsAtOnce = 16

  private let one: IndexStatement
  private let many: IndexStatement

  /// Creates an insertion into these `columns` of `table`, with the checksum of the row if the table has checksums.
  init(
    _ database: Database, into table: String, columns: [String], checksum: RowChecksum? = nil,
    or conflict: Conflict = .fail
  ) {
    let names = columns + (checksum == nil ? [] : ["checksum"])
    let insertion = "INSERT OR \(conflict.rawValue) INTO \(table) (\(names.joined(separator: ", "))) VALUES "
    let row = { checksum.row(of: columns, from: $0 * columns.count + 1) }
    one = IndexStatement(database, insertion + row(0))
    many = IndexStatement(database, insertion + (0..<Self.rowsAtOnce).map(row).joined(separator: ", "))
  }

  /// Inserts `rows`, calling `bind` to bind the values of each row.
  func add<Row>(_ rows: [Row], bind: (Row, IndexStatement) -> Void) throws {
    var start = 0
    while start < rows.count {
      let isMany = start + Self.rowsAtOnce <= rows.count
      let end = start + (isMany ? Self.rowsAtOnce : 1)
      let statement = isMany ? many : one
      for index in start..<end { bind(rows[index], statement) }
      try statement.run()
      start = end
    }
  }
}

extension RowChecksum? {
  /// The SQL values of a row whose columns are parameters, the first of which has the number `first`, followed by the
  /// checksum, if there is one.
  func row(of columns: [String], from first: Int = 1) -> String {
    let parameters = columns.indices.map { "?\(first + $0)" }
    let checksum = map { checksum in
      checksum.expression { name in columns.firstIndex(of: name).map { parameters[$0] } ?? "NULL" }
    }
    return "(" + (parameters + [checksum].compactMap { $0 }).joined(separator: ", ") + ")"
  }
}

/// Compares values with the current row of a statement.
final class RowComparison: ColumnValues {
  /// Whether all values received so far are equal to those in the row.
  private(set) var isSame = true

  private let row: IndexStatement
  private let ignoredColumns: Set<Int32>
  private var column: Int32 = 0

  /// Creates a comparison with the current row of `row` that ignores the columns `ignoredColumns`.
  init(_ row: IndexStatement, ignoring ignoredColumns: Set<Int32> = []) {
    self.row = row
    self.ignoredColumns = ignoredColumns
  }

  func bind(_ value: Int64?) { compare { $0.optionalInteger($1) == value } }

  func bind(_ value: Double?) {
    // SQLite does not store numbers that are not finite.
    compare { $0.optionalNumber($1) == value.flatMap { $0.isFinite ? $0 : nil } }
  }

  func bind(_ text: String?) {
    compare { row, column in
      guard var text, !row.isNull(column) else { return text == nil && row.isNull(column) }
      return text.withUTF8 { text in
        unsafe row.withBytes(column) { unsafe $0.elementsEqual(text) }
      }
    }
  }

  func bind(_ bytes: [UInt8]) {
    compare { row, column in
      !row.isNull(column) && (unsafe row.withBytes(column) { unsafe $0.elementsEqual(bytes) })
    }
  }

  private func compare(_ isSame: (IndexStatement, Int32) -> Bool) {
    if self.isSame, !ignoredColumns.contains(column) { self.isSame = isSame(row, column) }
    column += 1
  }
}
