// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import Platform
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

/// Going from chapter to chapter, and sleeping until the end of one.
@Suite struct ChapterTests {
  private static let chapters = [("One", 0), ("Two", 12_340), ("Three", 30_000)].map { title, start in
    SourceChapter(start: Int64(start), title: title)
  }

  /// Returns a player of three tracks, the second of which plays at `position` and has chapters.
  private func playing(at position: Duration, _ chapters: [SourceChapter] = Self.chapters) throws -> ReducedPlayer {
    var player = ReducedPlayer()
    player.reduce(.queue(.enqueue(PlayerStateTests.album(3), item: 1)), audible: nil)
    guard case .play(let source, _, _, _)? = player.effects.first else { throw Unexpected(player.effects) }
    let executed = ExecutedCommands(source: source.id)
    player.reduce(.engine(.changed(.playing), after: executed), audible: nil)
    player.reduce(.engine(PlayerStateTests.started(source.id), after: executed), audible: nil)
    let text = SourceText(chapters: chapters, chapterIndex: 0)
    player.reduce(.engine(.text(source.id, text), after: executed), audible: nil)
    player.reduce(.engine(.position(source.id, position), after: executed), audible: nil)
    return player
  }

  private struct Unexpected: Error {
    init(_: [PlayerEffect]) {}
  }

  /// Each position in milliseconds, a target, and the position to which it seeks.
  @Test(arguments: [
    (0, ChapterTarget.next, 12_340), (12_339, .next, 30_000), (12_000, .next, 12_340), (12_340, .next, 30_000),
    (20_000, .previous, 12_340), (14_000, .previous, 0), (40_000, .previous, 30_000), (5_000, .previous, 0),
    (5_000, .number(3), 30_000), (50_000, .number(1), 0),
  ]) func `A chapter is sought from the audible position`(from: Int, target: ChapterTarget, to: Int) throws {
    var player = try playing(at: .milliseconds(from))
    player.reduce(.playback(.chapter(target)), audible: nil)
    #expect(player.effects == [.seek(.to(.milliseconds(to)))])
    #expect(player.state.playback.position == .milliseconds(to))
  }

  @Test(arguments: [(ChapterTarget.number(0), 5), (.number(4), 5), (.number(.min), 5), (.number(.max), 5)])
  func `A chapter that there is not is not sought`(target: ChapterTarget, from: Int) throws {
    var player = try playing(at: .seconds(from))
    player.reduce(.playback(.chapter(target)), audible: nil)
    #expect(player.effects.isEmpty)
    player = try playing(at: .seconds(from), [])
    player.reduce(.playback(.chapter(.next)), audible: nil)
    #expect(player.effects.isEmpty)
  }

  @Test func `Beyond the first and the last chapter are the other tracks`() throws {
    var player = try playing(at: .seconds(31))
    player.reduce(.playback(.chapter(.next)), audible: nil)
    #expect(player.state.queue.current?.track.title == "3")
    player = try playing(at: .seconds(2))
    player.reduce(.playback(.chapter(.previous)), audible: nil)
    #expect(player.state.queue.current?.track.title == "1")
    // What comes before the first chapter belongs to none.
    player = try playing(at: .seconds(2), [SourceChapter(start: 10_000, title: "Late")])
    player.reduce(.playback(.chapter(.next)), audible: nil)
    #expect(player.effects == [.seek(.to(.seconds(10)))])
  }

  @Test func `The status and the events have the chapter, also right after a seek`() throws {
    var player = try playing(at: .seconds(5))
    let before = player.state
    var status = PlayerStatus(before.playback, queue: before.queue)
    #expect(status.chapter == "One" && status.chapterNumber == 1 && status.chapterCount == 3)
    player.reduce(.playback(.chapter(.next)), audible: nil)
    status = PlayerStatus(player.state.playback, queue: player.state.queue)
    #expect(status.chapter == "Two" && status.chapterNumber == 2)
    let event = try #require(
      PlayerEvent.events(from: before.playback, to: player.state.playback, player.state.queue).last)
    #expect(event.event == .chapter && event.chapter == "Two" && event.chapterNumber == 2 && event.chapterCount == 3)
    let same = PlayerEvent.events(from: player.state.playback, to: player.state.playback, player.state.queue)
    #expect(same.isEmpty)
  }

  @Test func `The chapter of a position is found among a million`() {
    let many = (0..<1_000_000).map { SourceChapter(start: Int64($0) * 10, title: "\($0)") }
    for (milliseconds, index) in [(0, 0), (9, 1), (8, 0), (123_456, 12_345), (99_999_999, 999_999)] {
      #expect(many.index(at: .milliseconds(milliseconds)) == index)
    }
    #expect(many.end(at: .milliseconds(20)) == .milliseconds(30) && many.end(at: .seconds(10_000)) == nil)
    #expect([SourceChapter]().index(at: .zero) == nil && [SourceChapter]().end(at: .zero) == nil)
  }

  @Test func `The sleep timer waits for the end of the chapter, or of the last one`() throws {
    var player = try playing(at: .seconds(5))
    player.reduce(.playback(.sleep(SleepTimer(.afterChapter, fade: .zero))), audible: nil)
    func left(_ player: ReducedPlayer) -> Duration? {
      player.state.playback.timeToSleep(in: player.state.queue, at: .now)
    }
    #expect(left(player) == .milliseconds(7_340))
    player.reduce(.playback(.chapter(.number(3))), audible: nil)
    #expect(left(player) == .seconds(30))
    player = try playing(at: .seconds(5), [])
    player.reduce(.playback(.sleep(SleepTimer(.afterChapter, fade: .zero))), audible: nil)
    #expect(left(player) == .seconds(55))
  }

  @Test func `Playback stops where the chapter ends, and resumes with the next one`() throws {
    var script = DecodingScript(tag: 1, frameCount: 44_100)
    let marks = [SourceChapter(start: 0, title: "One"), SourceChapter(start: 300, title: "Two")]
    script.texts = [
      (0, SourceText(chapters: marks, chapterIndex: 0)), (13_230, SourceText(chapters: marks, chapterIndex: 1)),
    ]
    let flow = try Flow([script], outputs: CollectingOutputs(granted: 1_000))
    flow.queueDispatcher.dispatch(
      .enqueue(TrackCollection(title: "Book", tracks: [Track(path: "1", title: "1")]), item: 0))
    #expect(flow.state.wait { $0.chapters.count == 2 })
    let isFading = Latch()
    let subscription = flow.playbackDispatcher.subscribe { if case .playback(.fadeOut) = $0 { isFading.open() } }
    let sleep = try SleepController(queue: flow.queue, playback: flow.playback, dispatcher: flow.playbackDispatcher)
    flow.act(.sleep(SleepTimer(.afterChapter, fade: .seconds(1))))
    isFading.wait()
    flow.outputs.grant(20_000)
    #expect(flow.state.wait { $0.phase == .stopped })
    withExtendedLifetime((sleep, subscription)) {}
    #expect((.milliseconds(298)..<(.milliseconds(600))).contains(flow.queue.queue.elapsed))
  }
}
