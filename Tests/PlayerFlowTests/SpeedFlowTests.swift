// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Playing faster or slower, as the flow decides it.
@Suite struct SpeedFlowTests {
  private func speed(_ factor: Double) throws -> PlaybackSpeed { try #require(PlaybackSpeed(factor)) }

  /// Returns a player of these tracks, the first of which plays at `speed`, and its source.
  private func playing(_ paths: [String], at speed: PlaybackSpeed = .normal) throws -> (ReducedPlayer, PlaybackSource) {
    var player = ReducedPlayer()
    player.reduce(.playback(.setSpeed(speed)), audible: nil)
    let tracks = paths.map { path in
      var track = Track(path: StreamAddress(path)?.path ?? FilePath(path), title: path)
      track.duration = .seconds(60)
      return track
    }
    player.reduce(.queue(.enqueue(TrackCollection(title: "Tracks", tracks: tracks), item: 0)), audible: nil)
    var played: PlaybackSource?
    for case .play(let source, _, _, _) in player.effects { played = source }
    let source = try #require(played)
    let executed = ExecutedCommands(source: source.id)
    player.reduce(.engine(.changed(.playing), after: executed), audible: nil)
    player.reduce(.engine(PlayerStateTests.started(source.id), after: executed), audible: nil)
    return (player, source)
  }

  private func next(_ player: ReducedPlayer) -> PlaybackSource? {
    for case .setNext(let source, _, _) in player.effects { return source }
    return nil
  }

  @Test func `A change applies to the current track and the next one, and keeps the position`() throws {
    var (player, source) = try playing(["a", "b"])
    let executed = ExecutedCommands(source: source.id)
    player.reduce(.engine(.needsNext(after: source.id), after: executed), audible: nil)
    #expect(next(player)?.speed == .normal)
    let audible = SourcePosition(source: source.id, position: .milliseconds(12_345))
    player.reduce(.playback(.setSpeed(try speed(1.5))), audible: audible)
    #expect(player.effects.first == .setSpeed(try speed(1.5), of: source.id))
    #expect(next(player)?.speed == PlaybackSpeed(1.5))
    #expect(player.playback.position == .milliseconds(12_345) && player.playback.playedSpeed == PlaybackSpeed(1.5))
    let status = PlayerStatus(player.state.playback, queue: player.state.queue)
    #expect(status.speed == 1.5)
    player.reduce(.playback(.setSpeed(try speed(1.5))), audible: audible)
    #expect(player.effects == [])
    player.reduce(.playback(.changeSpeed(by: -9)), audible: audible)
    #expect(player.effects.first == .setSpeed(try speed(0.5), of: source.id))
  }

  @Test func `A stream is played at its own speed, and the file after it at that of the player`() throws {
    var (player, source) = try playing(["http://example.com/radio", "b"], at: speed(2))
    #expect(source.speed == .normal && player.playback.playedSpeed == .normal)
    let executed = ExecutedCommands(source: source.id)
    player.reduce(.engine(.needsNext(after: source.id), after: executed), audible: nil)
    #expect(next(player)?.speed == PlaybackSpeed(2))
    player.reduce(.playback(.setSpeed(try speed(3))), audible: nil)
    #expect(!player.effects.contains { if case .setSpeed = $0 { true } else { false } })
    #expect(next(player)?.speed == PlaybackSpeed(3))
    #expect(PlayerStatus(player.state.playback, queue: player.state.queue).speed == 1)
  }

  @Test func `The time until the sleep timer stops playback is that at the speed`() throws {
    var (player, source) = try playing(["a"], at: speed(2))
    let executed = ExecutedCommands(source: source.id)
    player.reduce(.engine(.position(source.id, .seconds(20)), after: executed), audible: nil)
    player.reduce(.playback(.sleep(SleepTimer(.afterTrack))), audible: nil)
    #expect(player.playback.timeToSleep(in: player.queue, at: .now) == .seconds(20))
  }
}
