// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import FaceExamples
import Flux
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@testable import PlayerPort

/// Where long tracks are left.
struct PositionRecorderTests {
  private let library: ExampleLibrary
  private let dispatcher = QueueDispatcher()
  private let player: LocalPlayer
  private let storeCount = Watched(0)
  private let clock = ManualClock()

  /// A library of a talk, a song, and an audiobook, and a player with them in its queue. Only the talk is long.
  init() throws {
    library = try ExampleLibrary(["Other"])
    try library.write("Book", [("GENRE", "Audiobook")])
    try library.write("Song", [("GENRE", "Pop")])
    try library.write("Talk", [("GENRE", "Speech")])
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
    let store = PlayerStore(dispatcher: dispatcher)
    var parts = LocalPlayer.Parts.withoutEngine(
      QueueListener(store), PlaybackStore(store), PlayerActionCreator(dispatcher: dispatcher), library: library.request)
    let index = library.index
    parts.access.openPresent = { _ in index }
    parts.access.language = QueryLanguage(
      parse: { text throws(LibraryQueryError) in
        guard let today = ReleaseDate(year: 2026) else { return .nothing }
        return try LibraryQueryParser(today: today).parse(text)
      }, makeQuery: \.query)
    let everything = try index.tracks(.everything, order: LibraryOrder(), window: .init()).elements.map(\.track)
    let tracks = ["Book", "Song", "Talk"].compactMap { title in everything.first { $0.title == title } }
    player = LocalPlayer(parts)
    dispatcher.dispatch(
      .enqueue(
        TrackCollection(
          title: "All",
          tracks: TrackList(
            tracks.map { track in
              var track = track
              track.duration = track.title == "Talk" ? .seconds(7_200) : .seconds(200)
              return track
            })), item: nil))
  }

  private var items: [PlayQueue.Item] { Array(player.parts.queue.queue.items) }

  /// Returns a recorder that observes the player.
  private func recorder(query: String? = nil) throws -> PositionRecorder {
    let recorder = PositionRecorder(minimum: .seconds(1_200), query: query, clock: clock)
    recorder.onStore { [storeCount] in storeCount.change { $0 += 1 } }
    try recorder.observe(player)
    return recorder
  }

  /// Plays the item at `index` from its beginning to `position`.
  private func play(_ index: Int, to position: Duration, part: PlayedPart = PlayedPart()) {
    let (id, duration) = (items[index].id, items[index].track.duration)
    dispatcher.dispatch(.play(id, from: .zero))
    dispatcher.dispatch(.report(.requested(id)))
    dispatcher.dispatch(.report(.confirmed(.playing)))
    dispatcher.dispatch(.report(.started(id, format: .cd, stream: .cd, gain: .off, duration: duration, part: part)))
    dispatcher.dispatch(.report(.position(id, position)))
  }

  private func sticker(_ index: Int) throws -> String? {
    let entries = try library.index.tracks(.everything, order: LibraryOrder(), window: .init()).elements
    let id = try #require(entries.first { $0.track.path == items[index].track.path }).id
    return try library.index.stickers(of: id).first { $0.name == "elapsed" }?.value
  }

  private func setSticker(_ index: Int, _ value: String) throws {
    let entries = try library.index.tracks(.everything, order: LibraryOrder(), window: .init()).elements
    let id = try #require(entries.first { $0.track.path == items[index].track.path }).id
    try library.index.set(Sticker(name: "elapsed", value: value), of: .track(id))
  }

  @Test func `What ends before silence that is skipped is done`() throws {
    let recorder = try recorder()
    play(2, to: .seconds(6_000), part: PlayedPart(end: .seconds(6_600)))
    dispatcher.dispatch(.pause)
    #expect(storeCount.wait { $0 == 1 })
    #expect(try sticker(2) == "6000")
    play(2, to: .seconds(6_590), part: PlayedPart(end: .seconds(6_600)))
    dispatcher.dispatch(.pause)
    #expect(storeCount.wait { $0 == 2 })
    #expect(try sticker(2) == nil)
    recorder.finish(until: clock.now)
  }

  @Test func `A pause stores the position, from which a few seconds are played again`() throws {
    let recorder = try recorder()
    play(2, to: .milliseconds(1_000_900))
    dispatcher.dispatch(.pause)
    #expect(storeCount.wait { $0 >= 1 })
    #expect(try sticker(2) == "1000")
    #expect(recorder.start(of: items[2].track) == .milliseconds(995_900))
    // Without the player, it is known from the index.
    let other = try self.recorder()
    #expect(other.start(of: items[2].track) == .milliseconds(995_000) || other.start(of: items[2].track) > .zero)
  }

  @Test func `Another track, a stop and the end of the player store the position`() throws {
    let recorder = try recorder()
    play(2, to: .seconds(59))
    play(0, to: .seconds(50))
    #expect(recorder.start(of: items[2].track) == .seconds(54))
    dispatcher.dispatch(.stop(rewinds: true))
    #expect(storeCount.wait { $0 >= 2 })
    #expect(try [sticker(2), sticker(0)] == ["59", "50"])
    play(2, to: .seconds(40))
    recorder.finish(until: .now.advanced(byMilliseconds: 60_000))
    #expect(try sticker(2) == "40")
  }

  @Test func `A position is stored once a minute, and not that of a moment`() throws {
    let recorder = try recorder()
    defer { withExtendedLifetime(recorder) {} }
    play(2, to: .seconds(9))
    dispatcher.dispatch(.pause)
    dispatcher.dispatch(.resume)
    for second in 10...59 { dispatcher.dispatch(.report(.position(items[2].id, .seconds(second)))) }
    #expect(try sticker(2) == nil)
    dispatcher.dispatch(.report(.position(items[2].id, .seconds(70))))
    #expect(storeCount.wait { $0 == 1 })
    #expect(try sticker(2) == "70")
  }

  @Test func `What is near its end is done`() throws {
    let recorder = try recorder()
    try setSticker(2, "3000")
    play(2, to: .seconds(7_200 - 71))
    dispatcher.dispatch(.stop(rewinds: false))
    #expect(storeCount.wait { $0 == 1 })
    #expect(try sticker(2) == nil && recorder.start(of: items[2].track) == .zero)
    play(2, to: .seconds(7_200 - 75))
    dispatcher.dispatch(.stop(rewinds: false))
    #expect(storeCount.wait { $0 == 2 })
    #expect(try sticker(2) == "7125")
  }

  @Test func `Songs have no position, unless a query says so`() throws {
    let recorder = try recorder()
    play(1, to: .seconds(100))
    play(0, to: .seconds(100))
    dispatcher.dispatch(.stop(rewinds: false))
    #expect(storeCount.wait { $0 == 1 })
    #expect(try sticker(0) == "100" && sticker(1) == nil)
    #expect(recorder.applies(to: items[0].track, duration: nil) && !recorder.applies(to: items[1].track, duration: nil))
    recorder.finish(until: .now.advanced(byMilliseconds: 60_000))
    let pop = try self.recorder(query: "genre:pop")
    play(1, to: .seconds(100))
    dispatcher.dispatch(.stop(rewinds: false))
    #expect(storeCount.wait { $0 == 2 })
    #expect(try sticker(1) == "100" && pop.start(of: items[1].track) == .seconds(95))
    let rock = try self.recorder(query: "genre:rock")
    #expect(!rock.applies(to: items[1].track, duration: nil) && rock.start(of: items[1].track) == .zero)
  }

  @Test(arguments: ["", "x", "-5", "nan", "inf", "1e999", "1e12", "9", "7190"])
  func `A sticker that is no position in the track is none`(value: String) throws {
    let recorder = try recorder()
    try setSticker(2, value)
    #expect(recorder.start(of: items[2].track) == .zero)
    try setSticker(2, "1000.5")
    #expect(recorder.start(of: items[2].track) == .milliseconds(995_500))
  }

  @Test func `A query that is none is reported, and a track outside of the library has no position`() throws {
    let recorder = try recorder(query: "(jazz")
    #expect(player.snapshot.problems.contains { $0.hasPrefix("the setting `resume` is no query") })
    var stranger = Track(path: "/elsewhere/a.flac", title: "Stranger")
    stranger.duration = .seconds(7_200)
    #expect(recorder.start(of: stranger) == .zero)
  }

  @Test func `After a longer pause, a little is played again`() throws {
    let recorder = try recorder()
    #expect(recorder.isLongPause)
    play(2, to: .seconds(100))
    #expect(!recorder.isLongPause)
    dispatcher.dispatch(.pause)
    #expect(!recorder.isLongPause)
    clock.advance(byMilliseconds: 299_000)
    #expect(!recorder.isLongPause)
    clock.advance(byMilliseconds: 2_000)
    #expect(recorder.isLongPause)
    dispatcher.dispatch(.resume)
    #expect(!recorder.isLongPause)
  }
}
