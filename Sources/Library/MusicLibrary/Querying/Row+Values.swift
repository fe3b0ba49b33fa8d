import FoundationEssentials
import GRDB

extension Row: StoredRow {
  func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }

  func long(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

  func number(_ index: Int) -> Double? {
    Double.fromDatabaseValue(self[index]).flatMap { $0.isFinite ? $0 : nil }
  }

  func bytes(_ index: Int) -> [UInt8] { Data.fromDatabaseValue(self[index]).map { Array($0) } ?? [] }
}
