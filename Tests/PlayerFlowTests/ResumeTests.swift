// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Tracks that resume where they were left.
@Suite struct ResumeTests {
  /// Returns a player in which tracks of an hour resume, and which has played nothing.
  private func player() -> ReducedPlayer {
    var player = ReducedPlayer()
    player.reduce(.begin(pausesOnLoss: false, resuming: ResumeRule(minimum: .seconds(1_200))), audible: nil)
    return player
  }

  private func tracks(_ minutes: Int...) -> TrackCollection {
    TrackCollection(
      title: "Book",
      tracks: TrackList(
        minutes.enumerated().map { index, minutes in
          var track = Track(path: FilePath("\(index + 1)"), title: "\(index + 1)")
          track.duration = .seconds(minutes * 60)
          return track
        }))
  }

  private func played(_ effects: [PlayerEffect]) -> (source: PlaybackSource, position: Duration)? {
    for case .play(let source, let position, _, _) in effects { return (source, position) }
    return nil
  }

  @Test func `A long track waits until it is known where it was left, and resumes there`() throws {
    var player = player()
    player.reduce(.queue(.enqueue(tracks(60), item: 0)), audible: nil)
    let item = try #require(player.state.queue.current)
    #expect(player.effects == [.lookUpPosition(item)])
    player.reduce(.storedPosition(item.id, .seconds(1_000)), audible: nil)
    #expect(try #require(played(player.effects)).position == .seconds(1_000))
    #expect(player.state.playback.resumption == Resumption(number: 1, item: item.id, position: .seconds(1_000)))
    #expect(PlayerStatus(player.state.playback, queue: player.state.queue).elapsed == 1_000)
    var notices = PlaybackNotices()
    let lines = notices.notices(for: player.state.playback)
    #expect(lines == ["resumed at 16:40; `segue seek 0` starts from the beginning"])
    #expect(lines.allSatisfy(PlaybackNotices.isGood) && notices.notices(for: player.state.playback).isEmpty)
  }

  @Test func `A track that was not left anywhere, and a short one, begin at their beginning`() throws {
    var player = player()
    player.reduce(.queue(.enqueue(tracks(60, 5), item: 0)), audible: nil)
    let items = player.state.queue.items
    player.reduce(.storedPosition(items[0].id, .zero), audible: nil)
    #expect(try #require(played(player.effects)).position == .zero && player.state.playback.resumption == nil)
    player.reduce(.playback(.next), audible: nil)
    #expect(try #require(played(player.effects)).source.path == FilePath("2"))
  }

  @Test func `A position that is requested, a restart and a seek meanwhile precede the stored position`() throws {
    var player = player()
    player.reduce(.queue(.enqueue(tracks(60, 60), item: 0)), audible: nil)
    let items = player.state.queue.items
    player.reduce(.queue(.play(items[1].id, from: .seconds(9))), audible: nil)
    #expect(try #require(played(player.effects)).position == .seconds(9))
    player.reduce(.queue(.play(items[1].id, from: .zero)), audible: nil)
    #expect(player.effects == [.lookUpPosition(items[1])])
    player.reduce(.playback(.seek(.to(.zero))), audible: nil)
    let source = try #require(played(player.effects))
    #expect(source.position == .zero)
    // The answer comes too late.
    player.reduce(.storedPosition(items[1].id, .seconds(1_000)), audible: nil)
    #expect(player.effects.isEmpty)
    let executed = ExecutedCommands(source: source.source.id)
    player.reduce(.engine(.changed(.playing), after: executed), audible: nil)
    player.reduce(.engine(PlayerStateTests.started(source.source.id), after: executed), audible: nil)
    player.reduce(.engine(.position(source.source.id, .seconds(30)), after: executed), audible: nil)
    player.reduce(.playback(.previous), audible: nil)
    #expect(try #require(played(player.effects)).position == .zero)
  }

  /// Returns a player whose first track plays, and whose second one was left at `position`, with the source of the
  /// first, and the effects of the lookup.
  private func advancing(_ position: Duration) throws -> (ReducedPlayer, PlaybackSource.ID) {
    var player = player()
    player.reduce(.queue(.enqueue(tracks(5, 60), item: 0)), audible: nil)
    let source = try #require(played(player.effects)).source.id
    let executed = ExecutedCommands(source: source)
    player.reduce(.engine(.changed(.playing), after: executed), audible: nil)
    player.reduce(.engine(PlayerStateTests.started(source), after: executed), audible: nil)
    player.reduce(.engine(.needsNext(after: source), after: executed), audible: nil)
    #expect(player.effects == [.lookUpPosition(player.state.queue.items[1])])
    player.reduce(.storedPosition(player.state.queue.items[1].id, position), audible: nil)
    return (player, source)
  }

  @Test func `A long track that begins at its beginning follows without a gap`() throws {
    let (player, source) = try advancing(.zero)
    guard case .setNext(let next?, source, .gapless)? = player.effects.first else {
      Issue.record("\(player.effects)")
      return
    }
    #expect(next.path == FilePath("2"))
  }

  @Test func `One that was left in its middle resumes there after the end of the track before`() throws {
    var (player, source) = try advancing(.seconds(700))
    #expect(player.effects == [.setNext(nil, after: source, .gapless)])
    player.reduce(.engine(.finished, after: ExecutedCommands(source: source)), audible: nil)
    let item = player.state.queue.items[1]
    #expect(player.effects == [.lookUpPosition(item)] && player.state.queue.current?.id == item.id)
    #expect(player.state.playback.phase == .playing && player.state.playback.finishedCount == 0)
    player.reduce(.storedPosition(item.id, .seconds(700)), audible: nil)
    #expect(try #require(played(player.effects)).position == .seconds(700))
  }

  @Test func `What is paused while it waits stays paused`() throws {
    var player = player()
    player.reduce(.queue(.enqueue(tracks(60), item: 0)), audible: nil)
    player.reduce(.playback(.pause), audible: nil)
    let item = try #require(player.state.queue.current)
    player.reduce(.storedPosition(item.id, .seconds(50)), audible: nil)
    guard case .play(_, at: .seconds(50), isPaused: true, _)? = player.effects.first else {
      Issue.record("\(player.effects)")
      return
    }
    // Whoever goes to another track, or stops, is not answered.
    player.reduce(.queue(.play(item.id, from: .zero)), audible: nil)
    player.reduce(.playback(.stop(rewinds: false)), audible: nil)
    player.reduce(.storedPosition(item.id, .seconds(50)), audible: nil)
    #expect(played(player.effects) == nil && player.state.playback.phase == .stopped)
  }

  @Test func `Audiobooks resume whatever their length, and streams never`() throws {
    let rule = ResumeRule(minimum: .seconds(1_200))
    var track = Track(path: "a", title: "a")
    #expect(!rule.applies(to: track) && rule.applies(to: track, duration: .seconds(1_200)))
    track.duration = .seconds(1_199)
    #expect(!rule.applies(to: track) && !rule.mayApply(to: track))
    #expect(ResumeRule(minimum: nil, hasQuery: true).mayApply(to: track))
    track.genres = ["Speech", "AudioBook"]
    #expect(rule.applies(to: track) && ResumeRule(minimum: nil).applies(to: track))
    var stream = Track(path: try #require(StreamAddress("http://radio.example/")).path, title: "Radio")
    (stream.genres, stream.duration) = (["Audiobook"], .seconds(10_000))
    #expect(!rule.applies(to: stream) && !ResumeRule(minimum: nil, hasQuery: true).mayApply(to: stream))
  }
}
