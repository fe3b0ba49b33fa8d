// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import SystemPackage
import TestSupport
import Testing

@testable import PlayerFlow

@Suite struct PlaybackStateTests {
  private let items = (1...2).map { PlayQueue.Item.ID(rawValue: $0) }

  private func state(after actions: PlaybackAction...) -> PlaybackState {
    var state = PlaybackState()
    for action in actions { _ = state.reduce(action) }
    return state
  }

  @Test(arguments: [(-5, 0), (0, 0), (42, 42), (100, 100), (250, 100)])
  func `the volume stays within its range`(percent: Int, expected: Int) {
    #expect(state(after: .setVolume(Volume(percent: percent))).volume.percent == expected)
    #expect(state(after: .changeVolume(by: .min), .changeVolume(by: percent)).volume.percent == expected)
  }

  @Test func `the lowest volume is silence, and the highest leaves samples unchanged`() {
    #expect(Volume(percent: 0).gain == 0)
    #expect(Volume.full.gain == 1)
  }

  @Test func `commands alone change only the volume`() {
    for action in [
      PlaybackAction.pause, .resume, .toggle, .stop(rewinds: true), .next, .previous, .seek(.by(.seconds(1))),
    ] {
      #expect(state(after: action) == PlaybackState())
    }
  }

  @Test(arguments: [
    ([PlaybackAction.pause], PlaybackState.Phase.paused), ([.stop(rewinds: false)], .stopped),
    ([.pause, .resume], .playing), ([.toggle], .paused), ([.toggle, .toggle], .playing),
    ([.pause, .stop(rewinds: false), .resume], .stopped),
  ])
  func `the phase follows the commands at once, whatever is in progress`(
    commands: [PlaybackAction], phase: PlaybackState.Phase
  ) {
    var state = state(after: .report(.changed(.playing)))
    for action in commands { _ = state.reduce(action) }
    #expect(state.phase == phase && !state.isOver)
    // The engine carries out the commands one after the other.
    for action in commands {
      let report: PlaybackReport? =
        switch action {
        case .pause: .confirmed(.paused)
        case .stop: .changed(.stopped)
        case .toggle where state.enginePhase == .playing: .confirmed(.paused)
        case .resume where state.enginePhase == .paused, .toggle: .confirmed(.playing)
        default: nil
        }
      if let report { _ = state.reduce(.report(report)) }
      #expect(state.phase == phase)
    }
    #expect(state.enginePhase == phase && state.isOver == (phase == .stopped))
  }

  @Test func `playback that ends meanwhile is over, even if a pause was requested`() {
    let playing = PlaybackAction.report(.changed(.playing))
    #expect(state(after: playing, .pause, .report(.finished)).phase == .stopped)
    let error = OutputError(kind: .lost, description: "gone")
    #expect(state(after: playing, .pause, .resume, .report(.outputFailed(error))).phase == .stopped)
    #expect(state(after: playing, .stop(rewinds: false), .report(.requested(items[0]))).phase == .playing)
  }

  @Test func `the requested phase stands, whatever the engine confirms of earlier commands`() {
    let request = PlaybackAction.report(.requested(items[0]))
    var state = state(after: request, .pause, .resume, .pause)
    for phase in [PlaybackState.Phase.playing, .paused, .playing, .paused] {
      _ = state.reduce(.report(.confirmed(phase)))
      #expect(state.phase == .paused && state.enginePhase == phase)
    }
  }

  @Test func `an item that was requested and never started is no longer awaited after the end`() {
    let request = PlaybackAction.report(.requested(items[0]))
    #expect(state(after: request).hasRequest)
    let lost = OutputError(kind: .cannotOpen, description: "no such device")
    for end in [PlaybackReport.changed(.stopped), .finished, .outputFailed(lost)] {
      let afterEnd = state(after: request, .report(.confirmed(.playing)), .report(end))
      #expect(!afterEnd.hasRequest && afterEnd.isOver && afterEnd.phase == .stopped, "\(end)")
    }
  }

  @Test func `the error of an unplayable request stays until the next request or until it is dismissed`() {
    let error = DecodingError(path: "1", kind: .empty, reason: "empty")
    let failedRequest: [PlaybackAction] = [
      .report(.requested(items[0])), .report(.confirmed(.playing)), .report(.failed(items[0], error)),
      .report(.finished),
    ]
    var state = PlaybackState()
    for action in failedRequest { _ = state.reduce(action) }
    #expect(state.unplayableError == error)
    var later = state
    _ = later.reduce(.report(.requested(items[1])))
    #expect(later.unplayableError == nil)
    _ = state.reduce(.dismissError)
    #expect(state.unplayableError == nil)
    // If anything was played, the end is no error.
    let started = PlaybackReport.started(items[1], format: .cd, stream: .cd, gain: .off, duration: nil)
    #expect(
      self.state(after: failedRequest[0], failedRequest[2], .report(started), .report(.finished)).unplayableError == nil
    )
  }

  @Test func `the position follows a seek at once, whatever is in progress`() {
    let started = PlaybackAction.report(
      .started(items[0], format: .cd, stream: .cd, gain: .off, duration: .seconds(60)))
    let position = { (seconds: Int) in PlaybackAction.report(.position(self.items[0], .seconds(seconds))) }
    let afterSeek = state(after: started, position(9), .report(.changed(.playing)), .seek(.to(.seconds(30))))
    #expect(afterSeek.position == .seconds(30) && !afterSeek.isAdvancing)
    var state = afterSeek
    for action in [position(10), .seek(.by(.seconds(-5))), .seek(.by(.seconds(-5)))] {
      _ = state.reduce(action)
    }
    #expect(state.position == .seconds(20))
    _ = state.reduce(.seek(.to(.seconds(99))))
    #expect(state.position == .seconds(60))
    for action in [started, position(21)] { _ = state.reduce(action) }
    #expect(state.position == .seconds(21) && state.isAdvancing)
  }

  @Test func `seeking moves the start position of a requested item`() {
    let request = PlaybackAction.report(.requested(items[0], at: .seconds(2)))
    let afterSeeks = state(after: request, .seek(.by(.seconds(5))), .seek(.by(.seconds(5))))
    #expect(afterSeeks.hasRequest && afterSeeks.requestedPosition == .seconds(12))
  }

  @Test func `seeking moves the start position of a requested item no further than its end`() {
    let request = PlaybackAction.report(.requested(items[0], lasting: .seconds(10)))
    #expect(state(after: request, .seek(.to(.seconds(99 * 60)))).requestedPosition == .seconds(10))
    #expect(state(after: request, .seek(.by(.seconds(-5)))).requestedPosition == .zero)
  }

  @Test func `a requested item becomes the current one only when it starts, with the duration of its own file`() {
    let first = PlaybackAction.report(
      .started(items[0], format: .cd, stream: .cd, gain: .off, duration: .seconds(60)))
    let position = PlaybackAction.report(.position(items[1], .seconds(5)))
    let afterSeek = state(after: first, .report(.requested(items[1])), .seek(.to(.seconds(5))), position)
    #expect(afterSeek.item == items[0] && afterSeek.duration == .seconds(60))
    var afterStart = afterSeek
    _ = afterStart.reduce(.report(.started(items[1], format: .cd, stream: .cd, gain: .off, duration: .seconds(9))))
    #expect(afterStart.item == items[1] && afterStart.duration == .seconds(9))
  }

  @Test func `requesting another item is no seek`() {
    let started = PlaybackAction.report(
      .started(items[0], format: .cd, stream: .cd, gain: .off, duration: .seconds(60)))
    let before = state(
      after: .report(.changed(.playing)), started, .report(.position(items[0], .seconds(8))))
    var after = before
    _ = after.reduce(.report(.requested(items[1])))
    _ = after.reduce(.seek(.to(.seconds(5))))
    #expect(PlayerEvent.events(from: before, to: after, PlayQueue()).isEmpty)
  }

  @Test func `starting an item is counted, seeking is not`() {
    let started = PlaybackAction.report(
      .started(items[0], format: .cd, stream: .cd, gain: .off, duration: .seconds(9)))
    #expect(state(after: started, started).startedCount == 1)
    let second = PlaybackAction.report(
      .started(items[1], format: .cd, stream: .cd, gain: .off, duration: nil))
    let both = state(after: started, second)
    #expect(both.startedCount == 2 && both.item == items[1] && both.duration == nil)
  }

  @Test func `only the newest hundred problems are kept, and numbering continues`() {
    let error = DecodingError(path: "1", kind: .empty, reason: "")
    var state = PlaybackState()
    for _ in 0..<150 { _ = state.reduce(.report(.failed(items[0], error))) }
    #expect(state.problems.count == 100)
    #expect(state.problems.first?.number == 51 && state.problems.last?.number == 150)
  }
}

/// Whether the item counts as audible, so that its position advances with time.
struct AudibleStateTests {
  private let item = PlayQueue.Item.ID(rawValue: 1)

  private func start(_ state: inout PlaybackState) throws {
    let format = try #require(AudioFormat(sampleRate: 44_100, channels: 2, coding: .integer(bits: 16)))
    _ = state.reduce(
      .report(.started(item, format: format, stream: format, gain: .off, duration: .seconds(60))))
  }

  @Test func `Nothing is audible before the first frame, at the start and after a seek`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.requested(item)))
    _ = state.reduce(.report(.changed(.playing)))
    #expect(!state.isAdvancing)
    try start(&state)
    #expect(state.isAdvancing)
    _ = state.reduce(.seek(.to(.seconds(30))))
    _ = state.reduce(.report(.position(item, .seconds(30))))
    #expect(!state.isAdvancing)
    try start(&state)
    #expect(state.isAdvancing)
  }

  @Test func `Nothing is audible while the output is stalled or lost`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    try start(&state)
    _ = state.reduce(.report(.outputStalled(true)))
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(!state.isAdvancing)
    _ = state.reduce(.report(.outputStalled(false)))
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(state.isAdvancing)
    _ = state.reduce(.report(.outputLost(OutputError(kind: .lost, description: "gone"))))
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(!state.isAdvancing)
  }

  @Test func `After a pause, the item is audible again with the next position`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    try start(&state)
    _ = state.reduce(.report(.changed(.paused)))
    #expect(!state.isAdvancing)
    _ = state.reduce(.resume)
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(!state.isAdvancing)
    _ = state.reduce(.report(.changed(.playing)))
    #expect(!state.isAdvancing)
    _ = state.reduce(.report(.position(item, .seconds(1))))
    #expect(state.isAdvancing)
  }

  @Test func `A position is expected if it has advanced with time, or barely less`() throws {
    var state = PlaybackState()
    _ = state.reduce(.report(.changed(.playing)))
    try start(&state)
    var later = state
    _ = later.reduce(.report(.position(item, .milliseconds(500))))
    #expect(later.isExpected(after: state, .milliseconds(510)))
    #expect(!later.isExpected(after: state, .milliseconds(540)))
    #expect(!later.isExpected(after: state, .milliseconds(250)))
  }
}
