// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Addresses that lead to lists of streams.
extension PlayerStateTests {
  /// The error for an address that leads to streams with these titles.
  private func list(_ titles: String...) throws -> DecodingError {
    let parts = try titles.map { title in
      StreamPart(
        address: try #require(StreamAddress("http://a.example/\(title)")),
        text: SourceText(title: title, artists: ["Band"]))
    }
    return DecodingError(path: "1", kind: .list(parts), reason: "sends a list")
  }

  @Test func `An address that leads to a list is replaced by the streams in it`() throws {
    var (state, first, second) = try playing()
    state.reduce(.engine(.failed(second, try list("x", "y")), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.queue.items.map(\.track.title) == ["1", "x", "y", "3"] && state.playback.problems.isEmpty)
    #expect(state.queue.items[1].track.artists == ["Band"])
    let next = try #require(nextSource(state.effects, after: first))
    #expect(next.path == StreamAddress("http://a.example/x")?.path)
    // One of them is the next list; it comes from a list already.
    state.reduce(.engine(.failed(next.id, try list("z")), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.queue.items.map(\.track.title) == ["1", "x", "y", "3"])
    #expect(state.playback.problems.map(\.item) == [state.queue.items[1].id])
  }

  @Test func `The first stream of a list plays if its address was to play`() throws {
    var (state, first, _) = try playing()
    state.reduce(.queue(.play(state.queue.items[2].id, from: .zero)), audible: nil)
    let source = try #require(playedSource(state.effects)).id
    state.reduce(
      .engine(.failed(source, try list("x", "y")), after: ExecutedCommands(source: source)), audible: nil)
    #expect(state.queue.items.map(\.track.title) == ["1", "2", "x", "y"] && currentTitle(state) == "x")
    #expect(try #require(playedSource(state.effects)).path == StreamAddress("http://a.example/x")?.path)
    _ = first
  }

  @Test func `The rest of a list is given up after many of its streams have failed`() throws {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(1), item: 0)), audible: nil)
    var source = try #require(playedSource(state.effects)).id
    let parts = try (0..<100).map { number in
      StreamPart(address: try #require(StreamAddress("http://a.example/\(number)")), text: SourceText())
    }
    let error = DecodingError(path: "1", kind: .list(parts), reason: "sends a list")
    var triedCount = 0
    state.reduce(.engine(.failed(source, error), after: ExecutedCommands(source: source)), audible: nil)
    source = try #require(playedSource(state.effects)).id
    let executed = ExecutedCommands(source: source)
    while triedCount < 100 {
      triedCount += 1
      state.reduce(.engine(.failed(source, error), after: executed), audible: nil)
      state.reduce(.engine(.needsNext(after: source), after: executed), audible: nil)
      guard let next = nextSource(state.effects, after: source) else { break }
      source = next.id
    }
    #expect(triedCount == 8 && state.queue.items.count == 100)
  }
}
