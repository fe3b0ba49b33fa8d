// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
import Tagging

extension IndexedLibrary {
  public func stickers(of object: StickeredObject) throws(LibraryError) -> [Sticker] {
    try withReader { reader in
      try reader.database.read { database in
        try Row.fetchAll(
          database.cachedStatement(
            sql: "SELECT name, value FROM \(object.table) WHERE \(object.condition) ORDER BY name"),
          arguments: object.arguments
        ).map { Sticker(name: $0.text(0) ?? "", value: $0.text(1) ?? "") }
      }
    } ?? []
  }

  public func marks(ofTracks ids: [Int64]) throws(LibraryError) -> [Int64: RowMarks] {
    try marks(ids) { try $0.marks(ofTrack: $1) }
  }

  public func marks(ofAlbums ids: [Int64]) throws(LibraryError) -> [Int64: RowMarks] {
    try marks(ids) { try $0.marks(ofAlbum: $1) }
  }

  private func marks(
    _ ids: [Int64], _ marks: (TrackBrowser, Int64) throws -> RowMarks?
  ) throws(LibraryError) -> [Int64: RowMarks] {
    try browse { browser in
      try ids.reduce(into: [:]) { found, id in
        if let marks = try marks(browser, id) { found[id] = marks }
      }
    } ?? [:]
  }

  public func set(_ sticker: Sticker, of object: StickeredObject) throws(LibraryError) {
    try editing { try Self.set(sticker, of: object, $0) }
  }

  public func change(
    _ name: String, of object: StickeredObject, by change: Int64, initial: Int64
  ) throws(LibraryError) {
    try editing { database in
      let value = try String.fetchOne(
        database, sql: "SELECT value FROM \(object.table) WHERE \(object.condition) AND name = ?",
        arguments: object.arguments + [name])
      let number = value.map { Int64($0) ?? 0 }
      let (sum, isOverflow) = (number ?? 0).addingReportingOverflow(change)
      let changed = number == nil ? initial : isOverflow ? (change < 0 ? .min : .max) : sum
      try Self.set(Sticker(name: name, value: "\(changed)"), of: object, database)
    }
  }

  private static func set(_ sticker: Sticker, of object: StickeredObject, _ database: Database) throws {
    for object in try sharers(of: sticker.name, object, database) {
      try database.execute(
        sql: "INSERT OR REPLACE INTO \(object.table) VALUES (\(object.parameters), ?, ?)",
        arguments: object.arguments + [sticker.name, sticker.value])
    }
    if sticker.name == Sticker.rating { try removeTagRating(of: object, database) }
  }

  /// Returns the objects that share a sticker of this name with `object`, which is one of them: the tracks of an album
  /// share its rating.
  private static func sharers(
    of name: String?, _ object: StickeredObject, _ database: Database
  ) throws -> [StickeredObject] {
    guard name == Sticker.albumRating, case .track(let id) = object else { return [object] }
    let ids = try Int64.fetchAll(
      database,
      sql: """
        SELECT other.id FROM track JOIN track AS other INDEXED BY track_album ON other.album = track.album
        WHERE track.id = ?
        """, arguments: [id])
    return ids.isEmpty ? [object] : ids.map { .track($0) }
  }

  /// Records that the rating of a track is no longer that of its tags.
  private static func removeTagRating(of object: StickeredObject, _ database: Database) throws {
    guard case .track(let id) = object else { return }
    try database.execute(
      sql: "DELETE FROM sticker WHERE track = ? AND name = ?", arguments: [id, Sticker.tagRating])
  }

  public func removeSticker(_ name: String?, of object: StickeredObject) throws(LibraryError) -> Bool {
    try editing { database in
      var isRemoved = false
      for object in try Self.sharers(of: name, object, database) {
        try database.execute(
          sql: "DELETE FROM \(object.table) WHERE \(object.condition)\(name == nil ? "" : " AND name = ?")",
          arguments: object.arguments + (name.map { [$0] } ?? []))
        if database.changesCount > 0 { isRemoved = true }
      }
      if name == Sticker.rating { try Self.removeTagRating(of: object, database) }
      return isRemoved
    }
  }

  public func stickers(
    _ name: String, within directory: FilePath, _ match: StickerMatch? = nil
  ) throws(LibraryError) -> [(track: Int64, value: String)] {
    try withReader { reader in
      try reader.database.read { database in
        let condition = TrackCondition(.within(directory), libraries: reader.libraries)
        let libraryCondition = reader.libraries.condition("track.library")
        var arguments = condition.arguments
        let nameCondition = "sticker.name = \(arguments.add(name))"
        let valueCondition = match.map { " AND \($0.condition(&arguments))" } ?? ""
        let rows = IndexStatement(
          database,
          """
          SELECT track.id, sticker.value FROM sticker CROSS JOIN track ON track.id = sticker.track
          CROSS JOIN directory ON directory.id = track.directory
          WHERE \(nameCondition)\(valueCondition) AND \(libraryCondition) AND \(condition.sql)
          ORDER BY \(reader.libraries.isSingle ? "" : "track.library, ")directory.path, track.name, track.segment
          """)
        arguments.bind(to: rows)
        return try rows.all { (track: $0.integer(0), value: $0.text(1)) }
      }
    } ?? []
  }

  public func stickers(
    _ name: String, ofType type: String, _ match: StickerMatch? = nil
  ) throws(LibraryError) -> [(object: String, value: String)] {
    try withReader { reader in
      try reader.database.read { database in
        var arguments = QueryArguments()
        let condition = "type = \(arguments.add(type)) AND name = \(arguments.add(name))"
        let valueCondition = match.map { " AND \($0.condition(&arguments))" } ?? ""
        let rows = IndexStatement(
          database,
          "SELECT object, value FROM object_sticker AS sticker WHERE \(condition)\(valueCondition) ORDER BY object")
        arguments.bind(to: rows)
        return try rows.all { (object: $0.text(0), value: $0.text(1)) }
      }
    } ?? []
  }

  public func stickerNames() throws(LibraryError) -> [(name: String, type: String?)] {
    try withReader { reader in
      try reader.database.read { database in
        let rows = IndexStatement(
          database,
          """
          SELECT DISTINCT sticker.name, NULL FROM sticker CROSS JOIN track ON track.id = sticker.track
          WHERE \(reader.libraries.condition("track.library"))
          UNION ALL SELECT DISTINCT name, type FROM object_sticker ORDER BY 1, 2
          """)
        return try rows.all(reader.libraries.first) { (name: $0.text(0), type: $0.optionalText(1)) }
      }
    } ?? []
  }

  public func forgetMissing() throws(LibraryError) -> [MissingTrack] {
    let roots = roots.paths
    return try editing { database in
      let rows = IndexStatement(
        database,
        """
        SELECT missing_track.id, root, path, name, value FROM missing_track JOIN library ON library.id = library
        LEFT JOIN sticker ON track = missing_track.id ORDER BY root, path, missing_track.id, name
        """)
      var ids: [Int64] = []
      var found: [MissingTrack] = []
      while try rows.step() {
        let root = rows.bytes(1)
        guard roots.contains(FilePath(systemBytes: root)) else { continue }
        if ids.last != rows.integer(0) {
          ids.append(rows.integer(0))
          let path = FilePath(systemBytes: RelativePath(rows.bytes(2)).absolute(in: root))
          found.append(MissingTrack(path: path, stickers: []))
        }
        if let name = rows.optionalText(3), let value = rows.optionalText(4) {
          found[found.count - 1].stickers.append(Sticker(name: name, value: value))
        }
      }
      try TrackMemory.forget(ids, database)
      return found
    }
  }

  public func count(
    _ count: PlayCount, of path: FilePath, _ segment: TrackSegment? = nil, at time: Int64
  ) throws(LibraryError) -> Bool {
    guard let relativePath = roots.relative(path) else { return false }
    let found = try browse { try $0.track(relativePath, segment: segment?.start ?? -1) }
    guard let track = found ?? nil else { return false }
    try editing { database in
      try database.execute(
        sql: """
          INSERT INTO sticker (track, name, value) VALUES (?, ?, '1') ON CONFLICT (track, name)
          DO UPDATE SET value = CAST(max(0, min(CAST(value AS INTEGER), 1000000000)) + 1 AS TEXT)
          """, arguments: [track, count == .play ? Sticker.playCount : Sticker.skipCount])
      try database.execute(
        sql: StickerTable.insertion,
        arguments: [track, count == .play ? Sticker.lastPlayed : Sticker.lastSkipped, "\(time)"])
    }
    return true
  }

  /// Writes a few rows in one transaction, through a connection that is used only for writing, so that readers need not
  /// wait.
  func editing<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    try index.write { database in
      var value: Value?
      try database.inTransaction(.immediate) {
        value = try body(database)
        return .commit
      }
      guard let value else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
      return value
    }
  }
}

extension StickeredObject {
  /// The table with the stickers of such objects.
  fileprivate var table: String {
    switch self {
    case .track: "sticker"
    case .other: "object_sticker"
    }
  }

  /// The condition on the rows of the table that belong to the object; its parameters are ``arguments``.
  fileprivate var condition: String {
    switch self {
    case .track: "track = ?"
    case .other: "type = ? AND object = ?"
    }
  }

  /// The parameters for the first columns of the table, whose values are ``arguments``.
  fileprivate var parameters: String {
    switch self {
    case .track: "?"
    case .other: "?, ?"
    }
  }

  fileprivate var arguments: StatementArguments {
    switch self {
    case .track(let id): [id]
    case .other(let type, let name): [type, name]
    }
  }
}
