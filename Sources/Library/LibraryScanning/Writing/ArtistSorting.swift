// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import GRDB
import LibraryIndex
import UnicodeText

/// Gives all albums of an artist the same place in the order of artists, although the tags of only some of them may
/// state a sort name. These are the albums of all libraries in the index, which share the artist.
///
/// The sort name that most of the artist's albums state counts for all of them, and for the artist. If there is a tie,
/// the first one in the order of their search words does.
final class ArtistSorting {
  private let plan: ScanPlan
  private let disagreeing: IndexStatement
  private let albums: IndexStatement
  private let sortNames: IndexStatement
  private let albumUpdate: IndexStatement
  private let artist: IndexStatement
  private let artistUpdate: IndexStatement
  private var changed: Set<String> = []

  init(_ database: Database, plan: ScanPlan) {
    self.plan = plan
    disagreeing = IndexStatement(
      database,
      """
      SELECT artist_key FROM album WHERE artist_key <> '' GROUP BY artist_key
      HAVING count(DISTINCT substr(sort, 1, instr(sort, x'00'))) > 1
      """)
    albums = IndexStatement(
      database,
      """
      SELECT id, artist, sort, sort_artist_key FROM album INDEXED BY album_artist_key
      WHERE library IN (SELECT id FROM library) AND artist_key = ? ORDER BY id
      """)
    sortNames = IndexStatement(
      database, "SELECT sort_album_artist, sort_artist FROM track WHERE album = ? ORDER BY place")
    albumUpdate = IndexStatement(
      database, "UPDATE album SET \(RowChecksum.album.assignments(["sort": "?1"])) WHERE id = ?2")
    artist = IndexStatement(database, "SELECT id, name, sort FROM artist WHERE key = ?")
    artistUpdate = IndexStatement(
      database, "UPDATE artist SET \(RowChecksum.names(.artists).assignments(["sort": "?1"])) WHERE id = ?2")
  }

  /// Records that an album of the artist with these search words was written or removed.
  func markChanged(_ artistKey: String) {
    // After the first scan of a library, those that disagree are all.
    if plan.isKnown, !artistKey.isEmpty { changed.insert(artistKey) }
  }

  /// Sorts the albums of all artists whose albums disagree or have changed. Call it in the transaction of the changes.
  func run() throws {
    var keys = changed
    changed = []
    if plan.scope == .everything || !plan.isKnown {
      while try disagreeing.step() { keys.insert(disagreeing.text(0)) }
    }
    for key in keys { try sortAlbums(ofArtist: key) }
  }

  private struct SortedAlbum {
    let id: Int64
    let artist: String
    let sort: [UInt8]
    /// The search words of the sort name that its tags state.
    let statedKey: String?
  }

  private func sortAlbums(ofArtist key: String) throws {
    let found = try albums.all(key) { row in
      SortedAlbum(id: row.integer(0), artist: row.text(1), sort: row.bytes(2), statedKey: row.optionalText(3))
    }
    let sortName = try sortName(of: found)
    var hasChanged = false
    for album in found {
      let wanted = AlbumOrder.artistKey(album.artist, sortName: sortName)
      let sort = album.sort.sorted(underArtistOf: wanted)
      if sort == album.sort { continue }
      hasChanged = true
      try albumUpdate.run(sort, album.id)
    }
    if sortName != nil || hasChanged { try sort(artist: key, by: sortName) }
  }

  /// Returns the sort name that most of these albums state; `nil` if none does.
  private func sortName(of albums: [SortedAlbum]) throws -> String? {
    var counts: [String: Int] = [:]
    for case let key? in albums.map(\.statedKey) { counts[key, default: 0] += 1 }
    guard let key = counts.min(by: { ($1.value, $0.key) < ($0.value, $1.key) })?.key else { return nil }
    for album in albums where album.statedKey == key {
      sortNames.bind(album.id)
      defer { sortNames.reset() }
      while try sortNames.step() {
        for case let name? in [sortNames.optionalText(0), sortNames.optionalText(1)] where name.searchWords == key {
          return name
        }
      }
    }
    return nil
  }

  private func sort(artist key: String, by sortName: String?) throws {
    guard let (id, name, sort) = try artist.first(key, read: { ($0.integer(0), $0.text(1), $0.bytes(2)) }) else {
      return
    }
    let wanted = AlbumOrder.nameKey(name, sortName: sortName)
    if sort != wanted { try artistUpdate.run(wanted, id) }
  }
}

extension [UInt8] {
  /// Returns this sort key of an album with the artist of another one. The part that sorts the artist ends before the
  /// first zero byte.
  func sorted(underArtistOf other: [UInt8]) -> [UInt8] { other.prefix { $0 != 0 } + drop { $0 != 0 } }
}
