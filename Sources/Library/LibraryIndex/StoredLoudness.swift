// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
public import MusicModel
public import Platform
public import SystemPackage

extension StoredLoudness {
  /// Creates a measurement of the file at `path`, which had this `status` when it was measured.
  public init(
    path: FilePath, status: FileStatus, integrated: Double?, range: Double?, truePeak: Double,
    album: AlbumPart? = nil, sound: MeasuredSound? = nil
  ) {
    self.init(
      path: path, size: status.size, modificationTime: status.modificationTime, integrated: integrated,
      range: range, truePeak: truePeak, album: album, sound: sound)
  }

  /// Whether the file with this status is unchanged since it was measured, judging by size and modification time.
  public func isCurrent(for status: FileStatus) -> Bool {
    status.kind == .regular && status.size == size && status.modificationTime == modificationTime
  }

  /// Returns a hash that identifies an album by the paths of its files, whatever their order. A collision is
  /// practically impossible.
  public static func key(ofAlbum paths: [FilePath]) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for name in paths.map(\.systemBytes).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      for byte in name + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return Int64(bitPattern: hash)
  }
}

/// The table `loudness`: one row for each measured file.
enum LoudnessTable {
  /// The columns of the table, in their order.
  static let columns = [
    "path", "size", "mtime", "loudness", "range", "true_peak", "album_key", "album_loudness", "album_peak",
    "sound_threshold", "sound_rate", "sound_start", "sound_end", "frame_count",
  ]

  /// The number of columns in the first version.
  static let originalCount = 9
  /// The table of the first version.
  static let originalCreation = table(with: "")
  static let creation = table(
    with: """
      ,
        sound_threshold REAL,        -- dB; what is below counts as silence
        sound_rate INTEGER,          -- Hz
        sound_start INTEGER,         -- the first frame that is not silent
        sound_end INTEGER,           -- the frame after the last one
        frame_count INTEGER          -- of the file
      """)

  private static func table(with columns: String) -> String {
    """
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
      \(columns)
    ) WITHOUT ROWID
    """
  }

  /// The SQL statements that add the columns that the first version did not have.
  static let soundMigration = """
    ALTER TABLE loudness ADD COLUMN sound_threshold REAL;
    ALTER TABLE loudness ADD COLUMN sound_rate INTEGER;
    ALTER TABLE loudness ADD COLUMN sound_start INTEGER;
    ALTER TABLE loudness ADD COLUMN sound_end INTEGER;
    ALTER TABLE loudness ADD COLUMN frame_count INTEGER;
    """

  static let selection = "SELECT \(columns.dropFirst().joined(separator: ", ")) FROM loudness WHERE path = ?"

  static let insertion = "INSERT OR REPLACE INTO loudness VALUES \(placeholders)"
  /// The SQL statement that inserts a row unless the file already has one.
  static let addition = "INSERT OR IGNORE INTO loudness VALUES \(placeholders)"
  private static let placeholders = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"

  static func arguments(_ value: StoredLoudness) -> StatementArguments {
    [
      Data(value.path.systemBytes), value.size, value.modificationTime, value.integrated, value.range,
      value.truePeak,
      value.album?.key, value.album?.integrated, value.album?.truePeak,
      value.sound?.threshold, value.sound?.sampleRate, value.sound?.frames.lowerBound, value.sound?.frames.upperBound,
      value.sound?.frameCount,
    ]
  }

  /// Returns the measurement in a row, or `nil` if another program wrote invalid values into it.
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
      truePeak: peak, album: album, sound: sound(row))
  }

  private static func sound(_ row: Row) -> MeasuredSound? {
    guard let threshold = number(row, 8), let rate = Int.fromDatabaseValue(row[9]),
      let start = Int64.fromDatabaseValue(row[10]), let end = Int64.fromDatabaseValue(row[11]),
      let count = Int64.fromDatabaseValue(row[12])
    else { return nil }
    return MeasuredSound(threshold: threshold, sampleRate: rate, from: start, to: end, of: count)
  }

  private static func number(_ row: Row, _ index: Int) -> Double? {
    Double.fromDatabaseValue(row[index]).flatMap { $0.isFinite ? $0 : nil }
  }
}
