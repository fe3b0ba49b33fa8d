// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB

/// The checksums with which the rows of a table are stored, so that damage is found that leaves the database
/// well-formed: a letter of a name, or a number.
///
/// A row is written with its checksum by the same statement. The column `checksum` is NULL in rows that an earlier
/// version of Segue has written, which are taken as they are until they are written again.
package struct RowChecksum: Sendable {
  /// The name of the table.
  package let table: String
  private let columns: [String]

  private init(_ table: String, _ columns: [String]) { (self.table, self.columns) = (table, columns) }

  /// Everything that is known of tracks, except the state of their files, which every scan compares with the disk.
  package static let track = RowChecksum(
    "track",
    [
      "library", "directory", "name", "added", "group_key", "release", "album", "place", "title", "title_key",
      "title_sort", "artists", "album_title", "album_artists", "genres", "composers", "number", "number_total", "disc",
      "disc_total", "derived", "year", "month", "day", "is_compilation", "sort_title", "sort_artist", "sort_album",
      "sort_album_artist", "track_gain", "track_peak", "album_gain", "album_peak", "duration", "rate", "channels",
      "bits", "format", "tags", "segment", "segment_end", "sheet",
    ])
  /// What albums are listed by.
  package static let album = RowChecksum(
    "album",
    [
      "library", "title", "artist", "title_key", "artist_key", "sort_title_key", "sort_artist_key", "sort",
      "title_sort", "year",
      "month", "day", "is_compilation", "track_count", "duration", "added",
    ])
  /// The search words of tracks.
  package static let words = RowChecksum("words", ["title", "artist", "album", "album_artist", "genre", "composer"])

  /// The names of artists or genres.
  package static func names(_ kind: NameKind) -> RowChecksum {
    RowChecksum(kind.tables.names, ["key", "name", "sort"])
  }

  /// The words that have something between their letters.
  static let joinedWords = RowChecksum("joined_word", ["joined", "words"])

  /// The tables that existed before there were checksums.
  private static let original = [track, album, words, names(.artists), names(.genres)]

  static let migration = original.map { "ALTER TABLE \($0.table) ADD COLUMN checksum INTEGER;" }.joined(separator: "\n")

  /// The SQL expression for the checksum of a row. `value` returns the expression for the value of a column.
  package func expression(_ value: (String) -> String) -> String {
    "segue_checksum(\(columns.map(value).joined(separator: ", ")))"
  }

  /// The SQL assignments of these values to columns of an existing row, and of the checksum that follows. A row that is
  /// damaged remains so, and one without a checksum still has none.
  package func assignments(_ values: KeyValuePairs<String, String>) -> String {
    let checksum = expression { name in values.first { $0.key == name }?.value ?? name }
    return values.map { "\($0) = \($1), " }.joined()
      + "checksum = CASE WHEN \(isValid) THEN \(checksum) ELSE checksum END"
  }

  /// The SQL condition that a row is as it was written. NULL if it has no checksum.
  package var isValid: String { "checksum = \(expression { $0 })" }

  /// Returns the row IDs of damaged rows, at most `limit`.
  package func damagedRows(_ database: Database, limit: Int = .max) throws -> [Int64] {
    try Int64.fetchAll(database, sql: "SELECT rowid FROM \(table) WHERE NOT (\(isValid)) LIMIT \(limit)")
  }

  /// Returns a description of the first damaged row of any table; `nil` if there is none.
  static func damage(_ database: Database) throws -> String? {
    for checksum in original + [joinedWords] {
      if let id = try checksum.damagedRows(database, limit: 1).first {
        return "row \(id) of the table \(checksum.table) has changed"
      }
    }
    return nil
  }

  /// Registers `segue_checksum(VALUE, ...)`, which returns an integer that depends on all of its arguments and their
  /// types.
  static func addFunction(to database: Database) throws {
    try SQLFunction.add("segue_checksum", to: database) { arguments in
      var hash = RowHash()
      for index in 0..<arguments.count { hash.add(arguments[index].stored) }
      return hash.value
    }
  }
}

/// A hash of SQLite's values that is the same on all machines, and in all versions of Segue.
private struct RowHash {
  private var state: UInt64 = 0x5345_4755_4552_4F57

  /// The hash of the values so far.
  var value: Int64 { Int64(bitPattern: state) }

  /// Adds a value with its type. Numbers that compare as equal have the same hash.
  mutating func add(_ value: SQLFunction.Argument.Value) {
    switch value {
    case .integer(let number): add(1, UInt64(bitPattern: number))
    case .number(let number): add(2, number == 0 ? 0 : number.bitPattern)
    case .text(let bytes): unsafe add(3, bytes)
    case .bytes(let bytes): unsafe add(4, bytes)
    case .null: add(5, 0)
    }
  }

  private mutating func add(_ type: UInt64, _ bytes: UnsafeRawBufferPointer) {
    add(type, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      mix(UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = unsafe rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    mix(rest)
  }

  private mutating func add(_ type: UInt64, _ word: UInt64) {
    mix(type)
    mix(word)
  }

  /// Multiplying by an odd number and shifting can be undone, so that a change of one word always changes the result.
  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }
}
