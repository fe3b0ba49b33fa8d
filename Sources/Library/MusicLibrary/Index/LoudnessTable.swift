import FoundationEssentials
import GRDB
import SystemPackage

/// The table `loudness`: a row for each file that was measured.
enum LoudnessTable {
  static let creation = """
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
    ) WITHOUT ROWID
    """

  static let selection = """
    SELECT size, mtime, loudness, range, true_peak, album_key, album_loudness, album_peak
    FROM loudness WHERE path = ?
    """

  static let insertion = "INSERT OR REPLACE INTO loudness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
  /// The same where there is no row of the file.
  static let addition = "INSERT OR IGNORE INTO loudness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"

  static func arguments(_ value: StoredLoudness) -> StatementArguments {
    [
      Data(value.path.bytes), value.size, value.modificationTime, value.integrated, value.range,
      value.truePeak,
      value.album?.key, value.album?.integrated, value.album?.truePeak,
    ]
  }

  /// The row as a value; what another program may have put there does no harm.
  static func value(_ row: Row, path: FilePath) -> StoredLoudness? {
    guard let size = Int64.fromDatabaseValue(row[0]), let time = Int64.fromDatabaseValue(row[1]),
      let peak = number(row, 4)
    else { return nil }
    let album = Int64.fromDatabaseValue(row[5]).flatMap { key in
      number(row, 7).map {
        StoredLoudness.AlbumPart(key: key, integrated: number(row, 6), truePeak: $0)
      }
    }
    return StoredLoudness(
      path: path, size: size, modificationTime: time, integrated: number(row, 2), range: number(row, 3),
      truePeak: peak, album: album)
  }

  private static func number(_ row: Row, _ index: Int) -> Double? {
    Double.fromDatabaseValue(row[index]).flatMap { $0.isFinite ? $0 : nil }
  }
}
