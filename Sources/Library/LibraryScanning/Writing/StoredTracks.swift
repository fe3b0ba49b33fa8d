import GRDB
import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import Tagging

/// What the index holds of the tracks that files were: found, removed and given other names.
final class StoredTracks {
  /// The row of a track, as far as it tells what the track was.
  struct Row {
    let added: Int64
    let key: String
    let release: String?
    let album: Int64?
    /// Its place there.
    let place: Int?
    let path: RelativePath
    let directory: Int64
    /// -1 for the whole file.
    let segment: Int64
    /// The state of its file.
    let state: FileState
    /// As it is shown.
    let shown: ShownFields
    /// What its tags say of that.
    let tagged: ShownFields
  }

  /// A track with its number.
  typealias Numbered = (id: Int64, row: Row)

  /// What of a row does not come from the file, and the state of that.
  private static let passedOver = Set(
    ["id", "library", "size", "mtime", "inode", "device", "added", "grouped", "album", "place"]
      .compactMap { TrackRows.columns.firstIndex(of: $0).map(Int32.init) })

  private let plan: ScanPlan
  private let rows: TrackRows
  private let selection: IndexStatement
  private let fileSelection: IndexStatement
  private let comparison: LateStatement
  private let loudness: IndexStatement
  private let loudnessDeletion: LateStatement
  private let parking: LateStatement

  init(_ database: Database, plan: ScanPlan, rows: TrackRows) throws {
    self.plan = plan
    self.rows = rows
    selection = try IndexStatement(
      database,
      """
      SELECT added, group_key, release, album, name, directory.path, directory, segment, place, size, track.mtime, inode, device,
        title, number, number_total, disc, disc_total, derived
      FROM track JOIN directory ON directory.id = track.directory WHERE track.id = ?
      """)
    fileSelection = try IndexStatement(
      database, "SELECT id FROM track WHERE directory = ? AND name = ? ORDER BY segment")
    comparison = LateStatement(
      database, "SELECT \(TrackRows.columns.joined(separator: ", ")) FROM track WHERE id = ?")
    loudness = try IndexStatement(database, "UPDATE OR REPLACE loudness SET path = ? WHERE path = ?")
    loudnessDeletion = LateStatement(database, "DELETE FROM loudness WHERE path = ?")
    parking = LateStatement(database, "UPDATE track SET name = ? WHERE id = ?")
  }

  /// The row of a track; `nil` where there is none.
  func row(_ id: Int64) throws -> Row? {
    selection.bind(id)
    defer { selection.reset() }
    guard try selection.step() else { return nil }
    let path = RelativePath(selection.bytes(5)).appending(selection.bytes(4))
    let shown = ShownFields(
      title: selection.text(13), number: selection.ordinal(14), disc: selection.ordinal(16))
    return Row(
      added: selection.integer(0), key: selection.text(1), release: selection.optionalText(2),
      album: selection.optionalInteger(3), place: selection.optionalInteger(8).map { Int($0) }, path: path,
      directory: selection.integer(6), segment: selection.integer(7), state: selection.state(9), shown: shown,
      tagged: DerivedFields(rawValue: selection.integer(18)).removed(from: shown, of: plan.absolute(path)))
  }

  /// The tracks of the file that `identity` says.
  func tracks(of identity: TrackIdentity) throws -> [Numbered] {
    guard let id = identity.id, let row = try row(id) else { return [] }
    if row.segment < 0 { return [(id, row)] }
    return try tracks(ofFileOf: row, id).compactMap { id in try self.row(id).map { (id, $0) } }
  }

  /// Whether all that is to be written of a track is in its row, but for the state of the file.
  func holds(_ track: PendingTrack, _ row: Row) throws -> Bool {
    let comparison = try comparison.get()
    guard row.tagged == ShownFields(track.record.track) else { return false }
    comparison.bind(track.id)
    defer { comparison.reset() }
    guard try comparison.step() else { return false }
    var values = RowComparison(comparison, passingOver: Self.passedOver)
    track.bind(to: &values, library: plan.library, shown: row.shown, placement: nil, isGrouped: false)
    return values.isSame
  }

  /// The numbers of the tracks of the file of which the one with `id`, which `row` is, is one; by where they begin.
  func tracks(ofFileOf row: Row, _ id: Int64) throws -> [Int64] {
    if row.segment < 0 { return [id] }
    fileSelection.bind(row.directory)
    fileSelection.bind(Array(row.path.name))
    var ids: [Int64] = []
    while try fileSelection.step() { ids.append(fileSelection.integer(0)) }
    return ids
  }

  /// Removes a track, and says what that loosens; gives what it was.
  func remove(_ id: Int64, _ loosened: inout DirtyGroups) throws -> Row? {
    guard let row = try row(id) else { return nil }
    _ = try remove((id, row), &loosened)
    return row
  }

  /// Removes a track, and says what that loosens; gives where it was.
  func remove(_ track: Numbered, _ loosened: inout DirtyGroups) throws -> FormerTrack? {
    loosened.insert(track.row)
    return FormerTrack(track.row, try rows.delete(track.id))
  }

  /// Gives a track whose name belongs to another file a name that no file has, until its own is met, or it is gone.
  func park(_ id: Int64, _ directory: Int64, _ path: RelativePath, _ name: [UInt8]) throws {
    guard let row = try row(id), row.directory == directory, Array(row.path.name) == name else { return }
    let place = [0] + Array("\(id)".utf8)
    let parking = try parking.get()
    for track in try tracks(ofFileOf: row, id) {
      parking.bind(place)
      parking.bind(track)
      try parking.run()
    }
    try rename(path.appending(name), to: path.appending(place))
  }

  /// Has what was measured of a file follow it.
  func rename(_ old: RelativePath, to new: RelativePath) throws {
    loudness.bind(new.absolute(in: plan.root))
    loudness.bind(old.absolute(in: plan.root))
    try loudness.run()
  }

  /// Forgets what was measured of a file.
  func forgetLoudness(of path: RelativePath) throws {
    let loudnessDeletion = try loudnessDeletion.get()
    loudnessDeletion.bind(path.absolute(in: plan.root))
    try loudnessDeletion.run()
  }

  /// Which of the tracks that a file was, by its place, each of those that it is now was; none twice.
  ///
  /// A part of a file is the one that began where it begins, or else the one of its number; the whole is no part.
  static func places(of records: [TrackRecord], in stored: [Numbered]) -> [Int?] {
    // Nearly always.
    if stored.isEmpty { return records.map { _ in nil } }
    var bySegment: [Int64: Int] = [:]
    var byNumber: [Int: Int] = [:]
    for (place, track) in stored.enumerated() { bySegment[track.row.segment] = place }
    var places = records.map { bySegment.removeValue(forKey: Int64($0.track.segment?.start ?? -1)) }
    for (place, track) in stored.enumerated() where track.row.segment >= 0 {
      if bySegment[track.row.segment] == place, let number = track.row.shown.number?.number {
        byNumber[number] = place
      }
    }
    for (index, record) in records.enumerated() where places[index] == nil && record.track.segment != nil {
      places[index] = (record.track.number?.number).flatMap { byNumber.removeValue(forKey: $0) }
    }
    return places
  }
}

/// What a track was that was read anew: where it stays until the group is decided that it is in now.
final class FormerTrack {
  /// The album that it was in, and its place there.
  let placement: TrackRows.Placement
  /// What its tags said.
  let tagged: ShownFields
  /// What grouping made of that.
  let shown: ShownFields
  /// By what it was found as one of the album.
  let words: TrackWords

  /// What `row` with these words was; `nil` where it was in no album.
  init?(_ row: StoredTracks.Row, _ words: TrackWords?) {
    guard let album = row.album, let place = row.place, let words else { return nil }
    placement = TrackRows.Placement(album: album, place: place)
    tagged = row.tagged
    shown = row.shown
    self.words = words
  }
}

/// What has to be grouped again after tracks were removed, or became others.
struct DirtyGroups {
  /// The keys of the tracks.
  var keys: Set<String> = []
  /// Their releases.
  var releases: Set<String> = []
  /// The albums that they were in.
  var albums: Set<Int64> = []

  /// Adds what depends on a track.
  mutating func insert(_ row: StoredTracks.Row) {
    keys.insert(row.key)
    if let release = row.release { releases.insert(release) }
    if let album = row.album { albums.insert(album) }
  }
}

/// Which tracks turned up under other names than theirs: each is one file's alone.
final class TrackClaims {
  private let tracks: StoredTracks
  private var claimed: Set<Int64> = []

  /// No track has turned up yet.
  init(_ tracks: StoredTracks) { self.tracks = tracks }

  /// Whether a track has turned up, and so is not gone.
  func contains(_ id: Int64) -> Bool { claimed.contains(id) }

  /// Says that tracks have turned up.
  func insert(_ ids: [Int64]) { claimed.formUnion(ids) }

  /// Which track a file is, after others may have laid claim to the same one; makes room for its name.
  func resolve(
    _ identity: TrackIdentity, _ visit: DirectoryVisit, _ name: [UInt8]
  ) throws -> TrackIdentity {
    // What was known may have been moved elsewhere since.
    if case .known(let id) = identity, claimed.contains(id) { return .new }
    guard case .moved(let id, let displaced) = identity else { return identity }
    if claimed.insert(id).inserted {
      if let displaced, let directory = visit.id { try tracks.park(displaced, directory, visit.path, name) }
      return identity
    }
    guard let displaced, claimed.insert(displaced).inserted else { return .new }
    return .known(displaced)
  }
}
