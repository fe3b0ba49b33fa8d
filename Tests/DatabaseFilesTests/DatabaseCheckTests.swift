// SPDX-License-Identifier: GPL-3.0-or-later

import DatabaseFiles
import GRDB
import SystemPackage
import TestSupport
import Testing

struct DatabaseCheckTests {
  private let directory: TemporaryDirectory
  private let path: FilePath
  private let check = DatabaseCheck(tables: "CREATE TABLE number (value)")

  /// Creates a database that the process which wrote to it has not closed, so that it has a log.
  init() throws {
    directory = try TemporaryDirectory()
    path = directory["copy.sqlite"]
    let database = try DatabaseQueue(path: directory["a.sqlite"].string)
    try database.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE number (value);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
            INSERT INTO number SELECT randomblob(1000) FROM n;
          PRAGMA wal_checkpoint(TRUNCATE);
          CREATE TABLE small (value);
          """)
    }
    for suffix in ["", "-wal"] {
      try directory.write(contents(of: directory["a.sqlite\(suffix)"]), to: "copy.sqlite\(suffix)")
    }
  }

  private func open() throws -> DatabaseQueue {
    try DatabaseFile(path).connect(.writing, label: "test") { _ in }
  }

  @Test func `A database is damaged if its pages or the tested parts are, on every connection`() throws {
    #expect(!check.isDamaged(open) { _ in true })
    #expect(check.isDamaged(open) { _ in false })
    #expect(check.isDamaged(open) { try Row.fetchAll($0, sql: "SELECT missing FROM number").isEmpty })
    var results = [false, true]
    #expect(!check.isDamaged(open) { _ in results.removeFirst() })
    var bytes = try contents(of: path)
    for index in bytes.indices.dropFirst(8_192) { bytes[index] = 0xA5 }
    try directory.write(bytes, to: "copy.sqlite")
    #expect(check.isDamaged(open) { _ in true })
  }

  #if os(Linux)
    @Test func `A database on a disk that cannot be read is not damaged`() throws {
      let isDamaged = check.isDamaged(open) { database in
        try FailingDisk.fail(path)
        // Without pages in memory, SQLite reads them again. It reports the error of the disk as damage.
        try database.execute(sql: "PRAGMA shrink_memory")
        return try Row.fetchAll(database, sql: "SELECT * FROM number").count == 300
      }
      #expect(!isDamaged)
      #expect(!check.isDamaged(open) { _ in true })
    }
  #endif
}
