// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
import LibraryIndex
public import MusicModel
import Platform
public import SystemPackage
import Tagging

extension IndexedLibrary {
  /// Returns the stickers of a track, sorted by name.
  public func stickers(of track: Int64) throws(LibraryError) -> [Sticker] {
    try withReader { reader in
      try reader.database.read { database in
        try Row.fetchAll(
          database.cachedStatement(sql: "SELECT name, value FROM sticker WHERE track = ? ORDER BY name"),
          arguments: [track]
        ).map { Sticker(name: $0.text(0) ?? "", value: $0.text(1) ?? "") }
      }
    } ?? []
  }

  /// Sets a sticker of a track, replacing the one of the same name.
  public func set(_ sticker: Sticker, of track: Int64) throws(LibraryError) {
    try editing { database in
      try database.execute(
        sql: StickerTable.insertion, arguments: [track, sticker.name, sticker.value])
    }
  }

  /// Removes the sticker of this name from a track, or all of its stickers if `name` is `nil`. Returns whether any was
  /// removed.
  public func removeSticker(_ name: String?, of track: Int64) throws(LibraryError) -> Bool {
    try editing { database in
      if let name {
        try database.execute(
          sql: "DELETE FROM sticker WHERE track = ? AND name = ?", arguments: [track, name])
      } else {
        try database.execute(sql: "DELETE FROM sticker WHERE track = ?", arguments: [track])
      }
      return database.changesCount > 0
    }
  }

  /// Returns the tracks inside `directory` that have a sticker of this name, sorted by path, each with the sticker's
  /// value. The directory is relative to the library's directory.
  ///
  /// - Parameter match: The condition on the value; `nil` accepts any value.
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
        var found: [(track: Int64, value: String)] = []
        while try rows.step() { found.append((rows.integer(0), rows.text(1))) }
        return found
      }
    } ?? []
  }

  /// Returns the names of the stickers in this library, in byte order and without duplicates.
  public func stickerNames() throws(LibraryError) -> [String] {
    try withReader { reader in
      try reader.database.read { database in
        let rows = IndexStatement(
          database,
          """
          SELECT DISTINCT sticker.name FROM sticker CROSS JOIN track ON track.id = sticker.track
          WHERE \(reader.libraries.condition("track.library")) ORDER BY 1
          """)
        rows.bind(reader.libraries.first)
        var names: [String] = []
        while try rows.step() { names.append(rows.text(0)) }
        return names
      }
    } ?? []
  }

  /// Forgets the tracks whose files are missing, with their stickers, and returns them, sorted by path.
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

  /// Counts a track as played to its end at `time`, in seconds since 1970. The track is the file at `path`, or this
  /// segment of it.
  ///
  /// Returns whether the track is in the library. Other tracks are not counted.
  public func countPlay(
    of path: FilePath, _ segment: TrackSegment? = nil, at time: Int64
  ) throws(LibraryError) -> Bool {
    guard let relativePath = roots.relative(path) else { return false }
    let found = try browse { try $0.track(relativePath, segment: segment?.start ?? -1) }
    guard let track = found ?? nil else { return false }
    try editing { database in
      try database.execute(
        sql: """
          INSERT INTO sticker (track, name, value) VALUES (?, ?, '1') ON CONFLICT (track, name)
          DO UPDATE SET value = CAST(max(0, min(CAST(value AS INTEGER), 1000000000)) + 1 AS TEXT)
          """, arguments: [track, Sticker.playCount])
      try database.execute(
        sql: StickerTable.insertion, arguments: [track, Sticker.lastPlayed, "\(time)"])
    }
    return true
  }

  /// Writes a few rows in one transaction, through a connection that is used only for writing, so that readers need not
  /// wait.
  private func editing<Value>(_ body: (Database) throws -> Value) throws(LibraryError) -> Value {
    try mapError { () throws(LibraryIndexError) in
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
}
