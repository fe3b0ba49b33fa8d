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

  @Test func `The passwords of streams are taken out of a queue of an earlier schema, without a trace`() throws {
    let address = "http://me:geheim@earlier.example/rest/stream?u=me&t=geheim2&s=geheim3&id=7"
    var stored = try queue(of: address)
    let database = StateDatabase(directory: directory.path)
    try database.store(stored)
    database.close()
    try makeEarlier()
    #expect(try content.contains("geheim"))

    let shown = "http://me@earlier.example/rest/stream?u=me&id=7"
    for isMigrated in [false, true] {
      let database = StateDatabase(directory: directory.path)
      stored = try #require(isMigrated ? try database.restore() : try database.peek())
      let queue = try #require(PlayQueue(stored))
      #expect(queue.items[0].track.path == StreamAddress(shown)?.path && queue.items[0].track.title == shown)
      #expect(StreamAddress(queue.items[0].track.path)?.withSecrets == address)
      #expect(queue.items[1].track == Track(path: "/music/a.flac", title: "a"))
      #expect(!"\(stored.contents.title)\(stored.undoable.map(\.name))".contains("geheim"))
      if isMigrated { try database.store(stored) }
      database.close()
    }
    #expect(try !content.contains("geheim"))
  }

  /// Returns a queue with a stream and a file, as an earlier version has stored it.
  private func queue(of address: String) throws -> StoredQueue {
    let path = FilePath(address.replacing("%", with: "%25").replacing("/", with: "%2F"))
    let tracks = [Track(path: path, title: address), Track(path: "/music/a.flac", title: "a")]
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: address, tracks: tracks), item: 0))
    queue.reduce(.enqueue(TrackCollection(title: address, tracks: tracks), item: 0))
    return queue.stored
  }

  private func makeEarlier() throws {
    let database = try DatabaseQueue(path: directory.file("state.sqlite").string)
    try database.writeWithoutTransaction {
      try $0.execute(
        sql:
          "ALTER TABLE state DROP COLUMN last_scan; ALTER TABLE state DROP COLUMN keep_playing; PRAGMA user_version = \(0x5365_7103)"
      )
    }
    try database.close()
  }

  /// All bytes of all files.
  private var content: String {
    get throws {
      try DirectoryListing(of: directory.path).entries.map { entry in
        String(decoding: try contents(of: directory.path.appending(entry.name)), as: UTF8.self)
      }.joined()
    }
  }
}
