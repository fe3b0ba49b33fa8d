import GRDB
import MusicModel
import Platform
import SystemPackage

/// Finds the tracks that depend on each other's grouping: those that share a key or a release, directly or through others.
final class GroupClosure {
  /// A key with more tracks than these, and than some times those to be grouped, waits until everything is read.
  private static let limit = 50
  private static let limitFactor = 2

  private let plan: ScanPlan
  private let ids: IndexStatement
  private let rows: IndexStatement
  private let releaseKeys: IndexStatement

  private var pending: [PendingTrack] = []
  private var former: [Int64: Int64] = [:]
  private var byKey: [ByteText: [Int]] = [:]
  private var byRelease: [String: [Int]] = [:]
  private var seen: Set<ByteText> = []

  init(_ database: Database, plan: ScanPlan) throws {
    self.plan = plan
    ids = try IndexStatement(
      database, "SELECT id FROM track WHERE library = ? AND group_key = ? LIMIT ?")
    rows = try IndexStatement(
      database,
      """
      SELECT track.id, directory.path, track.name, title, artists, album_title, album_artists, genres, composers,
        number, number_total, disc, disc_total, year, month, day, is_compilation, sort_artist, sort_album,
        sort_album_artist, release, added, duration, album, place, grouped, derived, sort_title, segment, segment_end
      FROM track JOIN directory ON directory.id = track.directory
      WHERE track.library = ? AND group_key = ?
      """)
    releaseKeys = try IndexStatement(
      database,
      "SELECT DISTINCT group_key FROM track INDEXED BY track_release WHERE library = ? AND release = ?")
  }

  /// Begins anew, with tracks that are not in the index yet, and the albums that some of them were in.
  func begin(_ pending: [PendingTrack], former: [Int64: Int64]) {
    self.pending = pending
    self.former = former
    byKey = [:]
    byRelease = [:]
    seen = []
    for (index, track) in pending.enumerated() {
      byKey[ByteText(track.record.groupKey), default: []].append(index)
      if let release = track.record.track.musicBrainzAlbumID { byRelease[release, default: []].append(index) }
    }
  }

  /// The keys under which there are tracks of this release.
  func keys(ofRelease release: String) throws -> [String] {
    var keys = (byRelease[release] ?? []).map { pending[$0].record.groupKey }
    releaseKeys.bind(plan.library)
    releaseKeys.bind(release)
    while try releaseKeys.step() { keys.append(releaseKeys.text(0)) }
    return keys
  }

  /// The tracks that depend on those of this key, with their keys; none where they were given before. With a limit, `members` is `nil` where they are many
  /// more than those that are new.
  func members(of key: String, isLimited: Bool) throws -> (members: [GroupMember]?, keys: [String]) {
    var found: [GroupMember] = []
    var keys: [String] = []
    var open = [key]
    var releases: Set<String> = []
    var newCount = 0
    var storedCount = 0
    var isTooMuch = false
    while let key = open.popLast() {
      guard seen.insert(ByteText(key)).inserted else { continue }
      keys.append(key)
      let start = found.count
      for index in byKey[ByteText(key)] ?? [] { found.append(member(index)) }
      newCount += found.count - start
      if isLimited {
        let bound = max(Self.limit, Self.limitFactor * newCount)
        storedCount += try count(key, upTo: bound + 1)
        isTooMuch = isTooMuch || storedCount > bound
      }
      if !isTooMuch { try load(key, into: &found) }
      for member in found[start...] {
        guard let release = member.track.musicBrainzAlbumID, releases.insert(release).inserted else {
          continue
        }
        open += try self.keys(ofRelease: release)
      }
    }
    return (isTooMuch ? nil : found, keys)
  }

  /// The pending tracks of a key.
  func pendingTracks(of key: String) -> [PendingTrack] { (byKey[ByteText(key)] ?? []).map { pending[$0] } }

  private func count(_ key: String, upTo limit: Int) throws -> Int {
    ids.bind(plan.library)
    ids.bind(key)
    ids.bind(limit)
    var count = 0
    while try ids.step() { count += 1 }
    return count
  }

  private func member(_ index: Int) -> GroupMember {
    let track = pending[index]
    return GroupMember(
      id: track.id, track: track.record.track, groupKey: track.record.groupKey, added: track.added,
      duration: track.duration, stored: nil, formerAlbum: former[track.id], pending: index)
  }

  private func load(_ key: String, into found: inout [GroupMember]) throws {
    rows.bind(plan.library)
    rows.bind(key)
    while try rows.step() {
      let path = RelativePath(rows.bytes(1)).appending(rows.bytes(2))
      var track = Track(path: plan.absolute(path), title: rows.text(3))
      track.segment = TrackSegment(
        start: Int(rows.integer(28)), end: rows.optionalInteger(29).map { Int($0) })
      track.artists = rows.text(4).columnValues
      track.album = rows.optionalText(5)
      track.albumArtists = rows.text(6).columnValues
      track.genres = rows.text(7).columnValues
      track.composers = rows.text(8).columnValues
      track.number = rows.ordinal(9)
      track.disc = rows.ordinal(11)
      track.date = rows.optionalInteger(13).flatMap {
        ReleaseDate(
          year: Int($0), month: rows.optionalInteger(14).map { Int($0) },
          day: rows.optionalInteger(15).map { Int($0) })
      }
      track.isCompilation = rows.integer(16) != 0
      track.sortNames.title = rows.optionalText(27)
      track.sortNames.artist = rows.optionalText(17)
      track.sortNames.album = rows.optionalText(18)
      track.sortNames.albumArtist = rows.optionalText(19)
      track.musicBrainzAlbumID = rows.optionalText(20)
      let shown = track
      DerivedFields(rawValue: rows.integer(26)).remove(from: &track)
      let album = rows.optionalInteger(23)
      found.append(
        GroupMember(
          id: rows.integer(0), track: track, groupKey: key, added: rows.integer(21),
          duration: rows.optionalInteger(22),
          stored: GroupMember.Stored(
            album: album, place: rows.optionalInteger(24).map { Int($0) }, isGrouped: rows.integer(25) != 0,
            shown: shown), formerAlbum: album, pending: nil))
    }
  }
}

extension IndexStatement {
  /// The number in this column with the total in the next.
  fileprivate func ordinal(_ column: Int32) -> Ordinal? {
    optionalInteger(column).map { Ordinal(Int($0), of: optionalInteger(column + 1).map { Int($0) }) }
  }
}
