// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB

/// The tables by which what is known of a track follows its file.
///
/// - `missing_track` contains the tracks whose files are missing, with what identifies them, for a year. Their
///   stickers and their loudness measurements remain, too. A track that is found again gets its ID back.
/// - `file_move` contains the moves of files for a year, so that queues and playlists can follow. The moves that one
///   scan found have the same number `scan`: they happened at the same time, like the two of a swap.
/// - `followed_move` notes which moves the saved playlists follow already. `followed_playlist` notes, before one of
///   them is written, its checksums before and afterwards: a process that is killed then may have written it or not.
/// - `unfinished_scan` contains the libraries whose last scan was interrupted before it knew what is missing.
/// - `renamed_library` contains the libraries whose directories were renamed, each with the one that continues it.
package enum IdentityTables {
  static let creation = """
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
    """

  static let migration = "ALTER TABLE track ADD COLUMN sound INTEGER;\n" + creation

  /// The time for which missing tracks and moves are remembered, in seconds.
  package static let memory: Int64 = 365 * 24 * 60 * 60

  /// The columns of a track that identify it, in the order of `missing_track` from `segment` to `duration`.
  package static let evidence = """
    segment, size, track.mtime, nullif(sound, 0),
    CASE WHEN json_valid(tags) THEN json_extract(tags, '$.MUSICBRAINZ_TRACKID[0]') || char(31) || group_key END,
    title_key || char(31) || artists || char(31) || group_key || char(31) || ifnull(disc, '') || '-' || ifnull(number, ''),
    duration
    """
}
