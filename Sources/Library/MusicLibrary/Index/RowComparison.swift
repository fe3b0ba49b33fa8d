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
