// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
import MusicModel
import Platform
import Tagging

/// Remembers the tracks whose files are missing, and where files were moved; see `IdentityTables`.
final class TrackMemory {
  private let library: Int64
  private let database: Database
  private let now: Int64
  private let insertion: IndexStatement
  private let deletion: IndexStatement
  private let selection: IndexStatement
  private let candidates: IndexStatement
  private let copies: IndexStatement
  private let twins: IndexStatement
  private let stickers: IndexStatement
  private let moveInsertion: IndexStatement
  private let moveContinuation: IndexStatement
  private var lastMove: [UInt8] = []

  /// The SQL expression for the highest ID that has been used. The IDs of missing tracks, and those that still have
  /// stickers, are not used again.
  static let lastID = """
    max(ifnull((SELECT max(id) FROM track), 0), ifnull((SELECT max(id) FROM missing_track), 0),
      ifnull((SELECT max(track) FROM sticker), 0))
    """

  private static let columns = "id, library, path, segment, size, mtime, sound, recording, names, duration"

  /// Creates the memory of a scan of a library that takes place `now`, in seconds since 1970.
  init(_ database: Database, library: Int64, now: Int64) throws {
    self.database = database
    self.library = library
    self.now = now
    insertion = IndexStatement(
      database,
      """
      INSERT OR REPLACE INTO missing_track
      SELECT ?2, ?3, ?4, \(IdentityTables.evidence), added, ?5 FROM track WHERE id = ?1
      """)
    deletion = IndexStatement(database, "DELETE FROM missing_track WHERE id = ?")
    selection = IndexStatement(
      database,
      """
      SELECT \(Self.columns), added, (SELECT root FROM library WHERE id = library) FROM missing_track WHERE id = ?
      """)
    candidates = IndexStatement(
      database,
      """
      SELECT \(Self.columns) FROM missing_track WHERE library = ?1 AND path = ?2 OR size = ?3 AND mtime = ?4
        OR sound = ?5 OR recording = ?6 OR names = ?7
      """)
    copies = IndexStatement(
      database,
      """
      SELECT track.id, library.id, root, directory.path, name
      FROM track JOIN library ON library.id = track.library JOIN directory ON directory.id = track.directory
      WHERE sound = ?1 AND sound <> 0 AND segment = ?2 AND NOT is_absent LIMIT 2
      """)
    moveInsertion = IndexStatement(
      database, "INSERT INTO file_move (scan, former, present, is_directory) VALUES (?, ?, ?, ?)")
    moveContinuation = IndexStatement(database, "UPDATE file_move SET present = ? WHERE scan = ?")
    stickers = IndexStatement(database, "SELECT 1 FROM sticker WHERE track = ?")
    twins = IndexStatement(database, "SELECT count(*) FROM missing_track WHERE sound = ? AND segment = ?")
  }

  /// Adds a track whose row is still in the table of tracks, and whose file had the path `path`.
  func add(_ id: Int64, _ path: RelativePath) throws {
    try add(id, as: id, path)
  }

  /// Adds a copy of a track of another library, with an ID of its own and its stickers, as a missing track of this one.
  func addCopy(of id: Int64) throws {
    guard
      let row = try Row.fetchOne(
        database,
        sql:
          "SELECT \(Self.lastID), path, name FROM track JOIN directory ON directory.id = directory WHERE track.id = ?",
        arguments: [id]), let last = row.long(0), let directory = Data.fromDatabaseValue(row[1]),
      let name = Data.fromDatabaseValue(row[2])
    else { return }
    try add(id, as: last + 1, RelativePath(Array(directory)).appending(name))
    try database.execute(
      sql: "INSERT INTO sticker SELECT ?, name, value FROM sticker WHERE track = ?", arguments: [last + 1, id])
  }

  /// Whether a track has stickers.
  func hasStickers(_ id: Int64) throws -> Bool { try stickers.hasRow(id) }

  private func add(_ id: Int64, as missing: Int64, _ path: RelativePath) throws {
    try insertion.run(id, missing, library, path.bytes, now)
  }

  /// Removes a track that is missing no longer. Returns the absolute path of its file, and when it was added; `nil` if
  /// it is not missing.
  func take(_ id: Int64) throws -> (path: [UInt8], added: Int64)? {
    try selection.first(id) { row in
      let path = RelativePath(row.bytes(2)).absolute(in: row.bytes(11))
      let added = row.integer(10)
      try deletion.run(id)
      return (path, added)
    }
  }

  /// Returns which of the tracks with an ID above `last` are tracks that were missing, be they in `removed`, which this
  /// scan found missing, or missing for longer. Tracks that were carried over are known, and therefore not new.
  func matches(
    of removed: [Int64: StoredTracks.Row], newTracksAfter last: Int64
  ) throws -> [(missing: Int64, new: Int64)] {
    guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM missing_track)") == true else { return [] }
    let new = try newTracks(after: last)
    if new.isEmpty { return [] }
    // What only an interrupted scan has seen is the last that it may be.
    let ids = removed.keys.sorted()
    let (recent, seen) = (
      try ids.filter { $0 <= last }.compactMap(missing), try ids.filter { $0 > last }.compactMap(missing)
    )
    return TrackMatching.pairs([recent, try earlier(than: removed, like: new), seen], new)
  }

  private func newTracks(after last: Int64) throws -> [MatchedTrack] {
    let rows = IndexStatement(
      database,
      """
      SELECT track.id, directory.path, name, \(IdentityTables.evidence)
      FROM track JOIN directory ON directory.id = track.directory WHERE track.id > ?1 AND +track.library = ?2
        AND NOT EXISTS (
          SELECT 1 FROM carried WHERE root = (SELECT root FROM library WHERE id = ?2)
            AND carried.directory = directory.path AND file = track.name AND carried.segment = track.segment)
      """)
    return try rows.all(last, library) { row in
      let path = RelativePath(row.bytes(1)).appending(row.bytes(2))
      return MatchedTrack(id: row.integer(0), path: path, library: library, evidence: TrackEvidence(row, 3))
    }
  }

  private func missing(_ id: Int64) throws -> MatchedTrack? { try selection.first(id, read: Self.track) }

  /// Returns the tracks that earlier scans found missing, and that one of `new` may be.
  private func earlier(than removed: [Int64: StoredTracks.Row], like new: [MatchedTrack]) throws -> [MatchedTrack] {
    var found: [Int64: MatchedTrack] = [:]
    for track in new {
      let evidence = track.evidence
      let all = try candidates.all(
        track.library, track.path.bytes, evidence.size, evidence.modificationTime, evidence.sound, evidence.recording,
        evidence.names, read: Self.track)
      for candidate in all where removed[candidate.id] == nil { found[candidate.id] = candidate }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  private static func track(_ row: IndexStatement) -> MatchedTrack {
    MatchedTrack(
      id: row.integer(0), path: RelativePath(row.bytes(2)), library: row.integer(1), evidence: TrackEvidence(row, 3))
  }

  /// Returns the only track with the same sound as the missing track `id`, such as a copy that was made before the
  /// original was removed, with its library and the absolute path of its file. Returns `nil` if there is none, or if
  /// several tracks, missing or not, have that sound.
  func copy(of id: Int64) throws -> (id: Int64, library: Int64, path: [UInt8])? {
    guard let track = try missing(id), let sound = track.evidence.sound else { return nil }
    guard try twins.first(sound, track.evidence.segment, read: { $0.integer(0) }) == 1 else { return nil }
    let found = try copies.all(sound, track.evidence.segment) { row in
      let path = RelativePath(row.bytes(3)).appending(row.bytes(4)).absolute(in: row.bytes(2))
      return (id: row.integer(0), library: row.integer(1), path: path)
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Records that the file whose first track is `id` was moved. Both paths are absolute.
  func recordMove(of id: Int64, from former: [UInt8], to present: [UInt8]) throws {
    // A file with several tracks is moved once.
    if former == lastMove { return }
    lastMove = former
    // A scan that was interrupted may have found it in yet another place, of which nobody has heard.
    try moveContinuation.run(present, -id)
    if database.changesCount == 0 { try moveInsertion.run(-id, former, present, false) }
  }

  /// Records that a directory was moved with everything in it. Both paths are absolute.
  func recordMove(ofDirectory former: [UInt8], to present: [UInt8]) throws {
    try moveInsertion.run(0, former, present, true)
  }

  /// Gives the recorded moves their number, by which readers find them. It is higher than that of any scan that has
  /// ended before, and than the time of any player that has started before.
  func publishMoves() throws {
    let last = try Int64.fetchOne(database, sql: "SELECT max(scan) FROM file_move") ?? 0
    try database.execute(
      sql: "UPDATE file_move SET scan = ? WHERE scan <= 0", arguments: [max(WallClock.now, last + 1)])
  }

  /// Forgets what happened longer ago than the index remembers.
  func removeExpired() throws {
    let limit = now - IdentityTables.memory
    let tracks = try Int64.fetchAll(database, sql: "SELECT id FROM missing_track WHERE since < ?", arguments: [limit])
    try forget(tracks)
    try database.execute(sql: "DELETE FROM file_move WHERE scan > 0 AND scan < ?", arguments: [limit * 1_000_000_000])
  }

  func forget(_ tracks: [Int64]) throws { try Self.forget(tracks, database) }

  /// Forgets these missing tracks and their stickers. Their plays stay in the log.
  static func forget(_ tracks: [Int64], _ database: Database) throws {
    let statements = [
      StickerTable.orphanDeletion, PlayedTracks.orphaning, "DELETE FROM missing_track WHERE id = ?",
    ].map { IndexStatement(database, $0) }
    for track in tracks {
      for statement in statements { try statement.run(track) }
    }
  }
}
