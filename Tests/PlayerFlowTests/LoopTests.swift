// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Passages that are repeated.
@Suite struct LoopTests {
  /// Returns a player of two tracks, the first of which plays at `position`, and its source.
  private func playing(at position: Duration) throws -> (ReducedPlayer, PlaybackSource.ID) {
    var player = ReducedPlayer()
    player.reduce(.queue(.enqueue(PlayerStateTests.album(2), item: 0)), audible: nil)
    var source: PlaybackSource.ID?
    for case .play(let played, _, _, _) in player.effects { source = played.id }
    let id = try #require(source)
    let executed = ExecutedCommands(source: id)
    player.reduce(.engine(.changed(.playing), after: executed), audible: nil)
    player.reduce(.engine(PlayerStateTests.started(id), after: executed), audible: nil)
    player.reduce(.engine(.position(id, position), after: executed), audible: nil)
    return (player, id)
  }

  private func passage(_ start: Int, _ end: Int) -> SourcePassage? {
    SourcePassage(start: .seconds(start), end: .seconds(end))
  }

  @Test func `A passage around the present position is repeated from there, another one from its beginning`() throws {
    var (player, id) = try playing(at: .seconds(5))
    player.reduce(.playback(.loop(.passage(from: .seconds(2), to: .seconds(9)))), audible: nil)
    #expect(player.effects == [.setPassage(passage(2, 9), of: id)])
    player.reduce(.playback(.loop(.passage(from: .seconds(20), to: .seconds(30)))), audible: nil)
    #expect(player.effects == [.setPassage(passage(20, 30), of: id), .seek(.to(.seconds(20)))])
    let status = PlayerStatus(player.state.playback, queue: player.state.queue)
    #expect(status.loop == PlayerStatus.Loop(start: 20, end: 30) && status.elapsed == 20)
    player.reduce(.playback(.loop(.off)), audible: nil)
    #expect(player.effects == [.setPassage(nil, of: id)] && player.state.playback.loop == nil)
  }

  @Test func `A mark sets the beginning, the end, and then ends the repetition`() throws {
    var (player, id) = try playing(at: .seconds(5))
    let executed = ExecutedCommands(source: id)
    player.reduce(.playback(.loop(.mark)), audible: nil)
    #expect(player.effects.isEmpty && player.state.playback.loop == Loop(start: .seconds(5), end: nil))
    player.reduce(.engine(.position(id, .seconds(8)), after: executed), audible: nil)
    player.reduce(.playback(.loop(.mark)), audible: nil)
    #expect(player.effects == [.setPassage(passage(5, 8), of: id), .seek(.to(.seconds(5)))])
    player.reduce(.playback(.loop(.mark)), audible: nil)
    #expect(player.effects == [.setPassage(nil, of: id)] && player.state.playback.loop == nil)
  }

  @Test func `A mark before the beginning is another beginning`() throws {
    var (player, _) = try playing(at: .seconds(5))
    player.reduce(.playback(.loop(.mark)), audible: nil)
    player.reduce(.playback(.seek(.to(.seconds(1)))), audible: nil)
    player.reduce(.playback(.loop(.mark)), audible: nil)
    #expect(player.effects.isEmpty && player.state.playback.loop == Loop(start: .seconds(1), end: nil))
  }

  @Test func `A seek within the passage keeps it, and one out of it ends it`() throws {
    var (player, id) = try playing(at: .seconds(5))
    player.reduce(.playback(.loop(.passage(from: .seconds(2), to: .seconds(9)))), audible: nil)
    player.reduce(.playback(.seek(.to(.seconds(8)))), audible: nil)
    #expect(player.effects == [.seek(.to(.seconds(8)))] && player.state.playback.loop != nil)
    player.reduce(.playback(.seek(.to(.seconds(9)))), audible: nil)
    #expect(player.effects == [.setPassage(nil, of: id), .seek(.to(.seconds(9)))])
    #expect(player.state.playback.loop == nil)
  }

  @Test func `Another track and a stop end the repetition`() throws {
    for action in [PlaybackAction.next, .stop(rewinds: false)] {
      var (player, _) = try playing(at: .seconds(5))
      player.reduce(.playback(.loop(.passage(from: .seconds(2), to: .seconds(9)))), audible: nil)
      player.reduce(.playback(action), audible: nil)
      #expect(player.state.playback.loop == nil)
    }
    var stopped = ReducedPlayer()
    stopped.reduce(.playback(.loop(.mark)), audible: nil)
    #expect(stopped.effects.isEmpty && stopped.state.playback.loop == nil)
  }
}
