// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel

extension StickerMatch {
  /// Returns the SQL condition on `sticker.value`, and adds its value to `arguments`.
  package func condition(_ arguments: inout QueryArguments) -> String {
    // SQLite casts text that is not a number to 0.
    let number = "CAST(sticker.value AS INTEGER)"
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
    CREATE INDEX sticker_name ON sticker (name, track);
    """

  /// The SQL statement that sets the value of a sticker.
  package static let insertion = """
    INSERT INTO sticker (track, name, value) VALUES (?, ?, ?)
    ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
    """

  /// The SQL statement that deletes the stickers of a track ID, if that track no longer exists.
  package static let orphanDeletion =
    "DELETE FROM sticker WHERE track = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)"
}
