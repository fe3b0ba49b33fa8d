/// The present row of a statement.
struct StatementRow: StoredRow {
  let statement: IndexStatement

  func text(_ index: Int) -> String? { statement.optionalText(Int32(index)) }

  func long(_ index: Int) -> Int64? { statement.optionalInteger(Int32(index)) }

  func number(_ index: Int) -> Double? { statement.optionalNumber(Int32(index)) }

  func bytes(_ index: Int) -> [UInt8] { statement.bytes(Int32(index)) }
}
