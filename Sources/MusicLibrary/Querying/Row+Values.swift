import FoundationEssentials
import GRDB
import MusicModel

/// What a column holds; `nil` for what is of another type.
extension Row {
  func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }

  /// Several values, each behind a U+001F but the first.
  func texts(_ index: Int) -> [String] {
    text(index).map { $0.isEmpty ? [] : $0.split(separator: "\u{1F}").map { String($0) } } ?? []
  }

  func long(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

  func integer(_ index: Int) -> Int? { Int.fromDatabaseValue(self[index]) }

  func number(_ index: Int) -> Double? {
    Double.fromDatabaseValue(self[index]).flatMap { $0.isFinite ? $0 : nil }
  }

  func bytes(_ index: Int) -> [UInt8] { Data.fromDatabaseValue(self[index]).map { Array($0) } ?? [] }

  /// Year, month and day, in three columns.
  func date(_ index: Int) -> ReleaseDate? {
    integer(index).flatMap { ReleaseDate(year: $0, month: integer(index + 1), day: integer(index + 2)) }
  }
}
