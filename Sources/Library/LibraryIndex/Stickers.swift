/// What is kept beside a track under a name.
public struct Sticker: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// A sticker of this name.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// How often the track was played to its end.
  public static let playCount = "playcount"
  /// When it was played last: seconds since 1970.
  public static let lastPlayed = "lastplayed"
}

/// How the value of a sticker is compared.
public enum StickerMatch: Sendable, Hashable {
  /// As texts, by their bytes: equal, before, or behind.
  case equals(String)
  /// It comes before, by its bytes.
  case before(String)
  /// It comes behind, by its bytes.
  case behind(String)
  /// It has the text in it.
  case contains(String)
  /// It begins with the text.
  case begins(String)
  /// It is this number.
  case isNumber(Int64)
  /// It is a number below this one.
  case below(Int64)
  /// It is a number above this one.
  case above(Int64)

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
