/// The table `listing`: what a face tells of the tracks of a directory, in its own words. Making these words takes most of the time in which
/// a whole library is told, and they stay the same until a track changes.
///
/// - `key` says which words they are: whoever asks for others finds none. They are the face's affair alone.
/// - Whoever changes a track, or where a directory is, drops the row of that directory with it, within the same transaction: triggers
///   see to that, so that nobody can forget it.
enum ListingTable {
  static let creation = """
    CREATE TABLE listing (
      directory INTEGER PRIMARY KEY REFERENCES directory(id),
      key BLOB NOT NULL,
      words BLOB NOT NULL
    );
    CREATE TRIGGER listing_track_added AFTER INSERT ON track BEGIN
      DELETE FROM listing WHERE directory = NEW.directory;
    END;
    CREATE TRIGGER listing_track_changed AFTER UPDATE ON track BEGIN
      DELETE FROM listing WHERE directory = NEW.directory;
    END;
    CREATE TRIGGER listing_track_moved AFTER UPDATE OF directory ON track BEGIN
      DELETE FROM listing WHERE directory = OLD.directory;
    END;
    CREATE TRIGGER listing_track_gone AFTER DELETE ON track BEGIN
      DELETE FROM listing WHERE directory = OLD.directory;
    END;
    CREATE TRIGGER listing_directory_moved AFTER UPDATE OF library, path ON directory BEGIN
      DELETE FROM listing WHERE directory = OLD.id;
    END;
    CREATE TRIGGER listing_directory_gone AFTER DELETE ON directory BEGIN
      DELETE FROM listing WHERE directory = OLD.id;
    END;
    """

  /// The words of the directory at a path of a library, under a key.
  static let selection = """
    SELECT listing.words FROM directory CROSS JOIN listing ON listing.directory = directory.id
    WHERE directory.library = ? AND directory.path = ? AND listing.key = ?
    """

  /// Keeps words of the directory at a path of a library, in the place of others.
  static let insertion = """
    INSERT OR REPLACE INTO listing (directory, key, words)
    SELECT id, ?3, ?4 FROM directory WHERE library = ?1 AND path = ?2
    """
}
