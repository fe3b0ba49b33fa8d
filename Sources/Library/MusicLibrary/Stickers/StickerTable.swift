/// What users and programs keep beside a track under names of their own, such as a rating: the track's tags and its
/// file do not tell of it.
///
/// A row belongs to a track's id, which stays when the file is moved, or read again. That of a track which is gone goes
/// at the end of the reading that finds it gone, and no other track has its id before.
enum StickerTable {
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
  static let insertion = """
    INSERT INTO sticker (track, name, value) VALUES (?, ?, ?)
    ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
    """

  /// Removes what belonged to a track, if that is no more.
  static let cleaning = "DELETE FROM sticker WHERE track = ?1 AND NOT EXISTS (SELECT 1 FROM track WHERE id = ?1)"
}
