// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import QueueStorage

/// The saved queues of all earlier versions of Segue, in `Fixtures/Schemas/state.sql`.
struct EarlierStateTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func createState(schema: Int) throws {
    let statements = try Fixture.schemas("state.sql")
    #expect(statements.count == 2)
    let database = try DatabaseQueue(path: directory.file("state.sqlite").string)
    try database.writeWithoutTransaction { database in
      for statements in statements.prefix(schema) { try database.execute(sql: statements) }
      try database.execute(sql: "PRAGMA user_version = \(0x5365_7100 + schema)")
    }
    try database.close()
  }

  @Test(arguments: [(1, ["/music/Bach/01.wav", "/music/Bach/02.wav"]), (2, ["/music/Bach/03.flac"])])
  func `a queue of an earlier schema is restored, and stored again`(schema: Int, paths: [String]) throws {
    try createState(schema: schema)
    for isMigrated in [false, true] {
      let database = StateDatabase(directory: directory.path)
      // Another process reads it before its owner migrates it.
      let stored = try #require(isMigrated ? try database.restore() : try database.peek())
      let queue = try #require(PlayQueue(stored))
      #expect(queue.items.map(\.track.path) == paths.map { FilePath($0) })
      #expect(queue.currentPosition == paths.count - 1 && queue.elapsed == .milliseconds(1_500))
      #expect(queue.modes.repeat == .album && queue.undoable.count == 1)
      if schema == 2 { #expect(queue.items[0].track.additionalTags.values.count == 2) }
      if isMigrated { try database.store(stored) }
      database.close()
    }
    #expect(try DirectoryListing(of: directory.path).entries.map(\.name.string) == ["state.sqlite"])
  }
}
