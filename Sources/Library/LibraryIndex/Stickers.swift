// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel

extension StickerMatch {
  /// Returns the SQL condition on `sticker.value`, and adds its value to `arguments`.
  package func condition(_ arguments: inout QueryArguments) -> String {
    // SQLite casts text that is not a number to 0.
    let number = StickerTable.number
    switch self {
    case .equals(let text): return "sticker.value = \(arguments.add(text))"
    case .sortsBefore(let text): return "sticker.value < \(arguments.add(text))"
    case .sortsAfter(let text): return "sticker.value > \(arguments.add(text))"
    case .contains(let text): return "instr(sticker.value, \(arguments.add(text))) > 0"
    case .hasPrefix(let text): return "instr(char(31) || sticker.value, \(arguments.add("\u{1F}" + text))) = 1"
    case .equalsNumber(let value): return "\(number) = \(arguments.add(value))"
    case .lessThan(let value): return "\(number) < \(arguments.add(value))"
    case .greaterThan(let value): return "\(number) > \(arguments.add(value))"
    }
  }
}

/// The table `sticker`: named values, such as a rating, that users and programs attach to a track. They are not part of
/// its tags or its file.
///
/// A row refers to a track's ID, which stays the same when the file is moved or read again, and while it is missing
/// (see ``IdentityTables``). No other track gets the same ID.
package enum StickerTable {
  static let creation = """
    CREATE TABLE sticker (
      track INTEGER NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (track, name)
    ) WITHOUT ROWID;
    \(index)
    """

  /// The index of numbers. It has the value, too, so that no other page has to be read for the number.
  private static let index =
    "CREATE INDEX sticker_number ON sticker (name, CAST(value AS INTEGER), track, value);"

  /// Replaces the index that did not contain the value.
  static let valueMigration = "DROP INDEX sticker_number;\n" + index

  /// The table `object_sticker`: stickers of what is no track, by its type and name in the MPD protocol.
  static let objectCreation = """
    CREATE TABLE object_sticker (
      type TEXT NOT NULL,
      object TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (type, object, name)
    ) WITHOUT ROWID;
    """

  /// Replaces an index that did not contain the values, and gives counts the names that other MPD clients use. If a
  /// client has counted under these, the higher of the two values remains.
  static let numberMigration =
    objectCreation + "DROP INDEX IF EXISTS sticker_name;\n"
    + "CREATE INDEX IF NOT EXISTS sticker_number ON sticker (name, CAST(value AS INTEGER), track);\n"
    + formerNames.map { former, name in
      """
      INSERT INTO sticker SELECT track, '\(name)', value FROM sticker WHERE name = '\(former)'
        ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
        WHERE CAST(excluded.value AS INTEGER) > CAST(sticker.value AS INTEGER);
      DELETE FROM sticker WHERE name = '\(former)';
      UPDATE OR REPLACE carried SET name = '\(name)' WHERE name = '\(former)';
      """
    }.joined(separator: "\n")

  private static let formerNames = [("playcount", Sticker.playCount), ("lastplayed", Sticker.lastPlayed)]

  /// The name of a sticker as an SQL expression, also where the index has not been migrated.
  static let presentName =
    "CASE sticker.name \(formerNames.map { "WHEN '\($0)' THEN '\($1)' " }.joined())ELSE sticker.name END"

  /// The number in a sticker, as an SQL expression.
  static let number = "CAST(sticker.value AS INTEGER)"

  /// Returns the number in the sticker of a row of `track`, as an SQL expression; NULL if the track has none.
  static func number(_ name: String) -> String {
    "(SELECT \(number) FROM sticker WHERE sticker.track = track.id AND sticker.name = '\(name)')"
  }

  /// Returns the name of the sticker that contains a field of a query; `nil` if it is no sticker.
  static func name(of field: LibraryQuery.NumberField) -> String? {
    switch field {
    case .rating: Sticker.rating
    case .albumRating: Sticker.albumRating
    case .liked: Sticker.like
    case .plays: Sticker.playCount
    case .skips: Sticker.skipCount
    case .year, .originalYear, .released, .track, .disc, .duration, .rate, .bits, .channels: nil
    }
  }

  /// Returns the name of the sticker that contains a date of a query; `nil` if it is no sticker.
  static func name(of field: LibraryQuery.DateField) -> String? {
    switch field {
    case .added, .listened: nil
    case .played: Sticker.lastPlayed
    case .skipped: Sticker.lastSkipped
    }
  }

  /// The SQL statement that sets the value of a sticker.
  package static let insertion = """
    INSERT INTO sticker (track, name, value) VALUES (?, ?, ?)
    ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
    """

  /// The SQL statement that deletes the stickers of a track ID, if that track no longer exists.
  package static let orphanDeletion =
    "DELETE FROM sticker WHERE track = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)"
}
