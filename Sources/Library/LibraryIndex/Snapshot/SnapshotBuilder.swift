// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel

/// Writes the snapshot of a library that has none, within the current transaction.
struct SnapshotBuilder {
  private let database: Database
  private let library: Int64
  /// The number of tracks that must match a word for the set of these tracks to be stored.
  private let commonThreshold: Int
  private let insertion: IndexStatement

  init(_ database: Database, library: Int64, commonThreshold: Int) throws {
    self.database = database
    self.commonThreshold = commonThreshold
    self.library = library
    insertion = try IndexStatement(
      database,
      """
      INSERT INTO snapshot (library, name, part, data, checksum)
      VALUES (?1, ?2, ?3, ?4, segue_checksum(?1, ?2, ?3, ?4))
      """)
  }

  /// Writes the arrays. Writes nothing if an ID is too large for them.
  func run() throws {
    let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM track") ?? 0
    let lastAlbum = try Int64.fetchOne(database, sql: "SELECT max(id) FROM album") ?? 0
    // Every track ID must fit into the bits of a track set.
    guard last < TrackSet.end, lastAlbum < Int64(UInt32.max) else { return }
    let (albumIndexes, ownTracks) = try writeAlbums(last: lastAlbum)
    for kind in [NameKind.artists, .genres] {
      let (names, links, column) = kind.tables
      let sql = """
        SELECT link.track, name.id FROM \(names) AS name INDEXED BY \(names)_sort
        CROSS JOIN \(links) AS link ON link.\(column) = name.id WHERE ?1 IS NOT NULL ORDER BY name.sort, name.id
        """
      _ = try writeGroups(names, [sql]) { ownTracks.contains($0) }
    }
    for order in Self.orders {
      for (segment, tables) in order.albumSegments.enumerated() {
        let albums = try numbers(tables.selection("album.id")).map { albumIndexes[Int($0)] }.filter {
          $0 != SnapshotColumn.null
        }
        try write(albums, SnapshotName.order(order.name, segment: segment))
      }
      guard order.albumSegments.isEmpty else { continue }
      for (segment, tables) in order.segments.enumerated() {
        let tracks = try numbers(tables.selection("track.id")).filter { ownTracks.contains(Int64($0)) }
        try write(tracks, SnapshotName.order(order.name, segment: segment))
      }
    }
    try SnapshotTexts(database, commonThreshold: commonThreshold).forEach { try write($1, SnapshotName.text($0)) }
    try writeColumns(count: Int(last) + 1)
  }

  /// The listing orders to store, one for each name.
  private static var orders: [ListingOrder] {
    var orders: [ListingOrder] = []
    for key in LibraryOrder.Key.allCases {
      for item in [ListingOrder.Item.albums, .tracks] {
        let order = ListingOrder(LibraryOrder(key), of: item)
        if !orders.contains(where: { $0.name == order.name }) { orders.append(order) }
      }
    }
    return orders
  }

  /// Writes the albums. Returns the index of each album by its ID, and the set of all tracks.
  private func writeAlbums(last: Int64) throws -> (indexes: [UInt32], tracks: TrackSet) {
    var all = TrackSet()
    let segments = ListingOrder(LibraryOrder(.album), of: .tracks).segments
    let albums = try writeGroups("album", segments.map { $0.selection("track.id, album.id") }) {
      all.insert($0)
      return true
    }
    var indexes = Array(repeating: SnapshotColumn.null, count: Int(last) + 1)
    for (index, album) in albums.enumerated() { indexes[Int(album)] = UInt32(index) }
    return (indexes, all)
  }

  /// Writes the groups that the queries find to the section `name` of the index.
  ///
  /// - Parameters:
  ///   - statements: SQL queries with the ID of the library as their parameter. Each row contains the IDs of a track
  ///     and of its group.
  ///   - isOwn: Whether a track belongs to the library; other tracks are left out.
  /// - Returns: The IDs of the groups, in the order in which they were written.
  private func writeGroups(
    _ name: String, _ statements: [String], isOwn: (Int64) -> Bool
  ) throws -> [UInt32] {
    var groups: [UInt32] = []
    var ends: [UInt32] = []
    var tracks: [UInt32] = []
    for sql in statements {
      let rows = try IndexStatement(database, sql)
      rows.bind(library)
      while try rows.step() {
        guard isOwn(rows.integer(0)) else { continue }
        let group = UInt32(clamping: rows.integer(1))
        if groups.last != group {
          if !groups.isEmpty { ends.append(UInt32(tracks.count)) }
          groups.append(group)
        }
        tracks.append(UInt32(clamping: rows.integer(0)))
      }
    }
    if !groups.isEmpty { ends.append(UInt32(tracks.count)) }
    let names = SnapshotName.groups(name)
    try write(groups, names.ids)
    try write(ends, names.ends)
    try write(tracks, names.tracks)
    return groups
  }

  private func writeColumns(count: Int) throws {
    var sortedTitles = TrackSet()
    let empty = Array(repeating: SnapshotColumn.null, count: SnapshotTables.partSize)
    var formats: [String: UInt32] = [:]
    var names: [String] = []
    let columns = SnapshotColumn.allCases
    let rows = try IndexStatement(
      database,
      """
      SELECT track.id, \(columns.map(\.rawValue).joined(separator: ", ")), track.sort_title IS NOT NULL FROM track
      WHERE track.id >= ? AND track.id < ? AND track.library + 0 = ? AND track.album IS NOT NULL
      """)
    let patching = try IndexStatement(
      database, "INSERT OR IGNORE INTO snapshot_patch (library, track) VALUES (?, ?)")
    var values = Array(repeating: empty, count: columns.count)
    for (part, start) in stride(from: 0, to: count, by: SnapshotTables.partSize).enumerated() {
      rows.bind(start)
      rows.bind(start + SnapshotTables.partSize)
      rows.bind(library)
      while try rows.step() {
        let index = Int(rows.integer(0)) - start
        if rows.integer(Int32(columns.count + 1)) != 0 { sortedTitles.insert(rows.integer(0)) }
        for (column, name) in columns.enumerated() where !rows.isNull(Int32(column + 1)) {
          var value = rows.integer(Int32(column + 1))
          if name == .format {
            let format = rows.text(Int32(column + 1))
            let code = formats[format] ?? UInt32(names.count)
            if code == names.count {
              formats[format] = code
              names.append(format)
            }
            value = Int64(code)
          }
          if value >= 0, value < Int64(SnapshotColumn.null) {
            values[column][index] = UInt32(value)
          } else {
            patching.bind(library)
            patching.bind(rows.integer(0))
            try patching.run()
          }
        }
      }
      let size = min(SnapshotTables.partSize, count - start)
      for (column, name) in columns.enumerated() {
        try write(values[column][..<size], name.rawValue, part: part)
        values[column] = empty
      }
    }
    try write(sortedTitles, SnapshotName.sortedTitles)
    var text = names.joined(separator: "/")
    try text.withUTF8 { try unsafe write(UnsafeRawBufferPointer($0), SnapshotName.formats, part: 0) }
  }

  private func numbers(_ sql: String) throws -> [UInt32] {
    let rows = try IndexStatement(database, sql)
    rows.bind(library)
    var numbers: [UInt32] = []
    while try rows.step() { numbers.append(UInt32(clamping: rows.integer(0))) }
    return numbers
  }

  private func write(_ values: [UInt32], _ name: String) throws {
    for (part, start) in stride(from: 0, to: values.count, by: SnapshotTables.partSize).enumerated() {
      try write(values[start..<min(start + SnapshotTables.partSize, values.count)], name, part: part)
    }
    // An array without any part would count as not stored.
    if values.isEmpty { try write([], name, part: 0) }
  }

  private func write(_ tracks: TrackSet, _ name: String) throws {
    try unsafe tracks.words.withUnsafeBytes { try unsafe write($0, name, part: 0) }
  }

  private func write(_ values: ArraySlice<UInt32>, _ name: String, part: Int) throws {
    try unsafe values.withUnsafeBytes { try unsafe write($0, name, part: part) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ name: String, part: Int) throws {
    insertion.bind(library)
    insertion.bind(name)
    insertion.bind(part)
    unsafe insertion.bind(bytes)
    try insertion.run()
  }
}

/// Finds common words, which match very many tracks, and the sets of these tracks.
struct SnapshotTexts {
  private let database: Database
  /// The number of tracks that must match a word for it to count as common.
  private let commonThreshold: Int

  init(_ database: Database, commonThreshold: Int) {
    self.database = database
    self.commonThreshold = commonThreshold
  }

  /// Calls `body` with each of these words, as a full-text expression, and with the tracks that match it.
  func forEach(_ body: (_ expression: String, _ tracks: TrackSet) throws -> Void) throws {
    try database.execute(
      sql: "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search, col)")
    var counts: [(word: String, counts: [String: Int])] = []
    let rows = try IndexStatement(
      database, "SELECT term, col, doc FROM temp.vocabulary WHERE doc * 6 >= ? ORDER BY term")
    rows.bind(commonThreshold)
    while try rows.step() {
      let word = rows.text(0)
      if counts.last?.word != word { counts.append((word, [:])) }
      counts[counts.count - 1].counts[rows.text(1)] = Int(rows.integer(2))
    }
    rows.reset()
    for (word, counts) in counts {
      for field in LibraryQuery.TextField.allCases {
        for kind in [TextPattern.Kind.beginning, .words] {
          let pattern = TextPattern(word, kind: kind)
          // A word that is too rare in all columns together is too rare in each of them.
          guard let words = QueryWords(field, pattern), words.phrase == word,
            words.columns.reduce(0, { $0 + (counts[$1] ?? 0) }) >= commonThreshold,
            let match = FullTextMatch(.text(field, pattern))
          else { continue }
          let tracks = try self.tracks(match.expression)
          if tracks.count >= commonThreshold { try body(match.expression, tracks) }
        }
      }
    }
    try database.execute(sql: "DROP TABLE temp.vocabulary")
  }

  private func tracks(_ expression: String) throws -> TrackSet {
    let rows = try IndexStatement(database, "SELECT rowid FROM search WHERE search MATCH ?")
    rows.bind(expression)
    var tracks = TrackSet()
    while try rows.step() { tracks.insert(rows.integer(0)) }
    return tracks
  }
}
