import Flux
import Foundation
import GRDB
import MusicLibrary
import MusicModel
import QueueFlow
import SystemPackage
import TestSupport
import Testing

@testable import RemoteControl

/// What is kept of what was listed, and when it is dropped.
@Suite struct KeptListingTests {
  private let directory: TemporaryDirectory
  private let rig: LibraryRig

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a", "b"] {
      for number in 1...2 {
        try directory.write(
          SoundBytes.flac([("TITLE", "\(name)\(number)"), ("ALBUM", name)]),
          to: "music/\(name)/\(number).flac")
      }
    }
    rig = try LibraryRig(directory["music"])
  }

  /// Another connection to the index.
  private func database() throws -> DatabaseQueue {
    try DatabaseQueue(path: rig.data["index.sqlite"].string)
  }

  private func execute(_ sql: String) throws { try database().write { try $0.execute(sql: sql) } }

  /// The paths of the directories of which something is kept, in a line.
  private func kept() throws -> String {
    try database().read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT CAST(path AS TEXT) FROM listing JOIN directory ON directory.id = listing.directory ORDER BY path
          """)
    }.joined(separator: " ")
  }

  private func scan(again: Bool = false) throws {
    let scope: ScanScope = again ? .again(.everything) : .everything
    _ = try rig.library.scan(scope, progress: { _ in }, isCancelled: { false })
  }

  @Test func `What was listed is kept, and told again as it was`() throws {
    #expect(try kept() == "")
    let first = try rig.answer("listallinfo")
    #expect(try kept() == "a b")
    #expect(try rig.answer("listallinfo") == first)
    // It is what is told, and not made anew.
    try execute("UPDATE listing SET words = CAST(replace(CAST(words AS TEXT), 'a2', 'kept') AS BLOB)")
    #expect(try rig.answer("listallinfo", "a").contains("Title: kept"))
    #expect(try rig.answer("lsinfo", "a").contains("Title: kept"))
  }

  @Test func `Of a directory in which a file changed, came, went or was moved, all is told anew`() throws {
    _ = try rig.answer("listallinfo")
    try directory.write(SoundBytes.flac([("TITLE", "changed"), ("ALBUM", "a")]), to: "music/a/1.flac")
    try scan()
    #expect(try kept() == "b")
    #expect(try rig.answer("listallinfo").contains("Title: changed"))
    #expect(try kept() == "a b")
    try directory.write(SoundBytes.flac([("TITLE", "new"), ("ALBUM", "b")]), to: "music/b/3.flac")
    try scan()
    #expect(try kept() == "a")
    #expect(try rig.answer("listallinfo").contains("Title: new"))
    try directory["music/b/3.flac"].rename(to: directory["music/a/3.flac"])
    try scan()
    #expect(try kept() == "")
    #expect(try rig.answer("listallinfo").contains("file: a/3.flac"))
    directory.remove("music/a/3.flac")
    try scan()
    #expect(try kept() == "b")
    #expect(try !rig.answer("listallinfo").contains("Title: new"))
  }

  @Test func `A scan drops nothing of what is as it was, whether or not it is read anew`() throws {
    // Albums of more tracks than are grouped at a time, and of several directories.
    for number in 1...80 {
      for (directory, album) in [("many", "Many"), ("set/CD\(number % 2 + 1)", "Set")] {
        try addTrack(number, to: directory, album: album)
      }
    }
    try scan()
    _ = try rig.answer("listallinfo")
    #expect(try kept() == "a b many set/CD1 set/CD2")
    try scan()
    #expect(try kept() == "a b many set/CD1 set/CD2")
    try scan(again: true)
    #expect(try kept() == "a b many set/CD1 set/CD2")
    // Its place in the album moves those of all others, of which nothing is told otherwise.
    try addTrack(0, to: "set/CD1", album: "Set")
    try scan()
    #expect(try kept() == "a b many set/CD2")
    _ = try rig.answer("listallinfo")
    // It has another time, which is told.
    try addTrack(0, to: "set/CD1", album: "Set")
    try addTrack(7, to: "many", album: "Other")
    try scan(again: true)
    #expect(try kept() == "a b set/CD2")
    let lines = try rig.answer("listallinfo")
    try execute("DELETE FROM listing")
    #expect(try rig.answer("listallinfo") == lines)
  }

  private func addTrack(_ number: Int, to place: String, album: String) throws {
    let tags = [("TITLE", "T\(number)"), ("ALBUM", album), ("TRACKNUMBER", "\(number)"), ("ARTIST", "A")]
    try directory.write(SoundBytes.flac(tags), to: FilePath("music/\(place)/\(number).flac"))
  }

  @Test func `What will be listed is made before anybody asks, also of what changes later`() throws {
    let done = Watched<UInt64?>(nil)
    let clock = ManualClock()
    clock.setBusyCount { 1 }
    let preparation = try ListingPreparation(rig.remote, clock: clock, isAsked: { true }) { version in
      done.change { $0 = version }
    }
    defer { preparation.end() }
    #expect(clock.run { done.value == 0 })
    #expect(try kept() == "a b")
    try directory.write(SoundBytes.flac([("TITLE", "new"), ("ALBUM", "b")]), to: "music/b/3.flac")
    try scan()
    #expect(try kept() == "a")
    var summary = ScanSummary()
    summary.addedCount = 1
    rig.dispatcher.dispatch(.scan(.everything))
    rig.dispatcher.dispatch(.report(.began))
    rig.dispatcher.dispatch(.report(.ended(summary, isComplete: true, elapsed: .zero)))
    #expect(clock.run { done.value == 1 })
    #expect(try kept() == "a b")
    // It is what a client would have had made.
    let made = try rig.answer("listallinfo")
    try execute("DELETE FROM listing")
    #expect(try rig.answer("listallinfo") == made)
    #expect(made.contains("Title: new"))
  }

  @Test func `While the library is read, nothing is made`() throws {
    rig.dispatcher.dispatch(.scan(.everything))
    rig.dispatcher.dispatch(.report(.began))
    let done = Watched<UInt64?>(nil)
    let clock = ManualClock()
    clock.setBusyCount { 1 }
    let preparation = try ListingPreparation(rig.remote, clock: clock, isAsked: { false }) { version in
      done.change { $0 = version }
    }
    defer { preparation.end() }
    #expect(clock.comesToRest(withinMilliseconds: 60_000))
    #expect(done.value == nil)
    #expect(try kept() == "")
    rig.dispatcher.dispatch(.report(.ended(ScanSummary(), isComplete: true, elapsed: .zero)))
    #expect(clock.run { done.value == 0 })
    #expect(try kept() == "a b")
  }

  @Test func `A directory of another name is told under that`() throws {
    _ = try rig.answer("listallinfo")
    try directory["music/a"].rename(to: directory["music/c"])
    try scan()
    let lines = try rig.answer("listallinfo")
    #expect(lines.filter { $0.hasPrefix("file: ") }.map { $0.dropFirst(6).first } == ["b", "b", "c", "c"])
  }

  @Test func `While another writes, all is told and nothing kept`() throws {
    try database().inDatabase { database in
      try database.inTransaction(.immediate) {
        let lines = try rig.answer("listallinfo")
        #expect(lines.count { $0.hasPrefix("file: ") } == 4)
        return .rollback
      }
    }
    #expect(try kept() == "")
  }

  @Test func `A client that wants fewer tags is told those, and nothing of it is kept`() throws {
    let all = try rig.answer("listallinfo")
    try execute("DELETE FROM listing")
    var client = try rig.rig.client()
    _ = try client.answer(["tagtypes", "disable", "Title"])
    #expect(try client.answer(["listallinfo"]) == all.filter { !$0.hasPrefix("Title: ") })
    #expect(try kept() == "")
    _ = try rig.answer("listallinfo")
    #expect(try client.answer(["listallinfo"]) == all.filter { !$0.hasPrefix("Title: ") })
  }

  @Test func `What is kept has a form of its own whenever a song is told otherwise`() throws {
    let names = try rig.answer("listallinfo", "a").compactMap { $0.split(separator: ":").first }
      .drop { $0 != "file" }
    // Where this changes, the form in `SongLines` is to be raised, and this with it.
    let song = ["file", "Last-Modified", "Format", "Album", "Title", "Time", "duration"]
    #expect(names == ArraySlice((song + song).map { Substring($0) }))
    let key = try database().read { try Data.fetchOne($0, sql: "SELECT key FROM listing") }
    #expect(key == Data("3:a/".utf8))
  }
}
