import GRDB
import LibraryIndex

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
  func add<Row>(_ rows: [Row], bind: (Row, inout ParameterBinding) -> Void) throws {
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

/// Takes the values of a row, column by column: to bind them, or to compare them with those that there are.
protocol ColumnValues: ~Copyable {
  /// Takes the next value.
  mutating func bind(_ value: Int64?)
  /// Takes the next value.
  mutating func bind(_ value: Double?)
  /// Takes the next value.
  mutating func bind(_ text: String?)
  /// Takes the next value.
  mutating func bind(_ bytes: [UInt8])
}

extension ColumnValues where Self: ~Copyable {
  /// Takes the next value.
  mutating func bind(_ value: Int?) { bind(value.map(Int64.init)) }

  /// Takes the next value.
  mutating func bind(_ value: Bool) { bind(value ? 1 as Int64 : 0) }
}

extension ParameterBinding: ColumnValues {}

/// Tells whether values are those of a statement's present row.
struct RowComparison: ColumnValues {
  /// Whether all that were taken are.
  private(set) var isSame = true

  private let row: IndexStatement
  private let passedOver: Set<Int32>
  private var column: Int32 = 0

  /// Compares with the present row of `row`, but for the columns `passedOver`.
  init(_ row: IndexStatement, passingOver passedOver: Set<Int32> = []) {
    self.row = row
    self.passedOver = passedOver
  }

  mutating func bind(_ value: Int64?) { compare { $0.optionalInteger($1) == value } }

  mutating func bind(_ value: Double?) {
    // Neither is kept as a number.
    compare { $0.optionalNumber($1) == value.flatMap { $0.isFinite ? $0 : nil } }
  }

  mutating func bind(_ text: String?) {
    compare { row, column in
      guard var text, !row.isNull(column) else { return text == nil && row.isNull(column) }
      return text.withUTF8 { text in
        unsafe row.withBytes(column) { unsafe $0.elementsEqual(text) }
      }
    }
  }

  mutating func bind(_ bytes: [UInt8]) {
    compare { row, column in
      !row.isNull(column) && (unsafe row.withBytes(column) { unsafe $0.elementsEqual(bytes) })
    }
  }

  private mutating func compare(_ isSame: (IndexStatement, Int32) -> Bool) {
    if self.isSame, !passedOver.contains(column) { self.isSame = isSame(row, column) }
    column += 1
  }
}
