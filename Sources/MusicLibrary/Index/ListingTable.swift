/// The table `listing`: what a face tells of the tracks of a directory, in its own words. Making these words takes most
/// of the time in which a whole library is told, and they stay the same until a track changes.
///
/// - `key` says which words they are: whoever asks for others finds none. They are the face's affair alone.
/// - Whoever changes a track drops the row of its directory within the same transaction; see ``ListingRows``. Not by
///   triggers: a statement that has one may be undone by itself, and for each of these FTS5 writes down the words that
///   it has gathered, which takes as long as all else.
enum ListingTable {
  static let creation = """
    CREATE TABLE listing (
      directory INTEGER PRIMARY KEY REFERENCES directory(id),
      key BLOB NOT NULL,
      words BLOB NOT NULL
    );
    """

  /// The words of the directory at a path of a library, under a key.
  static let selection = """
    SELECT listing.words FROM directory CROSS JOIN listing ON listing.directory = directory.id
    WHERE directory.library = ? AND directory.path = ? AND listing.key = ?
    """

  /// The directories of `libraries` behind one, by their ids, that have tracks, each with the key under which its words
  /// are kept. The plus sign keeps SQLite from finding all of a library by the index that it has, and sorting them.
  static func keySelection(_ libraries: AskedLibraries) -> String {
    """
    SELECT directory.id, directory.library, directory.path, listing.key
    FROM directory LEFT JOIN listing ON listing.directory = directory.id
    WHERE \(libraries.condition("+directory.library", "?1")) AND directory.id > ?2
      AND EXISTS (SELECT 1 FROM track WHERE track.directory = directory.id AND track.album IS NOT NULL)
    ORDER BY directory.id LIMIT ?3
    """
  }

  /// Keeps words of the directory at a path of a library, in the place of others.
  static let insertion = """
    INSERT OR REPLACE INTO listing (directory, key, words)
    SELECT id, ?3, ?4 FROM directory WHERE library = ?1 AND path = ?2
    """
}
