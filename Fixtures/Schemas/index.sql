-- The library index in each earlier schema. The statements up to the line of a schema are those with which the program
-- of that time created it; the rows were made up for the test. Later versions of Segue open all of them.

-- Schema 1: measured loudness

CREATE TABLE loudness (
  path BLOB NOT NULL PRIMARY KEY,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,      -- nanoseconds since 1970
  loudness REAL,               -- LUFS
  range REAL,                  -- LU
  true_peak REAL NOT NULL,     -- 1.0 is full scale
  album_key INTEGER,           -- which files the album had
  album_loudness REAL,         -- LUFS
  album_peak REAL              -- 1.0 is full scale
) WITHOUT ROWID;
INSERT INTO loudness VALUES (CAST('/music/Bach/01.flac' AS BLOB), 1000, 5, -14.5, 6.25, 0.5, NULL, NULL, NULL);

-- Schema 2: the library

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
  mtime INTEGER NOT NULL,
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
  added INTEGER NOT NULL
);
CREATE INDEX album_sort ON album (library, sort, id);
CREATE INDEX album_title_sort ON album (library, title_sort, id);
CREATE INDEX album_title_key ON album (library, title_key);
CREATE INDEX album_sort_title_key ON album (library, sort_title_key) WHERE sort_title_key IS NOT NULL;
CREATE INDEX album_artist_key ON album (library, artist_key);
CREATE INDEX album_year ON album (library, year, sort);
CREATE INDEX album_added ON album (library, added, sort);
CREATE INDEX album_duration ON album (library, duration, sort);
CREATE TABLE track (
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
  UNIQUE (directory, name)
);
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
CREATE TABLE words (
  id INTEGER PRIMARY KEY REFERENCES track(id),
  title TEXT NOT NULL, artist TEXT NOT NULL, album TEXT NOT NULL, album_artist TEXT NOT NULL,
  genre TEXT NOT NULL, composer TEXT NOT NULL
);
CREATE VIRTUAL TABLE search USING fts5 (
  title, artist, album, album_artist, genre, composer,
  content = 'words', content_rowid = 'id', columnsize = 0,
  tokenize = 'ascii tokenchars ''!#$%&()*+,-./:;<=>?@[\]^_`{|}~'''
);
CREATE TABLE artist (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,           -- searchWords
  name TEXT NOT NULL,
  sort BLOB NOT NULL
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
  sort BLOB NOT NULL
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
INSERT INTO library VALUES (1, CAST('/music' AS BLOB), 1700000000, 0, 2);
INSERT INTO directory (id, library, path, mtime) VALUES (1, 1, CAST('Bach' AS BLOB), 7);
INSERT INTO album VALUES
  (1, 1, 'Suites', 'Bach', ' suites ', ' bach ', NULL, NULL, x'01', x'02', 1720, NULL, NULL, 0, 2, 300000, 1600000000);
INSERT INTO track (
  id, library, directory, name, size, mtime, inode, device, added, grouped, group_key, album, place, title, title_key,
  title_sort, artists, album_title, album_artists, composers, number, year, is_compilation, duration, rate, channels, bits, format)
VALUES
  (1, 1, 1, CAST('01.flac' AS BLOB), 1000, 5, 11, 3, 1600000000, 1, 'k', 1, 0, 'Prelude', ' prelude ', x'03',
   '["Bach"]', 'Suites', '["Bach"]', 'J.S. Bach', 1, 1720, 0, 100000, 44100, 2, 16, 'flac'),
  (2, 1, 1, CAST('02.flac' AS BLOB), 2000, 6, 12, 3, 1600000000, 1, 'k', 1, 1, 'Allemande', ' allemande ', x'04',
   '["Bach"]', 'Suites', '["Bach"]', 'J.S. Bach', 2, 1720, 0, 200000, 44100, 2, 16, 'flac');
INSERT INTO words VALUES
  (1, ' prelude ', ' bach ', ' suites ', ' bach ', '', ''), (2, ' allemande ', ' bach ', ' suites ', ' bach ', '', '');
INSERT INTO search (search) VALUES ('rebuild');
INSERT INTO artist VALUES (1, ' bach ', 'Bach', x'05');
INSERT INTO credit VALUES (1, 0, 1), (1, 0, 2), (1, 1, 1), (1, 1, 2);
INSERT INTO name_count VALUES (1, 0, 1, 1, 2);

-- Schema 3: parts of files, for cue sheets

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
INSERT INTO sheet VALUES (1, 1, CAST('image.cue' AS BLOB), 300, 8, 13, 3);

-- Schema 4: copies of columns

CREATE TABLE snapshot (
  library INTEGER NOT NULL REFERENCES library(id),
  name TEXT NOT NULL,
  part INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (library, name, part)
);
CREATE TABLE snapshot_patch (
  library INTEGER NOT NULL REFERENCES library(id),
  track INTEGER NOT NULL,
  PRIMARY KEY (library, track)
) WITHOUT ROWID;

-- Schema 5: stickers

CREATE TABLE sticker (
  track INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (track, name)
) WITHOUT ROWID;
CREATE INDEX sticker_name ON sticker (name, track);
INSERT INTO sticker VALUES (1, 'rating', '8');

-- Schema 6: what directories are listed as

CREATE TABLE listing (
  directory INTEGER PRIMARY KEY REFERENCES directory(id),
  key BLOB NOT NULL,
  words BLOB NOT NULL
);
INSERT INTO listing VALUES (1, x'06', x'07');

-- Schema 7: stickers of files that are missing

CREATE TABLE carried (
  root BLOB NOT NULL,                 -- of the library; absolute
  directory BLOB NOT NULL,            -- below it
  file BLOB NOT NULL,
  segment INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (root, directory, file, segment, name)
) WITHOUT ROWID;
INSERT INTO carried VALUES (CAST('/music' AS BLOB), CAST('Bach' AS BLOB), CAST('09.flac' AS BLOB), -1, 'rating', '2');

-- Schema 8: an index of names

CREATE INDEX track_names ON track (library, artists, album_artists, album_title, album) WHERE album IS NOT NULL;

-- Schema 9: without the table of schema 6

DROP TABLE listing;

-- Schema 10: checksums of rows
ALTER TABLE track ADD COLUMN checksum INTEGER;
ALTER TABLE album ADD COLUMN checksum INTEGER;
ALTER TABLE words ADD COLUMN checksum INTEGER;
ALTER TABLE artist ADD COLUMN checksum INTEGER;
ALTER TABLE genre ADD COLUMN checksum INTEGER;
ALTER TABLE snapshot ADD COLUMN checksum INTEGER;

-- Schema 11: without the table of schema 4, and with an index of properties

DROP TABLE IF EXISTS snapshot;
DROP TABLE IF EXISTS snapshot_patch;
CREATE INDEX track_properties ON track (library, format, bits, rate, channels, disc, number);

-- Schema 12: words with something between their letters

CREATE TABLE joined_word (
  id INTEGER PRIMARY KEY,
  joined TEXT NOT NULL,               -- the letters alone
  words TEXT NOT NULL,                -- searchWords, without the spaces around them
  checksum INTEGER,
  UNIQUE (joined, words)
);
CREATE VIRTUAL TABLE search_terms USING fts5vocab (search, row);
INSERT INTO joined_word (joined, words) VALUES ('js', 'j s');

-- Schema 13: the identity of tracks

ALTER TABLE track ADD COLUMN sound INTEGER;
CREATE INDEX track_sound ON track (sound) WHERE sound <> 0;
CREATE TABLE missing_track (
  id INTEGER PRIMARY KEY,             -- of the track
  library INTEGER NOT NULL,
  path BLOB NOT NULL,                 -- below the root
  segment INTEGER NOT NULL,
  size INTEGER NOT NULL, mtime INTEGER NOT NULL,
  sound INTEGER,
  recording TEXT,                     -- MusicBrainz recording ID and folded album title
  names TEXT,                         -- folded title, artists, folded album title, disc and number
  duration INTEGER,                   -- milliseconds
  added INTEGER NOT NULL,
  since INTEGER NOT NULL              -- when a scan first found the file missing
);
CREATE INDEX missing_track_path ON missing_track (library, path);
CREATE INDEX missing_track_size ON missing_track (size, mtime);
CREATE INDEX missing_track_sound ON missing_track (sound) WHERE sound IS NOT NULL;
CREATE INDEX missing_track_recording ON missing_track (recording) WHERE recording IS NOT NULL;
CREATE INDEX missing_track_names ON missing_track (names) WHERE names IS NOT NULL;
CREATE TABLE file_move (
  id INTEGER PRIMARY KEY,
  scan INTEGER NOT NULL,              -- when it ended, in nanoseconds since 1970, always increasing; until then,
                                      -- the negative ID of the first track of the file, or 0 for a directory
  former BLOB NOT NULL,               -- absolute
  present BLOB NOT NULL,              -- absolute
  is_directory INTEGER NOT NULL
);
CREATE INDEX file_move_scan ON file_move (scan);
CREATE TABLE followed_move (
  playlists BLOB PRIMARY KEY,         -- the directory of playlists; absolute
  scan INTEGER NOT NULL               -- the last scan whose moves they follow
) WITHOUT ROWID;
CREATE TABLE followed_playlist (
  path BLOB PRIMARY KEY,              -- absolute
  playlists BLOB NOT NULL,            -- the directory of playlists; absolute
  scan INTEGER NOT NULL,              -- the last scan whose moves it follows when it is written
  former INTEGER NOT NULL,            -- segue_checksum of the contents before
  present INTEGER NOT NULL            -- and afterwards
) WITHOUT ROWID;
CREATE TABLE unfinished_scan (
  library INTEGER PRIMARY KEY,
  last_track INTEGER NOT NULL         -- the highest track ID before the scan
);
CREATE TABLE renamed_library (
  former INTEGER PRIMARY KEY,
  present INTEGER NOT NULL
);
INSERT INTO carried VALUES (CAST('/music' AS BLOB), CAST('Bach' AS BLOB), CAST('09.flac' AS BLOB), -1, 'playcount', '4');
INSERT INTO sticker VALUES (1, 'playcount', '12'), (1, 'lastplayed', '1000'), (1, 'playCount', '9'),
  (1, 'lastPlayed', '2000'), (2, 'playcount', '3');

-- Schema 14: stickers as numbers, and of playlists

CREATE TABLE object_sticker (
  type TEXT NOT NULL,
  object TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (type, object, name)
) WITHOUT ROWID;
DROP INDEX IF EXISTS sticker_name;
CREATE INDEX IF NOT EXISTS sticker_number ON sticker (name, CAST(value AS INTEGER), track);
INSERT INTO sticker SELECT track, 'playCount', value FROM sticker WHERE name = 'playcount'
  ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
  WHERE CAST(excluded.value AS INTEGER) > CAST(sticker.value AS INTEGER);
DELETE FROM sticker WHERE name = 'playcount';
UPDATE OR REPLACE carried SET name = 'playCount' WHERE name = 'playcount';
INSERT INTO sticker SELECT track, 'lastPlayed', value FROM sticker WHERE name = 'lastplayed'
  ON CONFLICT (track, name) DO UPDATE SET value = excluded.value
  WHERE CAST(excluded.value AS INTEGER) > CAST(sticker.value AS INTEGER);
DELETE FROM sticker WHERE name = 'lastplayed';
UPDATE OR REPLACE carried SET name = 'lastPlayed' WHERE name = 'lastplayed';

-- Schema 15: the play log

CREATE TABLE played_track (
  id INTEGER PRIMARY KEY,
  path BLOB NOT NULL,                 -- absolute
  segment INTEGER NOT NULL,           -- -1 for a whole file
  title TEXT NOT NULL,
  artist TEXT NOT NULL,
  album TEXT NOT NULL,
  album_artist TEXT NOT NULL,
  genre TEXT NOT NULL,
  duration INTEGER,                   -- milliseconds
  UNIQUE (path, segment, title, artist, album, album_artist, genre)
);
CREATE TABLE play (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,              -- when it began, in seconds since 1970
  track INTEGER NOT NULL,             -- in played_track
  heard INTEGER NOT NULL,             -- milliseconds
  origin TEXT NOT NULL
);
CREATE INDEX play_time ON play (time);
CREATE INDEX play_track ON play (track, time);
INSERT INTO played_track VALUES
  (1, CAST('/music/Bach/01.flac' AS BLOB), -1, 'Prelude', 'Bach', '', '', '', NULL),
  (2, CAST('/elsewhere/01.flac' AS BLOB), -1, 'Elsewhere', '', '', '', '', 1000);
INSERT INTO play VALUES (1, 1000, 1, 60000, ''), (2, 2000, 2, 500, ''), (3, 3000, 1, 60000, 'Evening');

-- Schema 16: the tracks of the library in the play log

ALTER TABLE played_track ADD COLUMN library_track INTEGER;
DROP INDEX play_time;
CREATE INDEX play_time ON play (time, track);
CREATE INDEX played_library_track ON played_track (library_track) WHERE library_track > 0;
UPDATE played_track SET library_track = (SELECT min(id) FROM track) WHERE id = 1;
DROP INDEX sticker_number;
CREATE INDEX sticker_number ON sticker (name, CAST(value AS INTEGER), track, value);
