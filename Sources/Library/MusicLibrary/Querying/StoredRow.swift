import MusicModel

/// A row of the index, by its columns; `nil` for what is of another type.
protocol StoredRow {
  func text(_ index: Int) -> String?
  func long(_ index: Int) -> Int64?
  /// A finite number.
  func number(_ index: Int) -> Double?
  /// Bytes; none for what are none.
  func bytes(_ index: Int) -> [UInt8]
}

extension StoredRow {
  /// Several values, each behind a U+001F but the first.
  func texts(_ index: Int) -> [String] {
    guard let text = text(index), !text.isEmpty else { return [] }
    // Mostly it is one; to split a text takes it apart into characters.
    return text.utf8.contains(0x1F) ? text.split(separator: "\u{1F}").map { String($0) } : [text]
  }

  func integer(_ index: Int) -> Int? { long(index).flatMap { Int(exactly: $0) } }

  /// Year, month and day, in three columns.
  func date(_ index: Int) -> ReleaseDate? {
    integer(index).flatMap { ReleaseDate(year: $0, month: integer(index + 1), day: integer(index + 2)) }
  }
}
