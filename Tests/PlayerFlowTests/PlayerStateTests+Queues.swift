// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Switching between queues.
extension PlayerStateTests {
  private static var work: QueueName { get throws { try #require(QueueName("work")) } }

  /// Returns a queue of two tracks as it is stored, whose second one is current.
  private static func stored(from position: Duration = .seconds(9)) -> StoredQueue {
    var queue = PlayQueue()
    queue.reduce(.enqueue(album(2), item: 1))
    queue.reduce(.elapsed(position))
    return queue.stored
  }

  @Test func `Another queue plays from its own position, and the first one returns to the same frame`() throws {
    var (state, first, _) = try playing()
    let position = Duration.nanoseconds(21_123_456_789)
    state.reduce(
      .queue(.use(try Self.work, Self.stored())), audible: SourcePosition(source: first, position: position))
    let other = try #require(playedSource(state.effects))
    #expect(state.effects.contains(.play(other, at: .seconds(9), isPaused: false)) && other.path == "2")
    #expect(state.queue.name.description == "work" && state.queue.items.count == 2 && state.playback.phase == .playing)
    // Late events of the first queue have no effect.
    let before = state
    state.reduce(.engine(.position(first, .seconds(50)), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.playback == before.playback && state.queue == before.queue)
    state.reduce(.queue(.use(.standard, PlayQueue().stored)), audible: nil)
    let again = try #require(playedSource(state.effects))
    #expect(state.effects.contains(.play(again, at: position, isPaused: false)) && again.path == "1")
    #expect(state.queue.name == .standard && state.queue.items.count == 3 && state.queue.undoable.count == 1)
  }

  @Test func `A seek in a track that has not started yet is not lost`() throws {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(3), item: 0)), audible: nil)
    state.reduce(.playback(.seek(.to(.seconds(33)))), audible: nil)
    state.reduce(.queue(.use(try Self.work, Self.stored())), audible: nil)
    state.reduce(.queue(.use(.standard, PlayQueue().stored)), audible: nil)
    let source = try #require(playedSource(state.effects))
    #expect(state.effects.contains(.play(source, at: .seconds(33), isPaused: false)))
  }

  @Test func `A pause stays a pause, and a stop a stop`() throws {
    var (state, first, _) = try playing()
    state.reduce(.playback(.pause), audible: SourcePosition(source: first, position: .seconds(5)))
    state.reduce(.queue(.use(try Self.work, Self.stored())), audible: nil)
    let source = try #require(playedSource(state.effects))
    #expect(state.effects.contains(.play(source, at: .seconds(9), isPaused: true)))
    state.reduce(.playback(.stop(rewinds: false)), audible: nil)
    state.reduce(.queue(.use(.standard, PlayQueue().stored)), audible: nil)
    #expect(playedSource(state.effects) == nil && state.playback.phase == .stopped)
    #expect(state.queue.elapsed == .seconds(5))
  }

  @Test func `An empty queue stops playback, which goes on when one returns`() throws {
    var (state, first, _) = try playing()
    let audible = SourcePosition(source: first, position: .seconds(12))
    state.reduce(.queue(.use(try Self.work, PlayQueue().stored)), audible: audible)
    #expect(state.effects.first == .stop && state.playback.isInterrupted && state.queue.items.isEmpty)
    state.reduce(.queue(.use(.standard, PlayQueue().stored)), audible: nil)
    let source = try #require(playedSource(state.effects))
    #expect(state.effects.contains(.play(source, at: .seconds(12), isPaused: false)))
  }

  @Test func `An ID never belongs to items of two queues`() throws {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(3), item: 0)), audible: nil)
    let ids = Set(state.queue.items.map(\.id))
    state.reduce(.queue(.use(try Self.work, PlayQueue().stored)), audible: nil)
    let version = state.queue.version
    state.reduce(.queue(.add(Self.album(2), at: .end)), audible: nil)
    #expect(ids.isDisjoint(with: state.queue.items.map(\.id)))
    // A client that knows the items of the first queue learns that all have changed.
    #expect(state.queue.version > version && state.queue.changes(since: 1) == [0..<2])
    let others = Set(state.queue.items.map(\.id))
    state.reduce(.queue(.use(.standard, PlayQueue().stored)), audible: nil)
    state.reduce(.queue(.add(Self.album(2), at: .end)), audible: nil)
    #expect(others.isDisjoint(with: state.queue.items.map(\.id)))
  }
}
