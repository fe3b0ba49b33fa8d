/// What the migration `segments` makes of the tables of ``LibraryTables``: rows for parts of files, and for cue sheets.
///
/// - A `track` is under its name and `segment`: the CD frame at which it begins, or -1 where it is the whole file,
///   which then has no other row. `segment_end` is the CD frame behind it, NULL for the file's end. `sheet` tells what
///   a cue sheet beside the file says of it from anything else that one may say; 0 where none says anything.
/// - `sheet` holds the cue sheets that were applied to a directory; `sheets` of the directory is their number.
enum SegmentTables {
  static let migration = """
    ALTER TABLE directory ADD COLUMN sheets INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE sheet (
      id INTEGER PRIMARY KEY,
      directory INTEGER NOT NULL REFERENCES directory(id),
      name BLOB NOT NULL,
      size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL, device INTEGER NOT NULL,
      UNIQUE (directory, name)
    );
    CREATE TABLE track_segments (
      id INTEGER PRIMARY KEY,
      library INTEGER NOT NULL REFERENCES library(id),
      directory INTEGER NOT NULL REFERENCES directory(id),
      name BLOB NOT NULL,
      size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL, device INTEGER NOT NULL,
      added INTEGER NOT NULL,
      grouped INTEGER NOT NULL DEFAULT 0,
      group_key TEXT NOT NULL,
      release TEXT,                       -- MusicBrainz album id
      album INTEGER REFERENCES album(id),
      place INTEGER,                      -- in the album's playing order, from 0
      title TEXT NOT NULL,
      title_key TEXT NOT NULL,            -- searchWords
      title_sort BLOB NOT NULL,
      artists TEXT, album_title TEXT, album_artists TEXT, genres TEXT, composers TEXT,
      number INTEGER, number_total INTEGER, disc INTEGER, disc_total INTEGER,
      derived INTEGER NOT NULL DEFAULT 0, -- what grouping worked out: 1 title, number and disc from the name, 2 the disc
      year INTEGER, month INTEGER, day INTEGER,
      is_compilation INTEGER NOT NULL,
      sort_title TEXT, sort_artist TEXT, sort_album TEXT, sort_album_artist TEXT,
      track_gain REAL, track_peak REAL, album_gain REAL, album_peak REAL,
      duration INTEGER,                   -- milliseconds
      rate INTEGER, channels INTEGER, bits INTEGER,
      format TEXT NOT NULL,               -- the suffix that people know the format by
      tags TEXT,
      segment INTEGER NOT NULL DEFAULT -1,
      segment_end INTEGER,
      sheet INTEGER NOT NULL DEFAULT 0,
      UNIQUE (directory, name, segment)
    );
    INSERT INTO track_segments SELECT *, -1, NULL, 0 FROM track;
    DROP TABLE track;
    ALTER TABLE track_segments RENAME TO track;
    CREATE INDEX track_album ON track (album, place);
    CREATE INDEX track_inode ON track (inode, device);
    CREATE INDEX track_group ON track (library, group_key);
    CREATE INDEX track_release ON track (library, release) WHERE release IS NOT NULL;
    CREATE INDEX track_ungrouped ON track (library) WHERE grouped = 0;
    CREATE INDEX track_title_key ON track (library, title_key);
    CREATE INDEX track_title_sort ON track (library, title_sort);
    CREATE INDEX track_year ON track (library, year);
    CREATE INDEX track_added ON track (library, added);
    CREATE INDEX track_duration ON track (library, duration);
    -- What was passed over until now is read the next time: sheets, and files that hold one.
    UPDATE directory SET mtime = 0;
    UPDATE track SET mtime = 0 WHERE tags LIKE '%"CUESHEET":%';
    """
}
