// SPDX-License-Identifier: GPL-3.0-or-later

/// The main tables of the index, in the form of this version and in the earlier ones from which migrations begin.
///
/// - A `track` belongs to a `directory` of a `library`, and is named by the bytes of its file name. A column with
///   several values separates them by U+001F. Fields without a column of their own are in `tags`: a JSON object of
///   arrays, keyed by TagLib's property names.
/// - `grouped` is 1 if a track's `album` follows from its current tags. A scan first groups the tracks with `grouped`
///   0, so an interrupted scan leaves nothing half done. `group_key` is the folded title by which the track is grouped;
///   tracks that can affect each other's grouping share a `group_key` or a `release`.
/// - A `track` is identified by its file name and `segment`: the CD frame at which it begins, or -1 if it is the whole
///   file, which then has no other row. `segment_end` is the CD frame after its last one, or NULL for the end of the
///   file. `sheet` identifies what a cue sheet next to the file says about it; 0 if there is none.
/// - The table `sheet` lists the cue sheets that were applied to a directory; `sheets` in `directory` is their number.
/// - `words` contains the searchable text of each track that has an album, as `String.searchWords` creates it. Every
///   value is between two U+001F ("\u{1F} jazz \u{1F} hard bop \u{1F}"). `search` is its full-text index.
/// - `credit` links tracks to their artists (`role` 0) and to their album artists (`role` 1); `track_genre` links them
///   to their genres. Names that fold to the same `key` are one artist or genre.
/// - `name_count` caches counts for artists (`kind` 0) and genres (`kind` 1). Counts may be missing, but are never
///   wrong; see `NameCounts`.
/// - `sound` identifies the sound of a track's file; 0 if that cannot be known, NULL if the file was last read by an
///   earlier version. See ``IdentityTables`` for what it is good for.
/// - `joined_word` and `search_terms` are for other spellings of what users search for; see ``JoinedWords``.
/// - Sort keys (`sort`) are bytes; see `CollationKey`. File times are in nanoseconds since 1970, all others in seconds.
enum LibraryTables {
  /// The forms of the tables, each with more columns than the one before.
  enum Form: Comparable {
    case original
    /// With segments of files and cue sheets.
    case segments
    /// With checksums of rows (see ``RowChecksum``) and what identifies the sound of files.
    case current
  }

  /// Returns the SQL that creates the tables in their original or their current form.
  static func creation(_ form: Form) -> String {
    let checksum = form == .current ? ", checksum INTEGER" : ""
    return """
      CREATE TABLE library (
        id INTEGER PRIMARY KEY,
        root BLOB NOT NULL UNIQUE,          -- absolute
        scanned INTEGER,                    -- when a scan last came to its end
        is_absent INTEGER NOT NULL DEFAULT 0,
        file_count INTEGER NOT NULL DEFAULT 0
      );
      CREATE TABLE directory (
        id INTEGER PRIMARY KEY,
        library INTEGER NOT NULL REFERENCES library(id),
        path BLOB NOT NULL,                 -- below the root, without a slash at its ends; the root is ''
        mtime INTEGER NOT NULL\(form == .original ? "" : ", sheets INTEGER NOT NULL DEFAULT 0"),
        UNIQUE (library, path)
      );
      CREATE TABLE album (
        id INTEGER PRIMARY KEY,
        library INTEGER NOT NULL REFERENCES library(id),
        title TEXT NOT NULL,
        artist TEXT,
        title_key TEXT NOT NULL,            -- searchWords
        artist_key TEXT NOT NULL,           -- searchWords, '' where unknown
        sort_title_key TEXT,                -- searchWords of the sort name, where there is one
        sort_artist_key TEXT,
        sort BLOB NOT NULL,                 -- artist, date, title
        title_sort BLOB NOT NULL,
        year INTEGER, month INTEGER, day INTEGER,
        is_compilation INTEGER NOT NULL,
        track_count INTEGER NOT NULL,
        duration INTEGER NOT NULL,          -- milliseconds
        added INTEGER NOT NULL\(checksum)
      );
      CREATE INDEX album_sort ON album (library, sort, id);
      CREATE INDEX album_title_sort ON album (library, title_sort, id);
      CREATE INDEX album_title_key ON album (library, title_key);
      CREATE INDEX album_sort_title_key ON album (library, sort_title_key) WHERE sort_title_key IS NOT NULL;
      CREATE INDEX album_artist_key ON album (library, artist_key);
      CREATE INDEX album_year ON album (library, year, sort);
      CREATE INDEX album_added ON album (library, added, sort);
      CREATE INDEX album_duration ON album (library, duration, sort);
      \(track("track", form))
      \(form == .original ? "" : sheets)
      CREATE TABLE words (
        id INTEGER PRIMARY KEY REFERENCES track(id),
        title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT NOT NULL, album_artist TEXT NOT NULL,
        genre TEXT NOT NULL, composer TEXT NOT NULL\(checksum)
      );
      CREATE VIRTUAL TABLE search USING fts5 (
        title, artist, album, album_artist, genre, composer,
        content = 'words', content_rowid = 'id', columnsize = 0,
        tokenize = 'ascii tokenchars ''!#$%&()*+,-./:;<=>?@[\\]^_`{|}~'''
      );
      CREATE TABLE artist (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,           -- searchWords
        name TEXT NOT NULL,
        sort BLOB NOT NULL\(checksum)
      );
      CREATE INDEX artist_sort ON artist (sort);
      CREATE TABLE credit (
        artist INTEGER NOT NULL REFERENCES artist(id),
        role INTEGER NOT NULL,
        track INTEGER NOT NULL REFERENCES track(id),
        PRIMARY KEY (artist, role, track)
      ) WITHOUT ROWID;
      CREATE TABLE genre (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,           -- searchWords
        name TEXT NOT NULL,
        sort BLOB NOT NULL\(checksum)
      );
      CREATE INDEX genre_sort ON genre (sort);
      CREATE TABLE track_genre (
        genre INTEGER NOT NULL REFERENCES genre(id),
        track INTEGER NOT NULL REFERENCES track(id),
        PRIMARY KEY (genre, track)
      ) WITHOUT ROWID;
      CREATE TABLE name_count (
        library INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        name INTEGER NOT NULL,              -- artist or genre
        albums INTEGER NOT NULL, tracks INTEGER NOT NULL,
        PRIMARY KEY (library, kind, name)
      ) WITHOUT ROWID;
      CREATE TABLE problem (
        id INTEGER PRIMARY KEY,
        library INTEGER NOT NULL REFERENCES library(id),
        path BLOB NOT NULL,                 -- below the root
        reason TEXT NOT NULL,
        size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL, device INTEGER NOT NULL,
        UNIQUE (library, path)
      );
      """
  }

  private static func track(_ name: String, _ form: Form) -> String {
    let segments =
      form == .original
      ? "" : ", segment INTEGER NOT NULL DEFAULT -1, segment_end INTEGER, sheet INTEGER NOT NULL DEFAULT 0"
    return """
      CREATE TABLE \(name) (
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
        tags TEXT\(segments)\(form == .current ? ", checksum INTEGER, sound INTEGER" : ""),
        UNIQUE (directory, name\(form == .original ? "" : ", segment"))
      );
      \(name == "track" ? trackIndexes : "")
      """
  }

  private static let trackIndexes = """
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
    """

  private static let sheets = """
    CREATE TABLE sheet (
      id INTEGER PRIMARY KEY,
      directory INTEGER NOT NULL REFERENCES directory(id),
      name BLOB NOT NULL,
      size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL, device INTEGER NOT NULL,
      UNIQUE (directory, name)
    );
    """

  /// The migration from the original form to the one with segments.
  static let segmentMigration = """
    ALTER TABLE directory ADD COLUMN sheets INTEGER NOT NULL DEFAULT 0;
    \(sheets)
    \(track("track_segments", .segments))
    INSERT INTO track_segments SELECT *, -1, NULL, 0 FROM track;
    DROP TABLE track;
    ALTER TABLE track_segments RENAME TO track;
    \(trackIndexes)
    -- What was passed over until now is read the next time: sheets, and files that hold one.
    UPDATE directory SET mtime = 0;
    UPDATE track SET mtime = 0 WHERE tags LIKE '%"CUESHEET":%';
    """
}

/// The index of the properties by which few people search. No query orders by them, so one index serves them all: a
/// query reads all of its entries, which takes a tenth of the time that reading all tracks takes.
enum PropertyIndex {
  static let name = "track_properties"
  static let creation = "CREATE INDEX \(name) ON track (library, format, bits, rate, channels, disc, number)"
}

/// The migration `names`, which adds a covering index of the names of tracks. With it, all artists, or all albums with
/// their artists, can be listed without reading the tracks.
enum NameIndex {
  static let name = "track_names"
  static let creation = """
    CREATE INDEX \(name) ON track (library, artists, album_artists, album_title, album) WHERE album IS NOT NULL;
    """

  static func covers(_ fields: [TrackTag]) -> Bool {
    fields.allSatisfy { [.artist, .albumArtist, .album].contains($0) }
  }
}
