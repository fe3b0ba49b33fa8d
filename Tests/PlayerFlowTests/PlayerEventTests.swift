// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import MusicModel
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

@Suite struct PlayerEventTests {
  private let queue: PlayQueue

  init() {
    let tracks = (1...3).map { number in
      var track = Track(path: FilePath("/music/\(number).flac"), title: "Title \(number)")
      track.artists = ["First", "Second"]
      track.number = Ordinal(number)
      track.disc = Ordinal(2)
      return track
    }
    var queue = PlayQueue()
    queue.reduce(.enqueue(TrackCollection(title: "Album", tracks: tracks), item: 0))
    self.queue = queue
  }

  /// Returns the events that `actions` cause in the state `before`.
  private func events(
    _ actions: [PlaybackAction], after before: PlaybackState = PlaybackState()
  ) -> [PlayerEvent] {
    var after = before
    for action in actions { _ = after.reduce(action) }
    return PlayerEvent.events(from: before, to: after, queue)
  }

  private func playing(at position: Duration = .zero) -> PlaybackState {
    var state = PlaybackState()
    let id = queue.items.id(at: 0)
    _ = state.reduce(.report(.requested(id)))
    _ = state.reduce(.report(.confirmed(.playing)))
    _ = state.reduce(.report(.started(id, format: .cd, stream: .cd, gain: .off, duration: .seconds(60))))
    _ = state.reduce(.report(.position(id, position)))
    return state
  }

  @Test func `A track event has the artists, the numbers and the upcoming track`() throws {
    let state = playing()
    let event = try #require(
      PlayerEvent.events(from: PlaybackState(), to: state, queue).first { $0.event == .track })
    let song = try #require(event.song)
    #expect(song.artist == "First, Second" && song.artists == ["First", "Second"])
    #expect(song.track == 1 && song.disc == 2 && song.cover == nil && event.next?.title == "Title 2")
  }

  @Test func `A new title of a stream is an event, and a track has the title that is known when it starts`() throws {
    let id = queue.items.id(at: 0)
    let text = { SourceText(station: "Radio", title: $0, artists: ["Band"]) }
    let first = try #require(events([.report(.text(id, text("One")))], after: playing()).first)
    #expect(first.event == .title && first.song?.title == "One" && first.song?.artists == ["Band"])
    #expect(first.song?.album == "Radio")
    var state = playing()
    _ = state.reduce(.report(.text(id, text("One"))))
    #expect(events([.report(.text(id, text("One")))], after: state).isEmpty)
    #expect(events([.report(.text(id, text("Two")))], after: state).map(\.song?.title) == ["Two"])
    let started = PlayerEvent.events(from: PlaybackState(), to: state, queue)
    #expect(started.filter { $0.event == .track }.map(\.song?.title) == ["One"])
    #expect(!started.contains { $0.event == .title })
  }

  @Test func `Events of a pause and a stop have the elapsed time`() throws {
    let state = playing(at: .seconds(12))
    let pause = try #require(events([.report(.changed(.paused))], after: state).first)
    #expect(pause.event == .state && pause.phase == .paused && pause.elapsed == 12)
    let stop = try #require(events([.stop(rewinds: false)], after: state).first)
    #expect(stop.event == .state && stop.phase == .stopped && stop.elapsed == 12)
  }

  @Test func `Changes of crossfade, ReplayGain and the output are events`() throws {
    let crossfade = try #require(
      events([.setCrossfade(Crossfade(duration: .seconds(6), withinAlbums: true))]).first)
    #expect(crossfade.event == .crossfade && crossfade.crossfade == 6 && crossfade.crossfadeAlbums == true)
    let gain = try #require(events([.setReplayGain(ReplayGainSettings(mode: .album))]).first)
    #expect(gain.event == .replayGain && gain.replayGain == "album" && gain.event.rawValue == "replaygain")
    let output = PlaybackState.Output(
      name: "pulse", format: DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16),
      latency: .milliseconds(300))
    let opened = try #require(events([.report(.outputOpened(output, warning: nil))]).first)
    #expect(opened.event == .outputs && opened.output?.name == "pulse" && opened.isOutputEnabled == true)
    let disabled = try #require(events([.enableOutput(false)]).first)
    #expect(disabled.event == .outputs && disabled.output == nil && disabled.isOutputEnabled == false)
  }

  @Test func `Events of edits and modes have the upcoming track`() throws {
    var after = queue
    after.reduce(.remove(.positions([1..<2])))
    let edit = try #require(PlayerEvent.events(from: queue, to: after).first)
    #expect(edit.event == .queue && edit.next?.title == "Title 3")
    var repeated = queue
    repeated.reduce(.setRepeat(.one))
    let mode = try #require(PlayerEvent.events(from: queue, to: repeated).first)
    #expect(mode.event == .modes && mode.next?.title == "Title 1")
  }

  @Test func `A cover is a path or false in JSON, and a status without the newer keys is decoded`() throws {
    var status = PlayerStatus(playing(), queue: queue)
    for cover in [PlayerStatus.Cover.file("/music/cover.jpg"), .missing, nil] {
      status.song?.cover = cover
      let decoded = try JSONDecoder().decode(PlayerStatus.self, from: JSONEncoder().encode(status))
      #expect(decoded == status)
    }
    status.song?.cover = .missing
    #expect(String(decoding: try JSONEncoder().encode(status), as: UTF8.self).contains(#""cover":false"#))
    var object = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(status)) as? [String: Any])
    var song = try #require(object["song"] as? [String: Any])
    for key in ["artists", "track", "disc", "cover"] { song[key] = nil }
    for key in ["crossfadeAlbums", "isOutputEnabled"] { object[key] = nil }
    object["song"] = song
    let old = try JSONDecoder().decode(
      PlayerStatus.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(old.song?.artists == nil && old.song?.cover == nil && old.crossfadeAlbums == nil)
  }
}

@Suite struct PlayCounterTests {
  private let format = AudioFormat(sampleRate: 44_100, channels: 2, coding: .lossy)

  /// Returns a state in which the item `id` of length `seconds` is playing.
  private func playing(_ id: UInt64, lasting seconds: Int) throws -> PlaybackState {
    let format = try #require(format)
    var state = PlaybackState()
    _ = state.reduce(.report(.requested(PlayQueue.Item.ID(rawValue: 1))))
    _ = state.reduce(.report(.changed(.playing)))
    _ = state.reduce(
      .report(
        .started(
          PlayQueue.Item.ID(rawValue: id), format: format, stream: format, gain: .off,
          duration: .seconds(seconds))))
    return state
  }

  /// Advances the position of `state` second by second. Returns the seconds at which the track counted as played.
  private func counts(
    _ listeningTime: inout PlayCounter.ListeningTime, _ state: inout PlaybackState, _ id: UInt64, _ seconds: Range<Int>
  ) -> [Int] {
    seconds.filter { second in
      _ = state.reduce(.report(.position(PlayQueue.Item.ID(rawValue: id), .seconds(second))))
      _ = listeningTime.leave(for: state)
      return listeningTime.advance(to: state)
    }
  }

  /// Returns the state in which the item `id` of length `seconds` has started after that of `state`.
  private func starting(_ id: UInt64, after state: PlaybackState, lasting seconds: Int = 100) throws -> PlaybackState {
    let format = try #require(format)
    var state = state
    let id = PlayQueue.Item.ID(rawValue: id)
    _ = state.reduce(.report(.requested(id)))
    _ = state.reduce(
      .report(.started(id, format: format, stream: format, gain: .off, duration: .seconds(seconds))))
    return state
  }

  @Test func `A track counts once half of it has been heard, and again when it is played again`() throws {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(1, lasting: 60)
    #expect(counts(&listeningTime, &state, 1, 0..<60) == [30])
    _ = state.reduce(.report(.requested(PlayQueue.Item.ID(rawValue: 1))))
    let format = try #require(format)
    _ = state.reduce(
      .report(
        .started(
          PlayQueue.Item.ID(rawValue: 1), format: format, stream: format, gain: .off, duration: .seconds(60)))
    )
    #expect(counts(&listeningTime, &state, 1, 0..<60) == [30])
  }

  @Test(arguments: [true, false])
  func `The start of a track is reported once it is heard, and only to who wants that`(isWanted: Bool) throws {
    let dispatcher = QueueDispatcher()
    let store = PlayerStore(dispatcher: dispatcher)
    let (queue, playback) = (QueueListener(store), PlaybackStore(store))
    let events = Watched<[PlayCounter.Event]>([])
    let counter = try PlayCounter(queue: queue, playback: playback, now: { 1_000 }, reportsStarts: { isWanted }) {
      event in
      events.change { $0.append(event) }
    }
    PlayerActionCreator(dispatcher: dispatcher).enqueue(
      TrackCollection(title: "T", tracks: [Track(path: "/a", title: "A")]), item: 0)
    let (id, format) = (try #require(queue.queue.current?.id), try #require(format))
    for report: PlaybackReport in [
      .requested(id), .changed(.playing),
      .started(id, format: format, stream: format, gain: .off, duration: .seconds(60)),
      .position(id, .seconds(1)), .position(id, .seconds(2)), .position(id, .seconds(3)),
    ] {
      dispatcher.dispatch(.playback(.report(report)))
    }
    counter.finish(until: .now.advanced(byMilliseconds: 60_000))
    let starts = events.value.compactMap { if case .started(let listening) = $0 { listening } else { nil } }
    #expect(starts.map(\.track.title) == (isWanted ? ["A"] : []))
    #expect(starts.allSatisfy { $0.start == 999 && $0.duration == .seconds(60) && $0.origin == "T" })
  }

  /// Returns the state in which an item of 200 s has started of which only this part is played.
  private func playing(_ part: PlayedPart) throws -> PlaybackState {
    let (format, id) = (try #require(format), PlayQueue.Item.ID(rawValue: 1))
    var state = PlaybackState()
    for report: PlaybackReport in [
      .requested(id), .changed(.playing),
      .started(id, format: format, stream: format, gain: .off, duration: .seconds(200), part: part),
    ] {
      _ = state.reduce(.report(report))
    }
    return state
  }

  @Test func `Silence that is skipped belongs neither to what was heard nor to what was left`() throws {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(PlayedPart(start: .seconds(50), end: .seconds(130)))
    #expect(state.position == .seconds(50))
    #expect(counts(&listeningTime, &state, 1, 50..<130) == [90])
    // It ends by itself after 15 s.
    listeningTime = PlayCounter.ListeningTime()
    state = try playing(PlayedPart(start: .seconds(50), end: .seconds(65)))
    _ = listeningTime.leave(for: state)
    #expect(counts(&listeningTime, &state, 1, 50..<53).isEmpty)
    let left = state
    #expect(listeningTime.leave(for: try starting(2, after: left)) == .skipped)
    listeningTime = PlayCounter.ListeningTime()
    state = try playing(PlayedPart(start: .seconds(50), end: .seconds(65)))
    #expect(counts(&listeningTime, &state, 1, 50..<65) == [58])
    #expect(listeningTime.leave(for: try starting(2, after: state)) == .finished)
  }

  @Test func `A crossfade into what begins late is over after its length`() throws {
    let (format, id) = (try #require(format), PlayQueue.Item.ID(rawValue: 2))
    var state = try playing(PlayedPart())
    _ = state.reduce(
      .report(
        .started(
          id, format: format, stream: format, gain: .off, duration: .seconds(200), crossfade: .seconds(3),
          part: PlayedPart(start: .seconds(5)))))
    #expect(state.isCrossfading)
    _ = state.reduce(.report(.position(id, .seconds(7))))
    #expect(state.isCrossfading)
    _ = state.reduce(.report(.position(id, .seconds(8))))
    #expect(!state.isCrossfading)
  }

  @Test func `A long track counts after four minutes`() throws {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(1, lasting: 3600)
    #expect(counts(&listeningTime, &state, 1, 0..<1000) == [240])
  }

  @Test(arguments: [(0, false), (1, true), (5, true), (19, true), (20, false), (49, false), (50, false)])
  func `A track that is left within 20 seconds was skipped`(seconds: Int, isSkipped: Bool) throws {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(1, lasting: 200)
    _ = counts(&listeningTime, &state, 1, 0..<seconds + 1)
    #expect((listeningTime.leave(for: try starting(2, after: state)) == .skipped) == isSkipped)
  }

  @Test func `What ends, is played again or cannot be played was not skipped`() throws {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(1, lasting: 100)
    // It was resumed near its end.
    _ = counts(&listeningTime, &state, 1, 95..<100)
    state = try starting(2, after: state)
    #expect(listeningTime.leave(for: state) == nil)
    _ = counts(&listeningTime, &state, 2, 0..<5)
    state = try starting(2, after: state)
    #expect(listeningTime.leave(for: state) == nil)
    _ = counts(&listeningTime, &state, 2, 0..<5)
    _ = state.reduce(.stop(rewinds: false))
    #expect(listeningTime.leave(for: state) == nil)
    // What was stopped is not left later.
    #expect(listeningTime.leave(for: try starting(3, after: state)) == nil)
  }

  @Test func `What was resumed in the middle was not skipped, and a request does not hide where a track was left`()
    throws
  {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(1, lasting: 100)
    _ = state.reduce(.report(.position(PlayQueue.Item.ID(rawValue: 1), .seconds(55))))
    #expect(listeningTime.leave(for: state) == nil)
    _ = counts(&listeningTime, &state, 1, 55..<60)
    state = try starting(2, after: state)
    #expect(listeningTime.leave(for: state) == nil)
    // Left at its end: the request for the next item is delivered first.
    _ = counts(&listeningTime, &state, 2, 0..<2)
    _ = counts(&listeningTime, &state, 2, 98..<100)
    _ = state.reduce(.report(.requested(PlayQueue.Item.ID(rawValue: 3))))
    #expect(listeningTime.leave(for: state) == nil && !listeningTime.advance(to: state))
    #expect(listeningTime.leave(for: try starting(3, after: state)) == nil)
  }

  @Test func `Parts skipped by seeking do not count`() throws {
    var listeningTime = PlayCounter.ListeningTime()
    var state = try playing(1, lasting: 100)
    #expect(counts(&listeningTime, &state, 1, 0..<10).isEmpty)
    #expect(counts(&listeningTime, &state, 1, 80..<99).isEmpty)
  }
}
