// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import GRDB
import LibraryIndex
import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// Writes the rows of albums, and assigns tracks to albums.
final class AlbumRows {
  /// The number of tracks that are grouped at a time.
  private static let chunkSize = 4_000

  private let plan: ScanPlan
  private let rows: TrackRows
  private let finder: RelatedTrackFinder
  private let insertion: IndexStatement
  private let replacement: IndexStatement
  private let removal: IndexStatement
  private let lastID: IndexStatement
  private let selection: IndexStatement
  private let deferral: AlbumDeferral
  private let postponement: IndexStatement
  private let postponed: IndexStatement
  private var nextID: Int64 = 1
  private var maker = TrackRecordMaker()
  /// The results of grouping the pending tracks so far, at the same indexes.
  private var prepared: [NewTrack?] = []
  private let artists: ArtistSorting
  private let artistOfAlbum: IndexStatement
  private var independence = IndependenceCheck()
  private let ratings: AlbumRatings
  /// The albums whose tracks may have changed.
  private var regrouped: Set<Int64> = []

  init(_ database: Database, plan: ScanPlan, rows: TrackRows, deferral: AlbumDeferral) throws {
    self.plan = plan
    self.rows = rows
    self.deferral = deferral
    finder = RelatedTrackFinder(database, plan: plan)
    // REPLACE is used only where necessary. SQLite must be able to roll it back by itself, which is expensive; see
    // ``IndexStatement/insert()``.
    let columns = NewAlbum.columns.joined(separator: ", ")
    let row = "INTO album (\(columns), checksum) VALUES \(Optional(RowChecksum.album).row(of: NewAlbum.columns))"
    selection = IndexStatement(
      database, "SELECT \(columns) FROM album WHERE id = ? AND \(RowChecksum.album.isValid)")
    insertion = IndexStatement(database, "INSERT \(row)")
    replacement = IndexStatement(database, "INSERT OR REPLACE \(row)")
    removal = IndexStatement(
      database, "DELETE FROM album WHERE id = ? AND NOT EXISTS (SELECT 1 FROM track WHERE album = ?)")
    artists = ArtistSorting(database, plan: plan)
    ratings = try AlbumRatings(database)
    artistOfAlbum = IndexStatement(database, "SELECT artist_key FROM album WHERE id = ?")
    lastID = IndexStatement(database, "SELECT max(id) FROM album")
    postponement = IndexStatement(
      database,
      "UPDATE track SET grouped = 0 WHERE id = (SELECT id FROM track WHERE library = ? AND group_key = ? LIMIT 1)"
    )
    postponed = IndexStatement(
      database, "SELECT group_key FROM track INDEXED BY track_ungrouped WHERE library = ? AND grouped = 0")
  }

  /// Returns the group keys of the tracks that are not grouped yet.
  func postponedKeys() throws -> Set<String> {
    Set(try postponed.all(plan.library) { $0.text(0) })
  }

  /// Gives all albums of an artist the same place in the order of artists.
  func sortArtists() throws { try artists.run() }

  /// Releases the memory of the pending tracks.
  func forget() { finder.begin([], except: []) }

  /// Groups all tracks that depend on the dirty groups or on the pending tracks, and writes the rows of the pending
  /// tracks. Albums that become empty are removed.
  ///
  /// - Parameters:
  ///   - parts: The ranges of pending tracks that a first scan has read together, with their albums.
  ///   - isFinal: Whether everything has been read, so that no group has to wait.
  func group(
    _ dirty: DirtyGroups, _ pending: [PendingTrack] = [], in parts: [ReadPart] = [], isFinal: Bool
  ) throws {
    while try lastID.step() { nextID = lastID.integer(0) + 1 }
    prepared = Array(repeating: nil, count: pending.count)
    var touched = dirty.albums
    finder.begin(pending, except: try writeIndependent(parts, pending))
    var open = Array(dirty.keys)
    for release in dirty.releases { open += try finder.keys(ofRelease: release) }
    var found: [RelatedTrackFinder.RelatedGroup] = []
    var count = 0
    for key in finder.pendingKeys + open {
      let group = try finder.members(of: key, isLimited: !isFinal)
      guard !group.keys.isEmpty else { continue }
      found.append(group)
      count += group.members?.count ?? 0
      // If groups may have to wait, all groups must be found before it is decided which of them do.
      if count >= Self.chunkSize, isFinal || !plan.isKnown {
        try writeReady(found, pending, isFinal: isFinal, touched: &touched)
        found = []
        count = 0
      }
    }
    try writeReady(found, pending, isFinal: isFinal, touched: &touched)
    try rows.insert(prepared.compactMap { $0 }, library: plan.library)
    prepared = []
    for id in regrouped { try ratings.settle(id) }
    regrouped = []
    for id in touched {
      artistOfAlbum.bind(id)
      while try artistOfAlbum.step() { artists.markChanged(artistOfAlbum.text(0)) }
      try removal.run(id, id)
    }
    try rows.finish()
  }

  /// Writes the albums of the parts that nothing else depends on. Returns the ranges of their tracks.
  private func writeIndependent(_ parts: [ReadPart], _ pending: [PendingTrack]) throws -> [Range<Int>] {
    var written: [Range<Int>] = []
    for (part, isIndependent) in zip(parts, independence.areIndependent(parts.map(\.tracks), of: pending)) {
      guard isIndependent, let albums = part.albums else { continue }
      written.append(part.tracks)
      for album in albums {
        let id = nextID
        nextID += 1
        let rows = album.tracks.map { pending[part.tracks.lowerBound + $0.index] }
        try write(
          NewAlbum(id: id, record: album.record, tracks: rows.map { ($0.added, $0.duration) }), by: insertion)
        for (position, (row, (index, track))) in zip(rows, album.tracks).enumerated() {
          prepared[part.tracks.lowerBound + index] = NewTrack(
            row, track, TrackRows.Placement(album: id, index: position))
        }
      }
    }
    return written
  }

  /// Writes the albums of all groups that need not wait.
  private func writeReady(
    _ found: [RelatedTrackFinder.RelatedGroup], _ pending: [PendingTrack], isFinal: Bool, touched: inout Set<Int64>
  ) throws {
    let areWaiting = isFinal ? found.map { _ in false } : try deferral.mustWait(found, pending)
    var chunk: [GroupMember] = []
    for (group, isWaiting) in zip(found, areWaiting) {
      if !isWaiting, let members = group.members {
        chunk += members
      } else {
        try postpone(group, pending)
      }
      if chunk.count >= Self.chunkSize {
        try write(chunk, pending, touched: &touched)
        chunk = []
      }
    }
    try write(chunk, pending, touched: &touched)
  }

  private func postpone(_ group: RelatedTrackFinder.RelatedGroup, _ pending: [PendingTrack]) throws {
    for index in group.pending { prepared[index] = NewTrack(postponed: pending[index]) }
    for key in group.keys {
      try postponement.run(plan.library, key)
    }
  }

  private func write(_ members: [GroupMember], _ pending: [PendingTrack], touched: inout Set<Int64>) throws {
    if members.isEmpty { return }
    let groups = AlbumGrouping.grouped(members.map(\.track)).map { album, indexes in
      (album: album, members: indexes.map { members[$0] })
    }
    let ids = AlbumIdentities(groups.map { $0.members.map(\.formerAlbum) }).ids
    for (group, known) in zip(groups, ids) {
      let id = known ?? nextID
      if known == nil { nextID += 1 }
      regrouped.insert(id)
      var row = NewAlbum(
        id: id, record: AlbumRecord(group.album), tracks: group.members.map { ($0.added, $0.duration) })
      if try known == nil || !isWritten(&row) {
        try write(row, by: known == nil ? insertion : replacement)
      }
      var names = AlbumNames(group.album, maker: &maker)
      for (position, member) in group.members.enumerated() {
        if let former = member.formerAlbum, former != id { touched.insert(former) }
        let shown = ShownFields(group.album.tracks[position])
        let placement = TrackRows.Placement(album: id, index: position)
        if let index = member.pending {
          let row = pending[index]
          let track = PreparedTrack(row.record, shown: shown, in: &names, maker: &maker)
          prepared[index] = NewTrack(row, track, placement)
        } else {
          try write(member, shown: shown, &names, placement)
        }
      }
    }
  }

  /// Whether the row of an album already has these values. An album of the same artist keeps its place in the order of
  /// artists, until ``sortArtists()``.
  private func isWritten(_ album: inout NewAlbum) throws -> Bool {
    selection.bind(album.id)
    defer { selection.reset() }
    guard try selection.step() else { return false }
    artists.markChanged(selection.text(5))
    if selection.text(5) == album.record.artistKey, selection.optionalText(7) == album.record.sortArtistKey {
      album.record.sort = album.record.sort.sorted(underArtistOf: selection.bytes(8))
    }
    let values = RowComparison(selection)
    album.bind(to: values, library: plan.library)
    return values.isSame
  }

  private func write(_ album: NewAlbum, by insertion: IndexStatement) throws {
    artists.markChanged(album.record.artistKey)
    album.bind(to: insertion, library: plan.library)
    try insertion.run()
    try rows.joinedWords.add(album.record.title)
    if let artist = album.record.artist { try rows.joinedWords.add(artist) }
  }

  /// Assigns a track that already has a row to its album.
  private func write(
    _ member: GroupMember, shown: ShownFields, _ album: inout AlbumNames, _ placement: TrackRows.Placement
  ) throws {
    guard let stored = member.stored else { return }
    let track = member.track
    if ShownFields(stored.shown) != shown { try rows.derive(member.id, shown, from: track) }
    if stored.album != placement.album || stored.place != placement.index {
      try rows.assign(member.id, to: placement)
    } else if !stored.isGrouped {
      try rows.markGrouped(member.id)
    }
    let albumArtists = album.artists(
      with: maker.indexNames(track.albumArtists, sort: track.sortNames.albumArtist))
    let names = TrackNames(
      artists: maker.indexNames(track.artists, sort: track.sortNames.artist),
      albumArtists: albumArtists.names, genres: maker.indexNames(track.genres, sort: nil))
    let words = TrackWords(
      title: TrackWords.words(ofTitle: shown.title.searchWords, sortTitle: track.sortNames.title),
      artist: names.artists.words, album: album.words(with: track.album, maker: &maker),
      albumArtist: albumArtists.words, genre: names.genres.words,
      composer: maker.indexNames(track.composers, sort: nil).words)
    if stored.album != placement.album { try rows.touch(names) }
    let present = try rows.words(of: member.id)
    if words == present { return }
    if present != nil { try rows.removeWords(of: member.id) }
    try rows.add(words, of: member.id, names)
  }
}

/// Assigns each new album the ID of the existing album that most of its tracks were in.
struct AlbumIdentities {
  /// The former ID of each new album; `nil` for an album without one.
  let ids: [Int64?]

  /// Creates the assignment, given the former album of each track of each new album.
  ///
  /// If several new albums have tracks of the same former album, the one with the most of them gets its ID; if there is
  /// a tie, the first one does. If a new album has equally many tracks of several former albums, it gets the lowest ID.
  init(_ former: [[Int64?]]) {
    var claims: [(album: Int, id: Int64, count: Int)] = []
    for (album, ids) in former.enumerated() {
      var counts: [Int64: Int] = [:]
      for case let id? in ids { counts[id, default: 0] += 1 }
      for (id, count) in counts { claims.append((album, id, count)) }
    }
    claims.sort { ($1.count, $0.id, $0.album) < ($0.count, $1.id, $1.album) }
    var ids = [Int64?](repeating: nil, count: former.count)
    var taken: Set<Int64> = []
    for claim in claims where ids[claim.album] == nil && !taken.contains(claim.id) {
      ids[claim.album] = claim.id
      taken.insert(claim.id)
    }
    self.ids = ids
  }
}
