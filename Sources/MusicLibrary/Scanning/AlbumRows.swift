import GRDB
import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// Writes albums, and puts tracks into them.
final class AlbumRows {
  /// How many tracks are grouped at a time.
  private static let chunkSize = 4_000

  private let plan: ScanPlan
  private let rows: TrackRows
  private let closure: GroupClosure
  private let insertion: IndexStatement
  private let replacement: IndexStatement
  private let removal: IndexStatement
  private let lastID: IndexStatement
  private let postponement: IndexStatement
  private let postponed: IndexStatement
  private var nextID: Int64 = 1
  private var maker = TrackRecordMaker()
  private var lastNames: (names: AlbumNames, words: String)?

  init(_ database: Database, plan: ScanPlan, rows: TrackRows) throws {
    self.plan = plan
    self.rows = rows
    closure = try GroupClosure(database, plan: plan)
    // To replace may be undone by itself, which is dear: see ``IndexStatement/insert()``.
    let row = """
      INTO album (id, library, title, artist, title_key, artist_key, sort_title_key, sort_artist_key, sort, title_sort,
        year, month, day, is_compilation, track_count, duration, added)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    insertion = try IndexStatement(database, "INSERT \(row)")
    replacement = try IndexStatement(database, "INSERT OR REPLACE \(row)")
    removal = try IndexStatement(
      database, "DELETE FROM album WHERE id = ? AND NOT EXISTS (SELECT 1 FROM track WHERE album = ?)")
    lastID = try IndexStatement(database, "SELECT max(id) FROM album")
    postponement = try IndexStatement(
      database,
      "UPDATE track SET grouped = 0 WHERE id = (SELECT id FROM track WHERE library = ? AND group_key = ? LIMIT 1)"
    )
    postponed = try IndexStatement(
      database, "SELECT group_key FROM track INDEXED BY track_ungrouped WHERE library = ? AND grouped = 0")
  }

  /// The keys of the tracks that are not grouped.
  func postponedKeys() throws -> Set<String> {
    postponed.bind(plan.library)
    var keys: Set<String> = []
    while try postponed.step() { keys.insert(postponed.text(0)) }
    return keys
  }

  /// Groups all tracks that depend on these keys and releases, and on pending tracks, whose rows are written.
  ///
  /// - Parameters:
  ///   - former: the albums that pending tracks were in.
  ///   - touched: albums that tracks were taken from; those that are empty now are removed.
  ///   - isFinal: whether keys of very many tracks have their turn, too.
  func group(
    _ pending: [PendingTrack], former: [Int64: Int64], keys: Set<String>, releases: Set<String>,
    touched: Set<Int64>,
    isFinal: Bool
  ) throws {
    while try lastID.step() { nextID = lastID.integer(0) + 1 }
    closure.begin(pending, former: former)
    var touched = touched
    var chunk: [GroupMember] = []
    var open = Array(keys)
    for release in releases { open += try closure.keys(ofRelease: release) }
    for key in pending.lazy.map(\.record.groupKey) + open {
      let found = try closure.members(of: key, isLimited: !isFinal)
      if let members = found.members {
        chunk += members
      } else {
        for key in found.keys { try postpone(key) }
      }
      if chunk.count >= Self.chunkSize {
        try write(chunk, pending, touched: &touched)
        chunk = []
      }
    }
    try write(chunk, pending, touched: &touched)
    for id in touched {
      removal.bind(id)
      removal.bind(id)
      try removal.run()
    }
    try rows.settle()
  }

  private func postpone(_ key: String) throws {
    for track in closure.pendingTracks(of: key) {
      try rows.insert(track, library: plan.library, shown: track.record.track, placement: nil)
    }
    postponement.bind(plan.library)
    postponement.bind(key)
    try postponement.run()
  }

  private func write(_ members: [GroupMember], _ pending: [PendingTrack], touched: inout Set<Int64>) throws {
    if members.isEmpty { return }
    let groups = AlbumGrouping.grouped(members.map(\.track)).map { album, places in
      (album: album, members: places.map { members[$0] })
    }
    let ids = AlbumIdentities(groups.map { $0.members.map(\.formerAlbum) }).ids
    for (group, known) in zip(groups, ids) {
      let id = known ?? nextID
      if known == nil { nextID += 1 }
      try write(group.album, id: id, group.members, by: known == nil ? insertion : replacement)
      let names = artistNames(of: group.album)
      for (place, member) in group.members.enumerated() {
        if let former = member.formerAlbum, former != id { touched.insert(former) }
        try write(
          member, pending, shown: group.album.tracks[place], album: group.album, names,
          TrackRows.Placement(album: id, place: place))
      }
    }
  }

  private func write(
    _ album: Album, id: Int64, _ members: [GroupMember], by insertion: IndexStatement
  ) throws {
    for member in members { rows.snapshot.patch(member.id) }
    insertion.bind(id)
    insertion.bind(plan.library)
    insertion.bind(album.title)
    insertion.bind(album.artist)
    insertion.bind(album.title.searchWords)
    insertion.bind((album.artist ?? "").searchWords)
    for name in [album.sortTitle, album.sortArtist] {
      insertion.bind((name?.searchWords).flatMap { $0.isEmpty ? nil : $0 })
    }
    insertion.bind(AlbumOrder.sortKey(of: album))
    insertion.bind(AlbumOrder.titleKey(of: album))
    insertion.bind(album.date?.year)
    insertion.bind(album.date?.month)
    insertion.bind(album.date?.day)
    insertion.bind(album.isCompilation)
    insertion.bind(members.count)
    insertion.bind(members.reduce(0 as Int64) { $0.addingReportingOverflow($1.duration ?? 0).partialValue })
    insertion.bind(members.lazy.map(\.added).min())
    try insertion.run()
  }

  private func write(
    _ member: GroupMember, _ pending: [PendingTrack], shown: Track, album: Album,
    _ albumArtists: [IndexName], _ placement: TrackRows.Placement
  ) throws {
    let albumWords = words(of: AlbumNames(album, of: member.track))
    if let index = member.pending {
      let track = pending[index]
      try rows.insert(track, library: plan.library, shown: shown, placement: placement)
      let names = TrackNames(
        artists: track.record.artists, albumArtists: albumArtists.adding(track.record.albumArtists),
        genres: track.record.genres)
      try rows.add(
        TrackWords(
          title: Self.words(
            ofTitle: track.record.titleWords(of: shown), sortTitle: shown.sortNames.title),
          artist: track.record.artistWords, album: albumWords, albumArtist: names.albumArtists.words,
          genre: track.record.genreWords, composer: track.record.composerWords),
        of: track.id, names)
      return
    }
    guard let stored = member.stored else { return }
    if stored.shown.title != shown.title || stored.shown.number != shown.number
      || stored.shown.disc != shown.disc
    {
      try rows.derive(member.id, shown, from: member.track)
    }
    if !stored.isGrouped || stored.album != placement.album || stored.place != placement.place {
      try rows.place(member.id, placement)
    }
    let track = member.track
    let names = TrackNames(
      artists: maker.indexNames(track.artists, sort: track.sortNames.artist),
      albumArtists: albumArtists.adding(
        maker.indexNames(track.albumArtists, sort: track.sortNames.albumArtist)),
      genres: maker.indexNames(track.genres, sort: nil))
    let words = TrackWords(
      title: Self.words(ofTitle: shown.title.searchWords, sortTitle: shown.sortNames.title),
      artist: names.artists.words, album: albumWords, albumArtist: names.albumArtists.words,
      genre: names.genres.words, composer: maker.indexNames(track.composers, sort: nil).words)
    if !stored.isGrouped || stored.album != placement.album { try rows.touch(names) }
    let present = try rows.words(of: member.id)
    if words == present { return }
    if present != nil { try rows.removeWords(of: member.id) }
    try rows.add(words, of: member.id, names)
  }

  /// What a title is found by, of which `title` are the words.
  private static func words(ofTitle title: String, sortTitle: String?) -> String {
    var titles = [title].filter { !$0.isEmpty }
    if let sort = sortTitle?.searchWords, !sort.isEmpty, sort != title { titles.append(sort) }
    return titles.isEmpty ? "" : "\u{1F}" + titles.joined(separator: "\u{1F}") + "\u{1F}"
  }

  /// What an album is found by, by way of one of its tracks.
  private struct AlbumNames: Hashable {
    let shown: String
    let tagged: String?
    let sort: String?

    init(_ album: Album, of track: Track) {
      shown = album.title
      tagged = track.album
      sort = album.sortTitle
    }
  }

  /// The words of these names; those of the album of the track before need not be made again.
  private func words(of names: AlbumNames) -> String {
    if let lastNames, lastNames.names == names { return lastNames.words }
    let words = maker.indexNames([names.shown, names.tagged, names.sort].compactMap { $0 }, sort: nil).words
    lastNames = (names, words)
    return words
  }

  /// The album's artists one by one: as the tags that name them do.
  private func artistNames(of album: Album) -> [IndexName] {
    guard let artist = album.artist else { return [] }
    let names =
      album.tracks.lazy.map(\.albumArtists).first { $0.joined(separator: ", ") == artist }
      ?? album.tracks.lazy.map(\.artists).first { $0.joined(separator: ", ") == artist } ?? [artist]
    return maker.indexNames(names, sort: names.count == 1 ? album.sortArtist : nil)
  }
}

extension [IndexName] {
  fileprivate func adding(_ others: [IndexName]) -> [IndexName] {
    if isEmpty { return others }
    return self + others.filter { other in !contains { $0.key == other.key } }
  }
}
