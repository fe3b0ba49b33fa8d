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
import TimeStretching

@testable import PlayerPort

/// The speeds of tracks that resume where they were left.
@Suite(.enabled(if: TimeStretcher.isAvailable, "needs Rubber Band"))
struct SpeedRecorderTests {
  private let library: ExampleLibrary
  private let dispatcher = QueueDispatcher()
  private let player: LocalPlayer
  private let recorder: SpeedRecorder
  private let speed = Watched(PlaybackSpeed.normal)
  private let observation: Subscription

  /// A player of two parts of an audiobook, a song, and another audiobook.
  init() throws {
    library = try ExampleLibrary(["Song"])
    for title in ["One", "Two"] { try library.write(title, [("GENRE", "Audiobook"), ("ALBUM", "Book")]) }
    try library.write("Other", [("GENRE", "Audiobook"), ("ALBUM", "Other Book")])
    _ = try library.index.scan(progress: { _ in }, isCancelled: { false })
    let store = PlayerStore(dispatcher: dispatcher)
    var parts = LocalPlayer.Parts.withoutEngine(
      QueueListener(store), PlaybackStore(store), PlayerActionCreator(dispatcher: dispatcher), library: library.request)
    let index = library.index
    parts.access.openPresent = { _ in index }
    let everything = try index.tracks(.everything, order: LibraryOrder(), window: .init()).elements.map(\.track)
    let tracks = ["One", "Two", "Song", "Other"].compactMap { title in everything.first { $0.title == title } }
    player = LocalPlayer(parts)
    dispatcher.dispatch(.enqueue(TrackCollection(title: "All", tracks: TrackList(tracks)), item: nil))
    let positions = PositionRecorder(minimum: nil, query: nil)
    try positions.observe(player)
    recorder = SpeedRecorder(positions)
    try recorder.observe(player)
    observation = player.parts.playback.observe { [speed] state in speed.change { $0 = state.speed } }
  }

  private func play(_ index: Int) {
    let id = player.parts.queue.queue.items[index].id
    dispatcher.dispatch(.play(id, from: .zero))
    dispatcher.dispatch(.report(.requested(id)))
    dispatcher.dispatch(.report(.confirmed(.playing)))
    dispatcher.dispatch(.report(.started(id, format: .cd, stream: .cd, gain: .off, duration: .seconds(200))))
  }

  /// Blocks until the sticker of the track with this title has a value.
  private func awaitSticker(_ title: String, _ value: String) throws -> Bool {
    let entries = try library.index.tracks(.everything, order: LibraryOrder(), window: .init()).elements
    let id = try #require(entries.first { $0.track.title == title }).id
    return try eventually { try library.index.sticker("speed", of: id) == value }
  }

  private func isAt(_ factor: Double) -> Bool { speed.wait { $0 == PlaybackSpeed(factor) } }

  @Test func `A book keeps its speed, its next part takes it over, and a song and another book have the common one`()
    throws
  {
    play(0)
    _ = try player.send(.settings(.speed(1.5)))
    #expect(try awaitSticker("One", "1.5"))
    play(1)
    #expect(try awaitSticker("Two", "1.5"))
    #expect(isAt(1.5))
    play(2)
    #expect(isAt(1))
    play(1)
    #expect(isAt(1.5))
    play(3)
    #expect(isAt(1))
    play(2)
    _ = try player.send(.settings(.speed(0.75)))
    play(0)
    #expect(isAt(1.5))
    play(2)
    #expect(isAt(0.75))
    recorder.finish(until: .now.advanced(byMilliseconds: 10_000))
  }

  @Test func `What is set while nothing plays is the speed of songs, not of the book that played before`() throws {
    play(0)
    _ = try player.send(.settings(.speed(1.5)))
    #expect(try awaitSticker("One", "1.5"))
    dispatcher.dispatch(.report(.changed(.stopped)))
    _ = try player.send(.settings(.speed(0.75)))
    play(2)
    #expect(isAt(0.75))
    play(0)
    #expect(isAt(1.5))
    #expect(try awaitSticker("One", "1.5"))
    dispatcher.dispatch(.report(.changed(.stopped)))
    _ = try player.send(.settings(.speed(2)))
    // The next part of the book has none yet.
    play(1)
    #expect(isAt(1.5))
  }

  @Test func `A sticker that is no speed is ignored`() throws {
    let entries = try library.index.tracks(.everything, order: LibraryOrder(), window: .init()).elements
    let id = try #require(entries.first { $0.track.title == "One" }).id
    for value in ["fast", "nan", "0", "1e9", "-1"] {
      try library.index.set(Sticker(name: "speed", value: value), of: .track(id))
      play(0)
      _ = try player.send(.settings(.speed(2)))
      #expect(try awaitSticker("One", "2.0"))
      play(2)
      #expect(isAt(1))
    }
  }
}
