package import MusicModel

extension StickerMatch {
  /// The condition on `sticker.value`, with a parameter for the value.
  package func condition(_ arguments: inout QueryArguments) -> String {
    // What is no number is 0 as one.
    let number = "CAST(sticker.value AS INTEGER)"
    switch self {
    case .equals(let text): return "sticker.value = \(arguments.add(text))"
    case .before(let text): return "sticker.value < \(arguments.add(text))"
    case .behind(let text): return "sticker.value > \(arguments.add(text))"
    case .contains(let text): return "instr(sticker.value, \(arguments.add(text))) > 0"
    case .begins(let text): return "instr(char(31) || sticker.value, \(arguments.add("\u{1F}" + text))) = 1"
    case .isNumber(let value): return "\(number) = \(arguments.add(value))"
    case .below(let value): return "\(number) < \(arguments.add(value))"
    case .above(let value): return "\(number) > \(arguments.add(value))"
    }
  }
}

/// What users and programs keep beside a track under names of their own, such as a rating: the track's tags and its
/// file do not tell of it.
///
/// A row belongs to a track's id, which stays when the file is moved, or read again. That of a track which is gone goes
/// at the end of the reading that finds it gone, and no other track has its id before.
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

  /// Sets a value.
  package static let insertion = """
    INSERT INTO sticker (track, name, value) VALUES (?, ?, ?)
    ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
    """

  /// Removes what belonged to a track, if that is no more.
  package static let cleaning =
    "DELETE FROM sticker WHERE track = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)"
}
