// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// The decisions of the player, without an engine, a thread or a clock.
@Suite struct PlayerStateTests {
  static func album(_ count: Int) -> TrackCollection {
    TrackCollection(
      title: "Numbers",
      tracks: (1...max(1, count)).map { number in
        var track = Track(path: FilePath("\(number)"), title: "\(number)")
        track.duration = .seconds(60)
        return track
      })
  }

  static func started(_ source: PlaybackSource.ID) -> EngineEvent {
    .started(source, format: .cd, stream: .cd, duration: .seconds(60))
  }

  /// Returns a state in which the first of three items is playing and the second is the engine's next source, with the
  /// sources of both.
  func playing() throws -> (state: ReducedPlayer, first: PlaybackSource.ID, second: PlaybackSource.ID) {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(3), item: 0)), audible: nil)
    let first = try #require(playedSource(state.effects)).id
    state.reduce(.engine(.changed(.playing), after: ExecutedCommands(source: first)), audible: nil)
    state.reduce(.engine(Self.started(first), after: ExecutedCommands(source: first)), audible: nil)
    state.reduce(.engine(.needsNext(after: first), after: ExecutedCommands(source: first)), audible: nil)
    let second = try #require(nextSource(state.effects, after: first)).id
    return (state, first, second)
  }

  /// Returns the source that the effects play, if any.
  func playedSource(_ effects: [PlayerEffect]) -> PlaybackSource? {
    for case .play(let source, _, _, _) in effects { return source }
    return nil
  }

  /// Returns the source that the effects set as the next one after `id`, if any.
  func nextSource(_ effects: [PlayerEffect], after id: PlaybackSource.ID) -> PlaybackSource? {
    for case .setNext(let source?, let other, _) in effects where other == id { return source }
    return nil
  }

  func currentTitle(_ state: ReducedPlayer) -> String? { state.queue.current?.track.title }

  @Test func `An item is played from the position that the queue gives, followed by the next one`() throws {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(3), item: nil)), audible: nil)
    #expect(playedSource(state.effects) == nil && state.playback.phase == .stopped)
    let second = state.queue.items[1].id
    state.reduce(.queue(.play(second, from: .seconds(7))), audible: nil)
    let source = try #require(playedSource(state.effects))
    #expect(state.effects == [.play(source, at: .seconds(7), isPaused: false)])
    #expect(source.path == FilePath("2") && state.playback.phase == .playing && state.playback.hasRequest)
    state.reduce(.engine(.needsNext(after: source.id), after: ExecutedCommands(source: source.id)), audible: nil)
    #expect(nextSource(state.effects, after: source.id)?.path == FilePath("3"))
  }

  @Test func `What is paused when the engine has just reached the end stays paused`() throws {
    var (state, first, _) = try playing()
    state.reduce(.playback(.pause), audible: nil)
    #expect(state.playback.phase == .paused)
    state.reduce(.engine(.finished, after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.playback.phase == .paused && currentTitle(state) == "2")
    let next = try #require(playedSource(state.effects))
    #expect(state.effects.contains(.play(next, at: .zero, isPaused: true)))
  }

  @Test func `The item that the engine advances to becomes current`() throws {
    var (state, first, second) = try playing()
    state.reduce(.engine(Self.started(second), after: ExecutedCommands(source: first)), audible: nil)
    #expect(currentTitle(state) == "2" && state.playback.item == state.queue.current?.id)
    #expect(playedSource(state.effects) == nil)
  }

  @Test func `A source that starts although it was replaced gives way to its replacement`() throws {
    var (state, first, second) = try playing()
    state.reduce(.queue(.remove(.positions([1..<2]))), audible: nil)
    #expect(nextSource(state.effects, after: first)?.path == FilePath("3"))
    state.reduce(.engine(Self.started(second), after: ExecutedCommands(source: first)), audible: nil)
    #expect(currentTitle(state) == "3" && playedSource(state.effects)?.path == FilePath("3"))
  }

  @Test func `If the current item is removed, the one that takes its place is played`() throws {
    var (state, first, _) = try playing()
    state.reduce(.queue(.remove(.positions([0..<1]))), audible: nil)
    let other = try #require(playedSource(state.effects))
    #expect(currentTitle(state) == "2" && other.path == FilePath("2"))
    // Late events of the removed item have no effect.
    for event in [EngineEvent.finished, .changed(.stopped), Self.started(first), .position(first, .seconds(3))] {
      let before = state
      state.reduce(.engine(event, after: ExecutedCommands(source: first)), audible: nil)
      #expect(state.playback == before.playback && state.queue == before.queue && state.effects.isEmpty, "\(event)")
    }
  }

  @Test func `An edit that leaves nothing to play stops playback, and undoing it resumes`() throws {
    var (state, first, _) = try playing()
    state.reduce(.queue(.clear), audible: SourcePosition(source: first, position: .seconds(21)))
    #expect(state.effects == [.stop] && state.playback.phase == .stopped)
    state.reduce(.queue(.undo(steps: 1)), audible: nil)
    let source = try #require(playedSource(state.effects))
    #expect(state.effects.first == .play(source, at: .seconds(21), isPaused: false))
  }

  @Test func `The phase is what was requested, and the engine confirms it later`() throws {
    var (state, first, _) = try playing()
    state.reduce(.playback(.pause), audible: nil)
    #expect(state.effects == [.pause] && state.playback.phase == .paused)
    state.reduce(.playback(.resume), audible: nil)
    #expect(state.effects == [.resume] && state.playback.phase == .playing)
    state.reduce(.engine(.changed(.paused), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.playback.phase == .playing)
  }

  @Test func `Stopping stores the exact position of that moment`() throws {
    var (state, first, _) = try playing()
    let audible = SourcePosition(source: first, position: .milliseconds(1_234))
    state.reduce(.playback(.stop(rewinds: false)), audible: audible)
    #expect(state.queue.elapsed == .milliseconds(1_234) && state.effects == [.stop])
    state.reduce(.playback(.resume), audible: nil)
    #expect(
      state.effects.contains { if case .play(_, .milliseconds(1_234), false, .zero) = $0 { true } else { false } })
  }

  @Test func `Pausing and stopping publish the exact position of that moment`() throws {
    for (action, phase) in [
      (PlaybackAction.pause, PlayerStatus.Phase.paused), (.stop(rewinds: false), .stopped),
      (.enableOutput(false), .paused),
    ] {
      var (state, first, _) = try playing()
      let before = state.playback
      let audible = SourcePosition(source: first, position: .milliseconds(1_250))
      state.reduce(.playback(action), audible: audible)
      #expect(state.playback.position == .milliseconds(1_250))
      let event = PlayerEvent.events(from: before, to: state.playback, state.queue).first { $0.event == .state }
      #expect(event?.phase == phase && event?.elapsed == 1.25)
    }
  }

  @Test func `The position of a request does not apply to the item that starts instead`() throws {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(3), item: 0)), audible: nil)
    let first = try #require(playedSource(state.effects)).id
    state.reduce(.playback(.seek(.to(.seconds(5_940)))), audible: nil)
    state.reduce(.engine(.needsNext(after: first), after: ExecutedCommands(source: first)), audible: nil)
    let second = try #require(nextSource(state.effects, after: first)).id
    let executed = ExecutedCommands(source: first, seekCount: 1)
    state.reduce(.engine(Self.started(second), after: executed), audible: nil)
    let before = state.playback
    #expect(currentTitle(state) == "2" && before.position == .zero)
    state.reduce(.engine(.position(second, .milliseconds(10)), after: executed), audible: nil)
    #expect(PlayerEvent.events(from: before, to: state.playback, state.queue).isEmpty)
  }

  @Test func `A position from before a seek does not replace the one that was sought`() throws {
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(3), item: 0)), audible: nil)
    let first = try #require(playedSource(state.effects)).id
    state.reduce(.playback(.seek(.to(.seconds(5)))), audible: nil)
    #expect(state.effects == [.seek(.to(.seconds(5)))])
    let early = SourcePosition(source: first, position: .milliseconds(40))
    let (beforeSeek, afterSeek) = (ExecutedCommands(source: first), ExecutedCommands(source: first, seekCount: 1))
    state.reduce(.engine(.changed(.playing), after: beforeSeek), audible: early)
    state.reduce(.engine(Self.started(first), after: beforeSeek), audible: early)
    let changes = state.reduce(.engine(.position(first, .milliseconds(40)), after: beforeSeek), audible: early)
    #expect(changes.isEmpty)
    state.reduce(.storeElapsed, audible: early)
    #expect(state.playback.position == .seconds(5) && state.queue.elapsed == .seconds(5))
    state.reduce(.engine(Self.started(first), after: afterSeek), audible: early)
    #expect(state.playback.position == .seconds(5))
    state.reduce(.engine(.position(first, .seconds(6)), after: afterSeek), audible: nil)
    #expect(state.playback.position == .seconds(6))
  }

  @Test(arguments: [false, true])
  func `The elapsed time of an item that has not been opened is at most the length in its tags`(isPaused: Bool) throws {
    var (state, _, _) = try playing()
    if isPaused { state.reduce(.playback(.pause), audible: nil) }
    let second = state.queue.items[1].id
    state.reduce(.queue(.play(second, from: .seconds(1_000_000))), audible: nil)
    #expect(state.playback.hasRequest && state.playback.requestedPosition == .seconds(60))
    let status = PlayerStatus(state.playback, queue: state.queue)
    #expect(status.elapsed == 60 && status.song?.seconds == 60)
    state.reduce(.playback(.seek(.by(.seconds(-10)))), audible: nil)
    #expect(state.playback.requestedPosition == .seconds(50))
  }

  @Test(arguments: [Duration.seconds(50), .seconds(60), nil])
  func `The elapsed time is at most the length of the file, or that in its tags`(length: Duration?) throws {
    let expected = length ?? .seconds(60)
    var state = ReducedPlayer()
    state.reduce(.queue(.enqueue(Self.album(2), item: nil)), audible: nil)
    let item = state.queue.items[0].id
    state.reduce(.queue(.play(item, from: .seconds(58))), audible: nil)
    let source = try #require(playedSource(state.effects)).id
    let executed = ExecutedCommands(source: source)
    state.reduce(.engine(.changed(.playing), after: executed), audible: nil)
    state.reduce(
      .engine(.started(source, format: .cd, stream: .cd, duration: length), after: executed), audible: nil)
    #expect(state.playback.duration == expected && state.playback.position == min(expected, .seconds(58)))
    // A file can be longer than it states.
    state.reduce(.engine(.position(source, .seconds(70)), after: executed), audible: nil)
    #expect(state.playback.position == expected)
    #expect(state.state.elapsed(of: item, SourcePosition(source: source, position: .seconds(71))) == expected)
    #expect(PlayerStatus(state.playback, queue: state.queue).elapsed == expected / .seconds(1))
    #expect(
      PlayerStatus(PlaybackState(), queue: state.queue, elapsed: .seconds(90)).elapsed == 60, "a stored queue")
  }

  @Test func `The duration and the elapsed time follow a file that grows, and what is not played is reported`() throws {
    var (state, first, second) = try playing()
    let executed = ExecutedCommands(source: first)
    for seconds in [10, 20] as [Int64] {
      state.reduce(
        .engine(.started(first, format: .cd, stream: .cd, duration: .seconds(seconds)), after: executed), audible: nil)
      state.reduce(.engine(.position(first, .seconds(30)), after: executed), audible: nil)
      #expect(state.playback.duration == .seconds(seconds) && state.playback.position == .seconds(seconds))
    }
    #expect(state.playback.startedCount == 1)
    let item = state.playback.item
    state.reduce(.engine(Self.started(second), after: executed), audible: nil)
    let error = DecodingError(path: "1", kind: .malformed, reason: "has become longer")
    state.reduce(.engine(.endedEarly(first, error), after: executed), audible: nil)
    #expect(state.playback.problems.map(\.item) == [item] && state.playback.problems.map(\.error) == [error])
    state.reduce(.engine(.finished, after: executed), audible: nil)
    state.reduce(.engine(.endedEarly(second, error), after: executed), audible: nil)
    #expect(state.playback.problems.count == 2)
  }

  @Test func `Seeking by some seconds is relative to the exact position`() throws {
    var (state, first, _) = try playing()
    let audible = SourcePosition(source: first, position: .milliseconds(2_500))
    state.reduce(.playback(.seek(.by(.seconds(-1)))), audible: audible)
    #expect(state.effects == [.seek(.to(.milliseconds(1_500)))])
  }

  @Test func `After the first seconds, previous restarts the item, and back does not`() throws {
    for (action, expected) in [(PlaybackAction.previous, "2"), (.back, "1")] {
      var (state, first, second) = try playing()
      state.reduce(.engine(Self.started(second), after: ExecutedCommands(source: first)), audible: nil)
      state.reduce(.playback(action), audible: SourcePosition(source: second, position: .seconds(4)))
      #expect(currentTitle(state) == expected)
    }
  }

  @Test func `Before an item has started, previous goes by the position at which it will`() throws {
    for (position, expected) in [(Duration.seconds(4), "2"), (.seconds(2), "1")] {
      var (state, _, _) = try playing()
      state.reduce(.playback(.next), audible: nil)
      state.reduce(.playback(.pause), audible: nil)
      state.reduce(.playback(.seek(.to(position))), audible: nil)
      state.reduce(.playback(.previous), audible: nil)
      #expect(currentTitle(state) == expected)
      #expect(state.playback.requestedPosition == .zero)
    }
  }

  @Test func `After the last item, next stops playback`() throws {
    var (state, _, _) = try playing()
    state.reduce(.playback(.next), audible: nil)
    state.reduce(.playback(.next), audible: nil)
    #expect(currentTitle(state) == "3")
    state.reduce(.playback(.next), audible: nil)
    #expect(state.queue.current == nil && state.effects.contains(.stop) && state.playback.phase == .stopped)
  }

  @Test func `An item that cannot be read is missing, and the next one takes its place`() throws {
    var (state, first, second) = try playing()
    let error = DecodingError(path: "2", kind: .unreadable, reason: "no such file")
    state.reduce(.engine(.failed(second, error), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.queue.items[1].isMissing && state.playback.problems.count == 1)
    #expect(state.effects == [.checkFiles(.untilPresent)])
    state.reduce(.engine(.needsNext(after: second), after: ExecutedCommands(source: first)), audible: nil)
    #expect(nextSource(state.effects, after: first)?.path == FilePath("3"))
  }

  @Test func `Losing the device during a crossfade pauses playback only if the setting says so`() throws {
    for pauses in [true, false] {
      var state = ReducedPlayer()
      state.reduce(.begin(pausesOnLoss: pauses), audible: nil)
      let crossfade = Crossfade(duration: .seconds(5), withinAlbums: true)
      state.reduce(.playback(.setCrossfade(crossfade)), audible: nil)
      state.reduce(.queue(.enqueue(Self.album(3), item: 0)), audible: nil)
      let first = try #require(playedSource(state.effects)).id
      state.reduce(.engine(Self.started(first), after: ExecutedCommands(source: first)), audible: nil)
      state.reduce(.engine(.needsNext(after: first), after: ExecutedCommands(source: first)), audible: nil)
      let second = try #require(nextSource(state.effects, after: first)).id
      state.reduce(.engine(Self.started(second), after: ExecutedCommands(source: first)), audible: nil)
      let lost = OutputError(kind: .lost, description: "unplugged")
      state.reduce(.engine(.outputLost(lost), after: ExecutedCommands(source: first)), audible: nil)
      #expect(state.playback.phase == (pauses ? .paused : .playing) && state.playback.outputLoss == lost)
      #expect(currentTitle(state) == "2")
    }
  }

  @Test func `Going to the next item crossfades while one is playing, if the setting says so`() throws {
    for (isPaused, length) in [(false, Duration.seconds(2)), (true, .seconds(2)), (false, .zero)] {
      var (state, first, _) = try playing()
      let crossfade = Crossfade(duration: .seconds(9), withinAlbums: false, onNext: length)
      state.reduce(.playback(.setCrossfade(crossfade)), audible: nil)
      if isPaused { state.reduce(.playback(.pause), audible: nil) }
      state.reduce(.playback(.next), audible: SourcePosition(source: first, position: .seconds(9)))
      let second = try #require(playedSource(state.effects))
      let expected = isPaused ? .zero : length
      #expect(state.effects.contains(.play(second, at: .zero, isPaused: false, crossfade: expected)))
      let executed = ExecutedCommands(source: second.id)
      state.reduce(.engine(Self.started(second.id), after: executed), audible: nil)
      #expect(currentTitle(state) == "2" && state.playback.isCrossfading == (expected > .zero))
      // Seeking back to the beginning brings no crossfade.
      state.reduce(.playback(.seek(.to(.zero))), audible: nil)
      let seeked = ExecutedCommands(source: second.id, seekCount: 1)
      state.reduce(.engine(Self.started(second.id), after: seeked), audible: nil)
      #expect(!state.playback.isCrossfading)
    }
  }

  @Test func `Losing the device while playback is stopping leaves it stopped`() throws {
    var (state, first, _) = try playing()
    state.reduce(.begin(pausesOnLoss: true), audible: nil)
    state.reduce(.playback(.stop(rewinds: true)), audible: nil)
    let lost = OutputError(kind: .lost, description: "gone")
    state.reduce(.engine(.outputLost(lost), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.playback.phase == .stopped)
    state.reduce(.engine(.changed(.stopped), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.playback.isOver && state.playback.isInterrupted)
  }

  @Test func `An output error of a replaced source does not end its replacement`() throws {
    var (state, first, _) = try playing()
    state.reduce(.queue(.play(state.queue.items[2].id, from: .zero)), audible: nil)
    let error = OutputError(kind: .lost, description: "gone")
    state.reduce(.engine(.outputFailed(error), after: ExecutedCommands(source: first)), audible: nil)
    #expect(state.playback.phase == .playing && state.playback.hasRequest && state.playback.outputError == error)
    #expect(currentTitle(state) == "3")
  }

  @Test func `A new ReplayGain mode applies to the current item at once`() throws {
    var (state, first, _) = try playing()
    state.reduce(.playback(.setReplayGain(ReplayGainSettings(mode: .track))), audible: nil)
    #expect(state.playback.gain == .off)
    let item = state.queue.items[0].id
    let measured = AudioMeasurement(replayGain: ReplayGainTags(trackGain: -6.0206))
    state.reduce(.measurements([item: measured]), audible: nil)
    #expect(abs(state.playback.gain.factor - 0.5) < 0.001)
    #expect(state.effects.contains(.setGain(SourceGain(state.playback.gain), of: first)))
  }

  @Test func `Nothing is played until its ReplayGain values are known`() throws {
    var state = ReducedPlayer()
    state.reduce(.playback(.setReplayGain(ReplayGainSettings(mode: .track))), audible: nil)
    state.reduce(.queue(.enqueue(Self.album(2), item: 0)), audible: nil)
    let item = state.queue.items[0]
    #expect(state.effects == [.lookUpMeasurements([item])])
    state.reduce(.playback(.pause), audible: nil)
    state.reduce(.playback(.seek(.to(.seconds(9)))), audible: nil)
    #expect(state.effects.isEmpty)
    let measured = AudioMeasurement(replayGain: ReplayGainTags(trackGain: -6.0206))
    state.reduce(.measurements([item.id: measured]), audible: nil)
    let source = try #require(playedSource(state.effects))
    #expect(state.effects == [.play(source, at: .seconds(9), isPaused: true)])
    #expect(abs(source.gain.factor - 0.5) < 0.001)
  }
}
