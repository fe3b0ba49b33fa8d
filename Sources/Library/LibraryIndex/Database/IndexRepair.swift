// SPDX-License-Identifier: GPL-3.0-or-later

package import GRDB
import UnicodeText

/// Prepares an index whose contents are damaged for a scan that reads all files of a library again. Such a scan
/// compares the rows of tracks and albums with what it reads, but writes the others only for tracks that have changed.
package struct IndexRepair {
  private let database: Database
  private let library: Int64

  /// Creates a repair before a scan of the library with this row ID.
  package init(_ database: Database, library: Int64) { (self.database, self.library) = (database, library) }

  /// Returns what is wrong with the contents of a well-formed index, in one line; `nil` if nothing is.
  static func problem(_ database: Database) throws -> String? {
    var damage = try RowChecksum.damage(database)
    for kind in [NameKind.artists, .genres] where damage == nil {
      damage =
        try NameLinks(kind).areDamaged(database)
        ? "the \(kind.tables.names)s of tracks do not match their search words"
        : NameCounts.areDamaged(kind, database) ? "the numbers of tracks of the \(kind.tables.names)s are wrong" : nil
    }
    return damage.map { "it is damaged: \($0); run `segue scan --again`" }
  }

  /// Removes what is damaged, and marks all tracks as changed if anything was. Then every scan that reads all files
  /// restores what was removed, even if another one was interrupted before.
  ///
  /// Cached counts are removed in any case: the scan makes them anew. The table of joined words is written anew.
  package func run() throws {
    try database.inTransaction(.immediate) {
      try database.execute(sql: "DELETE FROM name_count WHERE library = ?", arguments: [library])
      let words = try RowChecksum.words.damagedRows(database)
      for id in words { try database.execute(sql: "DELETE FROM words WHERE id = ?", arguments: [id]) }
      var isDamaged = !words.isEmpty
      for kind in [NameKind.artists, .genres] where try removeDamage(of: kind) { isDamaged = true }
      if isDamaged {
        try database.execute(
          sql: """
            DELETE FROM name_count;
            UPDATE track SET checksum = 0, mtime = 0;
            UPDATE directory SET mtime = 0;
            """)
      }
      try repairSearch()
      try JoinedWords(database).fill()
      return .commit
    }
  }

  /// Writes the full-text index anew if it does not match the search words.
  private func repairSearch() throws {
    do {
      try database.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      try database.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
    }
  }

  /// Removes names that are damaged, and links that the search words of their tracks do not confirm. Returns whether
  /// there were any, or whether links are missing.
  private func removeDamage(of kind: NameKind) throws -> Bool {
    let (names, links, column) = kind.tables
    var damaged = Set(try RowChecksum.names(kind).damagedRows(database))
    for row in try Row.fetchAll(database, sql: "SELECT id, key, name FROM \(names) WHERE checksum IS NULL") {
      if let name = row[2] as String?, row[1] != name.searchWords { damaged.insert(row[0]) }
    }
    for id in damaged { try database.execute(sql: "DELETE FROM \(names) WHERE id = ?", arguments: [id]) }
    // The others of an earlier version are right as far as can be seen.
    let checksum = RowChecksum.names(kind).expression { $0 }
    try database.execute(sql: "UPDATE \(names) SET checksum = \(checksum) WHERE checksum IS NULL")
    let areDamaged = try NameLinks(kind).areDamaged(database)
    try database.execute(sql: "DELETE FROM \(links) WHERE \(NameLinks(kind).isUnconfirmed)")
    try database.execute(
      sql: "DELETE FROM \(names) WHERE NOT EXISTS (SELECT 1 FROM \(links) WHERE \(column) = \(names).id)")
    return areDamaged || !damaged.isEmpty || database.changesCount > 0
  }
}

/// The links between the names of one kind and tracks. They repeat what is in the search words of the tracks.
private struct NameLinks {
  private let kind: NameKind

  init(_ kind: NameKind) { self.kind = kind }

  /// The SQL condition that a link is not confirmed by the search words of its track.
  var isUnconfirmed: String {
    let (names, links, column) = kind.tables
    let words = kind == .artists ? "CASE role WHEN 0 THEN words.artist ELSE words.album_artist END" : "words.genre"
    return """
      NOT EXISTS (
        SELECT 1 FROM words JOIN \(names) AS name ON name.id = \(links).\(column)
        WHERE words.id = \(links).track AND instr(\(words), char(31) || name.key || char(31)))
      """
  }

  /// Whether there are links that the search words do not confirm, or fewer than they contain.
  func areDamaged(_ database: Database) throws -> Bool {
    let links = kind.tables.links
    let isUnconfirmed = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM \(links) WHERE \(isUnconfirmed))")
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(links)")
    return try isUnconfirmed == true || count ?? 0 != wordCount(database)
  }

  /// The number of names in the search words of all tracks, each of which is between two U+001F.
  private func wordCount(_ database: Database) throws -> Int {
    let fields = kind == .artists ? ["artist", "album_artist"] : ["genre"]
    let counts = fields.map { "sum(max(0, length(\($0)) - length(replace(\($0), char(31), '')) - 1))" }
    return try Int.fetchOne(database, sql: "SELECT \(counts.joined(separator: " + ")) FROM words") ?? 0
  }
}
