import GRDB

/// The values of a statement's parameters, each under its number.
struct QueryArguments {
  private var values: [DatabaseValue] = []

  /// Adds a value, and gives the parameter that stands for it.
  mutating func add(_ value: some DatabaseValueConvertible) -> String {
    values.append(value.databaseValue)
    return "?\(values.count)"
  }

  var count: Int { values.count }

  /// Binds all of them.
  func bind(to statement: IndexStatement) {
    for value in values { statement.bind(value) }
  }

  var statementArguments: StatementArguments { StatementArguments(values) }
}
