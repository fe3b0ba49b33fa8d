// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// Finds, removes and renames the tracks of files in the index.
final class StoredTracks {
  /// The values in a track's row that matter when its file is read again.
  struct Row {
    let added: Int64
    let key: String
    let release: String?
    let album: Int64?
    /// The index of the track in its album.
    let place: Int?
    let path: RelativePath
    let directory: Int64
    /// The CD frame at which the track begins; -1 for the whole file.
    let segment: Int64
    /// The state of the track's file when it was read.
    let state: FileState
    /// What identifies the sound of the file; `nil` if it was last read by an earlier version, 0 if it is not known.
    let sound: Int64?
    /// The fields as shown to users.
    let shown: ShownFields
    /// The fields as they are in the tags.
    let tagged: ShownFields

    /// Whether the track has a temporary name, because its name now belongs to another file.
    var isDisplaced: Bool { path.name.first == 0 }

    /// The path that the file had when it was last seen.
    var lastPath: RelativePath {
      guard isDisplaced, let end = path.name.dropFirst().firstIndex(of: 0) else { return path }
      return path.parent.appending(path.name[(end + 1)...])
    }
  }

  /// A track's row with its ID.
  typealias IdentifiedRow = (id: Int64, row: Row)

  /// The columns that do not come from the contents of the file.
  private static let ignoredColumns = Set(
    ["id", "library", "size", "mtime", "inode", "device", "added", "grouped", "album", "place", "sound"]
      .compactMap { TrackRows.columns.firstIndex(of: $0).map(Int32.init) })

  private let plan: ScanPlan
  private let rows: TrackRows
  private let selection: IndexStatement
  private let fileSelection: IndexStatement
  private let comparison: IndexStatement
  private let loudness: IndexStatement
  private let move: IndexStatement
  private let loudnessDeletion: IndexStatement
  private let inheritance: [IndexStatement]
  private let takeover: [IndexStatement]
  private let renaming: IndexStatement
  private let evidence: IndexStatement

  init(_ database: Database, plan: ScanPlan, rows: TrackRows) {
    self.plan = plan
    self.rows = rows
    selection = IndexStatement(
      database,
      """
      SELECT added, group_key, release, album, name, directory.path, directory, segment, place, size, track.mtime, inode, device,
        title, number, number_total, disc, disc_total, derived, sound
      FROM track JOIN directory ON directory.id = track.directory WHERE track.id = ?
      """)
    fileSelection = IndexStatement(
      database, "SELECT id FROM track WHERE directory = ? AND name = ? ORDER BY segment")
    comparison = IndexStatement(
      database,
      "SELECT \(TrackRows.columns.joined(separator: ", ")) FROM track WHERE id = ? AND \(RowChecksum.track.isValid)")
    loudness = IndexStatement(database, "UPDATE OR REPLACE loudness SET path = ? WHERE path = ?")
    loudnessDeletion = IndexStatement(database, "DELETE FROM loudness WHERE path = ?")
    let identity = RowChecksum.track.assignments(["added": "?2", "album": "?3"])
    move = IndexStatement(database, "UPDATE track SET id = ?1, grouped = 0, \(identity) WHERE id = ?4")
    inheritance = [
      TagRatings.concession(of: 1, to: 2), "UPDATE OR IGNORE sticker SET track = ?1 WHERE track = ?2",
      "DELETE FROM sticker WHERE ?1 <> ?2 AND track = ?2", PlayLogTables.takeover,
    ].map { IndexStatement(database, $0) }
    // What was set while the scan was running is newer, but its counts are lower.
    takeover = [
      TagRatings.concession(of: 2, to: 1),
      """
      UPDATE OR REPLACE sticker SET track = ?1 WHERE track = ?2
      AND name NOT IN ('\(Sticker.playCount)', '\(Sticker.skipCount)')
      """,
      "UPDATE OR IGNORE sticker SET track = ?1 WHERE track = ?2", "DELETE FROM sticker WHERE ?1 <> ?2 AND track = ?2",
      PlayLogTables.takeover,
    ].map { IndexStatement(database, $0) }
    evidence = IndexStatement(database, "SELECT \(IdentityTables.evidence) FROM track WHERE id = ?")
    renaming = IndexStatement(
      database, "UPDATE track SET \(RowChecksum.track.assignments(["name": "?1"])) WHERE id = ?2")
  }

  /// Returns the row of a track, or `nil` if there is none.
  func row(_ id: Int64) throws -> Row? {
    try selection.first(id) { row in
      let path = RelativePath(row.bytes(5)).appending(row.bytes(4))
      let shown = ShownFields(title: row.text(13), number: row.ordinal(14), disc: row.ordinal(16))
      return Row(
        added: row.integer(0), key: row.text(1), release: row.optionalText(2), album: row.optionalInteger(3),
        place: row.optionalInteger(8).map { Int($0) }, path: path, directory: row.integer(6), segment: row.integer(7),
        state: row.state(9), sound: row.optionalInteger(19), shown: shown,
        tagged: DerivedFields(rawValue: row.integer(18)).removed(from: shown, of: plan.absolute(path)))
    }
  }

  /// Returns all tracks of the file that has this identity.
  func tracks(of identity: TrackIdentity) throws -> [IdentifiedRow] {
    guard let id = identity.id, let row = try row(id) else { return [] }
    if row.segment < 0 { return [(id, row)] }
    return try tracks(ofFileOf: row, id).compactMap { id in try self.row(id).map { (id, $0) } }
  }

  /// Whether the row of a track already contains all values of `track`, except the state of the file, and its checksum.
  func isUnchanged(_ track: PendingTrack, _ row: Row) throws -> Bool {
    guard row.tagged == ShownFields(track.record.track) else { return false }
    return try comparison.first(track.id) { known in
      let values = RowComparison(known, ignoring: Self.ignoredColumns)
      track.bind(to: values, library: plan.library, shown: row.shown, placement: nil, isGrouped: false)
      return values.isSame
    } ?? false
  }

  /// Whether a file is another piece of music than the track that had its name before: neither the sound nor what the
  /// tags say of it is the same.
  func isReplaced(_ track: IdentifiedRow, by record: TrackRecord) throws -> Bool {
    guard let former = track.row.sound, former != 0, let present = record.fingerprint?.value, former != present else {
      return false
    }
    return try evidence.first(track.id) { !TrackEvidence($0, 0).isSupported(by: TrackEvidence(record)) } ?? false
  }

  /// Returns the IDs of all tracks of the file that contains the track `id`, in the order of their segments.
  func tracks(ofFileOf row: Row, _ id: Int64) throws -> [Int64] {
    if row.segment < 0 { return [id] }
    return try fileSelection.all(row.directory, Array(row.path.name)) { $0.integer(0) }
  }

  /// Removes a track and adds it to the dirty groups. Returns its row.
  func remove(_ id: Int64, _ dirty: inout DirtyGroups) throws -> Row? {
    guard let row = try row(id) else { return nil }
    _ = try remove((id, row), &dirty)
    return row
  }

  /// Removes a track and adds it to the dirty groups. Returns the place that it had in an album, or `nil` if it was in
  /// none.
  func remove(_ track: IdentifiedRow, _ dirty: inout DirtyGroups) throws -> FormerTrack? {
    dirty.insert(track.row)
    return FormerTrack(track.row, try rows.delete(track.id))
  }

  /// Gives a track a temporary name that no file can have, because its name now belongs to another file. The track
  /// keeps this name, which contains the one that it had, until its own file is found, or until it is removed.
  func renameTemporarily(_ id: Int64, _ directory: Int64, _ path: RelativePath, _ name: [UInt8]) throws {
    guard let row = try row(id), row.directory == directory, Array(row.path.name) == name else { return }
    let temporaryName = [0] + Array("\(id)".utf8) + [0] + name
    for track in try tracks(ofFileOf: row, id) { try renaming.run(temporaryName, track) }
    try rename(
      path.appending(name).absolute(in: plan.root), to: path.appending(temporaryName).absolute(in: plan.root))
  }

  /// Moves a file's loudness measurement to a new path. Both paths are absolute.
  func rename(_ old: [UInt8], to new: [UInt8]) throws { try loudness.run(new, old) }

  /// Deletes a file's loudness measurement.
  func deleteLoudness(of path: RelativePath) throws {
    try loudnessDeletion.run(path.absolute(in: plan.root))
  }

  /// Gives the new track `id` the ID `former` that it had, and the place in `album`, until its group is decided.
  func reidentify(_ id: Int64, as former: Int64, added: Int64, album: Int64?) throws {
    try move.run(former, added, album, id)
    for statement in id == former ? [] : takeover { try statement.run(former, id) }
  }

  /// Gives the track `id` the plays of the track `former`, and its stickers except those of which it has its own.
  func inherit(_ id: Int64, from former: Int64) throws {
    for statement in inheritance { try statement.run(id, former) }
  }

  /// Returns, for each current track of a file, the index of the stored track that it corresponds to, or `nil` if there
  /// is none. Each stored track is used at most once.
  ///
  /// A segment corresponds to the stored segment that begins at the same frame or, if there is none, to the one with
  /// the same track number. The track of a whole file corresponds only to that of a whole file.
  static func matches(of records: [TrackRecord], in stored: [IdentifiedRow]) -> [Int?] {
    // This is nearly always the case.
    if stored.isEmpty { return records.map { _ in nil } }
    var bySegment: [Int64: Int] = [:]
    var byNumber: [Int: Int] = [:]
    for (index, track) in stored.enumerated() { bySegment[track.row.segment] = index }
    var matches = records.map { bySegment.removeValue(forKey: Int64($0.track.segment?.start ?? -1)) }
    for (index, track) in stored.enumerated() where track.row.segment >= 0 {
      if bySegment[track.row.segment] == index, let number = track.row.shown.number?.number {
        byNumber[number] = index
      }
    }
    for (index, record) in records.enumerated() where matches[index] == nil && record.track.segment != nil {
      matches[index] = (record.track.number?.number).flatMap { byNumber.removeValue(forKey: $0) }
    }
    return matches
  }
}

/// The former place of a track in an album, where the track stays until its new group is decided.
final class FormerTrack {
  /// The album, and the index of the track in it.
  let placement: TrackRows.Placement
  /// The fields as they were tagged.
  let tagged: ShownFields
  /// The fields as they were shown.
  let shown: ShownFields
  /// The search words of the track in that album.
  let words: TrackWords

  /// Creates the former place of a track, or returns `nil` if the track was in no album.
  init?(_ row: StoredTracks.Row, _ words: TrackWords?) {
    guard let album = row.album, let place = row.place, let words else { return nil }
    placement = TrackRows.Placement(album: album, index: place)
    tagged = row.tagged
    shown = row.shown
    self.words = words
  }
}

/// The group keys, releases and albums whose tracks must be grouped again after tracks were removed or changed.
struct DirtyGroups {
  var keys: Set<String> = []
  var releases: Set<String> = []
  /// The albums that the tracks were in.
  var albums: Set<Int64> = []

  /// Adds the groups that depend on this track.
  mutating func insert(_ row: StoredTracks.Row) {
    keys.insert(row.key)
    if let release = row.release { releases.insert(release) }
    if let album = row.album { albums.insert(album) }
  }
}

/// Assigns each moved track to exactly one new path.
final class TrackClaims {
  private let tracks: StoredTracks
  private var claimed: Set<Int64> = []

  /// Creates an empty set of claims.
  init(_ tracks: StoredTracks) { self.tracks = tracks }

  /// Whether a track has been found elsewhere and is therefore not missing.
  func contains(_ id: Int64) -> Bool { claimed.contains(id) }

  /// Records that these tracks have been found.
  func insert(_ ids: [Int64]) { claimed.formUnion(ids) }

  /// Returns the track that a file corresponds to, considering that another file may already have claimed it. Frees the
  /// file's name if necessary.
  func resolve(
    _ identity: TrackIdentity, _ visit: DirectoryVisit, _ name: [UInt8]
  ) throws -> TrackIdentity {
    // The known track may have been found elsewhere in the meantime.
    if case .known(let id) = identity, claimed.contains(id) { return .new }
    guard case .moved(let id, let displaced) = identity else { return identity }
    if claimed.insert(id).inserted {
      if let displaced, let directory = visit.id {
        try tracks.renameTemporarily(displaced, directory, visit.path, name)
      }
      return identity
    }
    guard let displaced, claimed.insert(displaced).inserted else { return .new }
    return .known(displaced)
  }
}
