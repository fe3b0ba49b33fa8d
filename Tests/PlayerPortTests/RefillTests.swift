// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import PlayerPort

/// Music that is added before a queue ends.
struct RefillTests {
  private let library: ExampleLibrary
  private static let now: Int64 = 1_800_000_000

  /// A library of ten artists with four tracks each, of two genres and decades.
  init() throws {
    library = try ExampleLibrary(["Untagged"])
    for artist in 0..<10 {
      for number in 1...4 {
        let tags = [
          ("ARTIST", "Artist \(artist)"), ("ALBUM", "Album \(artist)"), ("TRACKNUMBER", "\(number)"),
          ("GENRE", artist < 5 ? "Jazz" : "Rock"), ("DATE", artist.isMultiple(of: 2) ? "1958" : "1985"),
        ]
        try library.write("\(artist)-\(number)", tags)
      }
    }
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
  }

  private func tracks(_ text: String) throws -> [Track] {
    let today = try #require(ReleaseDate(year: 2026))
    let query = try LibraryQueryParser(today: today).parse(text)
    return try library.index.tracks(query, order: LibraryOrder(), window: .init()).elements.map(\.track)
  }

  private func queue(_ text: String) throws -> PlayQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "T", tracks: TrackList(try tracks(text))), item: 0))
    return queue
  }

  private func added(_ mode: String, after queue: PlayQueue, seed: UInt64 = 1, hours: Int = 48) throws -> [Track] {
    let language = QueryLanguage(
      parse: { text throws(LibraryQueryError) in
        guard let today = ReleaseDate(year: 2026) else { return .nothing }
        return try LibraryQueryParser(today: today).parse(text)
      }, makeQuery: \.query)
    return try RefillMusic(index: library.index, language: language, hours: hours, now: Self.now, seed: seed)
      .tracks(for: try #require(KeepPlaying(mode)), after: queue)
  }

  private func play(_ track: Track, at time: Int64) throws {
    _ = try library.index.count(.play, of: track.path, nil, at: time)
    _ = try library.index.log(LoggedPlay(time: time, heard: .seconds(9), origin: "", track: track))
  }

  @Test func `Ten tracks of a query are added, none twice, and no artist after itself`() throws {
    let queue = try queue("artist:\"artist 1\"")
    for seed in 0..<20 {
      let added = try added("genre:jazz", after: queue, seed: UInt64(seed))
      #expect(added.count == 10 && Set(added.map(\.path)).count == 10)
      #expect(added.allSatisfy { $0.genres == ["Jazz"] && $0.artists != ["Artist 1"] })
      #expect(!zip(added, added.dropFirst()).contains { $0.artists == $1.artists })
    }
    #expect(try added("genre:jazz", after: queue, seed: 1) != added("genre:jazz", after: queue, seed: 2))
  }

  @Test func `What was played lately is added only if there is nothing else`() throws {
    let queue = try queue("artist:\"artist 9\"")
    let recent = try tracks("artist:\"artist 3\" or artist:\"artist 4\"")
    for track in recent { try play(track, at: Self.now - 3_600 * 47) }
    let wanted = "artist:\"artist 3\" or artist:\"artist 4\" or artist:\"artist 5\""
    #expect(Set(try added(wanted, after: queue).map(\.artists)) == [["Artist 5"]])
    #expect(Set(try added(wanted, after: queue, hours: 46).map(\.artists)).count == 3)
    #expect(try added("artist:\"artist 3\"", after: queue).count == 4)
    // The queue itself is the last resort.
    #expect(try added("artist:\"artist 9\"", after: queue).count == 4)
    #expect(try added("artist:nobody", after: queue) == [])
  }

  @Test func `A whole album is added`() throws {
    let added = try added("albums genre:rock", after: try queue("artist:\"artist 9\""))
    #expect(added.count == 4 && Set(added.map(\.album)).count == 1 && added.map(\.number?.number) == [1, 2, 3, 4])
    #expect(added[0].album != "Album 9")
  }

  @Test func `Similar music has the genre and the decade, or is played together`() throws {
    let queue = try queue("artist:\"artist 0\"")
    // Artists 2 and 4 have both; 10 tracks need no others but those of the same genre.
    let plain = try added("similar", after: queue)
    #expect(plain.allSatisfy { $0.genres == ["Jazz"] })
    #expect(Set(plain.prefix(4).map(\.artists)).isSubset(of: [["Artist 2"], ["Artist 4"]]))
    // Artist 7 has neither, but is always played with artist 0.
    let (own, other) = (try tracks("artist:\"artist 0\""), try tracks("artist:\"artist 7\""))
    for day in 0..<3 as Range<Int64> {
      try play(own[0], at: Self.now - 864_000 - day * 86_400)
      try play(other[0], at: Self.now - 863_000 - day * 86_400)
    }
    let found = try (0..<20).flatMap { try added("similar", after: queue, seed: UInt64($0)) }
    #expect(found.contains { $0.artists == ["Artist 7"] })
    #expect(!found.contains { ["Artist 5", "Artist 6", "Artist 8", "Artist 9"].contains($0.artists.first) })
  }

  @Test func `The queue is refilled when two tracks are left, once for each, and not what was undone`() throws {
    let rig = try PortRig(library)
    let refiller = try QueueRefiller(rig.player, hours: 48)
    defer { withExtendedLifetime(refiller) {} }
    let listener = rig.player.parts.queue
    let sizes = Watched(0)
    let subscription = listener.observe { queue in sizes.change { $0 = queue.items.count } }
    defer { subscription.cancel() }
    rig.actions.setKeepPlaying(KeepPlaying(.similar))
    rig.actions.enqueue(TrackCollection(title: "T", tracks: TrackList(try tracks("artist:\"artist 0\""))), item: 0)
    rig.actions.next()
    #expect(sizes.wait { $0 == 14 })
    #expect(listener.queue.items.filter(\.isRefill).count == 10)
    rig.actions.undo()
    rig.actions.awaitDelivery()
    #expect(listener.queue.items.count == 4)
    rig.actions.next()
    #expect(sizes.wait { $0 == 14 })
    // Repeating needs no more music.
    rig.actions.undo()
    rig.actions.setRepeat(.all)
    rig.actions.next()
    rig.actions.awaitDelivery()
    #expect(listener.queue.items.count == 4)
  }
}

/// Smart playlists through the port.
struct SmartPlaylistPortTests {
  private let library: ExampleLibrary
  private let rig: PortRig

  init() throws {
    library = try ExampleLibrary(["Anthem", "Ballad", "Chant"])
    rig = try PortRig(library)
  }

  private func create(_ name: String, _ rules: String, replaces: Bool = false) throws -> PlayerReply {
    try rig.player.send(.playlist(.create(name, rules: rules, replaces: replaces, nil)))
  }

  private func titles(_ view: ListView) throws -> [String] {
    try PlayerLists(rig.player).page(of: view, offset: 0, limit: 9).rows.map(\.title)
  }

  @Test func `A smart playlist is created, listed, shown, loaded and undone`() throws {
    let reply = try create("Late", "query = '*'\norder = '-title'\nlimit = 2")
    guard case .playlistChanged(let changed) = reply.result else { throw PlayerError.unexpectedReply }
    #expect(changed.name == "Late" && changed.count == 2)
    let rows = try PlayerLists(rig.player).page(of: ListView(.playlists), offset: 0, limit: 9).rows
    #expect(rows.map(\.title) == ["Late"] && rows.map(\.detail) == ["smart"])
    #expect(try titles(ListView(.playlist("Late"))) == ["Chant", "Ballad"])
    var narrowed = ListView(.playlist("Late"))
    narrowed.filter = "ball"
    #expect(try titles(narrowed) == ["Ballad"])
    #expect(try titles(ListView(.songs(.playlist("Late")))) == ["Ballad", "Chant"])
    _ = try rig.player.send(.playlist(.load(TypedText("Late"), adds: false, nil)))
    #expect(try rig.player.queue(0..<9).rows.map(\.track.title) == ["Chant", "Ballad"])
    #expect(throws: PlayerError.self) { try create("Late", "query = 'a'") }
    #expect(throws: PlayerError.self) { try create("Other", "query = '('") }
    #expect(throws: PlayerError.self) {
      try rig.player.send(.playlist(.save(TypedText("Late"), replaces: true, nil)))
    }
    _ = try create("Late", "query = 'anthem'", replaces: true)
    #expect(try titles(ListView(.playlist("Late"))) == ["Anthem"])
  }

  @Test func `The examples are created once`() throws {
    for expected in [12, 0] {
      let reply = try rig.player.send(.playlist(.createExamples(nil)))
      guard case .playlistChanged(let changed) = reply.result else { throw PlayerError.unexpectedReply }
      #expect(changed.count == expected)
    }
    #expect(try titles(ListView(.playlist("Never played"))).sorted() == ["Anthem", "Ballad", "Chant"])
    #expect(try PlayerLists(rig.player).page(of: ListView(.playlists), offset: 0, limit: 20).count == 12)
  }
}
