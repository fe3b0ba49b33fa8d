// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import MusicModel
import Tagging

/// Finds the tracks that depend on each other's grouping: those that share a group key or a release, directly or
/// through other tracks.
final class RelatedTrackFinder {
  /// A group waits until everything has been read if it has more than `limit` stored tracks, and more than
  /// `limitFactor` stored tracks for each new one.
  private static let limit = 50
  private static let limitFactor = 2

  /// The SQL condition that a track has additional tags by which tracks are grouped.
  private static let hasGroupingTags = [AdditionalTags.Kind.artistCredit, .albumArtistCredit, .discSubtitle]
    .map(\.isInTags).joined(separator: " OR ")

  private let plan: ScanPlan
  private let ids: IndexStatement
  private let rows: IndexStatement
  private let releaseKeys: IndexStatement

  private var pending: [PendingTrack] = []
  private var byKey = IndicesByText()
  private var byRelease = IndicesByText()
  private var seen: Set<ByteText> = []

  init(_ database: Database, plan: ScanPlan) {
    self.plan = plan
    ids = IndexStatement(
      database, "SELECT id FROM track WHERE library = ? AND group_key = ? LIMIT ?")
    rows = IndexStatement(
      database,
      """
      SELECT \(StoredTrack.columnsBeforeTags), CASE WHEN \(Self.hasGroupingTags) THEN tags END, derived, place, grouped
      FROM track \(StoredTrack.tables) WHERE track.library = ? AND group_key = ?
      """)
    releaseKeys = IndexStatement(
      database,
      "SELECT DISTINCT group_key FROM track INDEXED BY track_release WHERE library = ? AND release = ?")
  }

  /// Starts again with these pending tracks, which are not in the index yet. The tracks in the ranges `written` are
  /// left out: they already have their albums, and nothing depends on them.
  func begin(_ pending: [PendingTrack], except written: [Range<Int>]) {
    self.pending = pending
    byKey = IndicesByText()
    byRelease = IndicesByText()
    seen = []
    var start = 0
    for part in written {
      for index in start..<part.lowerBound { add(index) }
      start = part.upperBound
    }
    for index in start..<pending.count { add(index) }
  }

  private func add(_ index: Int) {
    let record = pending[index].record
    byKey.add(index, under: record.groupKey)
    if let release = record.track.musicBrainzAlbumID { byRelease.add(index, under: release) }
  }

  /// The group keys of the pending tracks, in order.
  var pendingKeys: [String] { byKey.texts }

  /// Returns the group keys of the tracks of this release.
  func keys(ofRelease release: String) throws -> [String] {
    var keys = byRelease[release].map { pending[$0].record.groupKey }
    keys += try releaseKeys.all(plan.library, release) { $0.text(0) }
    return keys
  }

  /// A group of tracks that depend on each other.
  struct RelatedGroup {
    /// The tracks of the group; `nil` if it has many more stored tracks than new ones.
    let members: [GroupMember]?
    let keys: [String]
    /// The indexes of the pending tracks in the group.
    let pending: [Int]
  }

  /// Returns the group of the tracks that depend on those with this group key; an empty group if it was returned
  /// before.
  ///
  /// - Parameter isLimited: Whether to leave out the members of very large groups.
  func members(of key: String, isLimited: Bool) throws -> RelatedGroup {
    var found: [GroupMember] = []
    var keys: [String] = []
    var open = [key]
    var releases: Set<String> = []
    var newCount = 0
    var storedCount = 0
    var isTooLarge = false
    while let key = open.popLast() {
      guard seen.insert(ByteText(key)).inserted else { continue }
      keys.append(key)
      let start = found.count
      for index in byKey[key] { found.append(member(index)) }
      newCount += found.count - start
      if isLimited {
        let bound = max(Self.limit, Self.limitFactor * newCount)
        storedCount += try count(key, upTo: bound + 1)
        isTooLarge = isTooLarge || storedCount > bound
      }
      if !isTooLarge { try load(key, into: &found) }
      var last: String?
      for member in found[start...] {
        guard let release = member.track.musicBrainzAlbumID, release != last else { continue }
        last = release
        guard releases.insert(release).inserted else { continue }
        open += try self.keys(ofRelease: release)
      }
    }
    return RelatedGroup(members: isTooLarge ? nil : found, keys: keys, pending: keys.flatMap { byKey[$0] })
  }

  private func count(_ key: String, upTo limit: Int) throws -> Int {
    ids.bind(plan.library, key, limit)
    var count = 0
    while try ids.step() { count += 1 }
    return count
  }

  private func member(_ index: Int) -> GroupMember {
    let track = pending[index]
    return GroupMember(
      id: track.id, track: track.record.track, added: track.added,
      duration: track.duration, stored: nil, formerAlbum: track.former?.placement.album, pending: index)
  }

  private func load(_ key: String, into found: inout [GroupMember]) throws {
    rows.bind(plan.library, key)
    while try rows.step() {
      let entry = StoredTrack.entry(rows)
      var track = entry.track
      DerivedFields(rawValue: rows.integer(36)).remove(from: &track)
      found.append(
        GroupMember(
          id: entry.id, track: track, added: entry.added, duration: rows.optionalInteger(27),
          stored: GroupMember.Stored(
            album: entry.albumID, place: rows.optionalInteger(37).map { Int($0) }, isGrouped: rows.integer(38) != 0,
            shown: entry.track),
          formerAlbum: entry.albumID, pending: nil))
    }
  }
}

extension IndexStatement {
  /// Returns the number in this column, with the total in the next column.
  func ordinal(_ column: Int32) -> Ordinal? {
    optionalInteger(column).map { Ordinal(Int($0), of: optionalInteger(column + 1).map { Int($0) }) }
  }
}

/// A track to be grouped: one that was just read, or one from the index.
///
/// This is a class because copying a track takes time.
final class GroupMember {
  /// The values in the index that are not used for grouping.
  struct Stored {
    /// The ID of the album that the track was in; `nil` if it was in none.
    var album: Int64?
    /// The index of the track in that album.
    var place: Int?
    /// Whether the album follows from the track's current tags.
    var isGrouped: Bool
    /// The track as shown to users, including the values derived by grouping.
    var shown: Track
  }

  let id: Int64
  let track: Track
  let added: Int64
  /// The duration in milliseconds.
  let duration: Int64?
  /// The stored values; `nil` for a track that was just read.
  let stored: Stored?
  /// The ID of the album that the track was in; `nil` if it was in none.
  let formerAlbum: Int64?
  /// The index of the track among the pending ones; `nil` for a track from the index.
  let pending: Int?

  init(
    id: Int64, track: Track, added: Int64, duration: Int64?, stored: Stored?, formerAlbum: Int64?,
    pending: Int?
  ) {
    self.id = id
    self.track = track
    self.added = added
    self.duration = duration
    self.stored = stored
    self.formerAlbum = formerAlbum
    self.pending = pending
  }
}

/// Collects numbers by text. It is fast if numbers with the same text are usually added one after another.
struct IndicesByText {
  private var indexes: [ByteText: Int] = [:]
  private var lists: [[Int]] = []
  private var last: (text: ByteText, index: Int)?
  /// The texts, in the order in which they were first added.
  private(set) var texts: [String] = []

  mutating func add(_ number: Int, under text: String) {
    let text = ByteText(text)
    if let last, last.text == text { return lists[last.index].append(number) }
    let index = indexes[text] ?? lists.count
    if index == lists.count {
      indexes[text] = index
      lists.append([])
      texts.append(text.text)
    }
    last = (text, index)
    lists[index].append(number)
  }

  /// The numbers that were added for this text.
  subscript(_ text: String) -> [Int] { indexes[ByteText(text)].map { lists[$0] } ?? [] }
}
