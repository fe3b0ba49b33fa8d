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

extension StatementBinding: ColumnValues {}
