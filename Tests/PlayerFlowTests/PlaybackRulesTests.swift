// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// The effect of ReplayGain, the sleep timer and the signal path on playback.
@Suite struct PlaybackRulesTests {
  private let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 20_000) }
  private let album = TrackCollection(
    title: "Numbers", tracks: (1...3).map { Track(path: FilePath("\($0)"), title: "\($0)") })

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// Returns a ReplayGain lookup that gives this gain for every track.
  private func lookup(returning gain: Double) -> @Sendable ([Track]) -> [AudioMeasurement] {
    { $0.map { _ in AudioMeasurement(replayGain: ReplayGainTags(trackGain: gain)) } }
  }

  @Test func `ReplayGain scales every sample of a track`() throws {
    let flow = try Flow(scripts, measurements: lookup(returning: -6.0206))
    flow.playbackDispatcher.dispatch(.setReplayGain(ReplayGainSettings(mode: .track)))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.isOver })
    let half = samples(1, 2, 3).map { Int32((Float($0) / 2).rounded()) }
    #expect(PCM.firstDifference(flow.outputs.samples, half, channels: 2, tolerance: 2) == nil)
  }

  @Test func `loudness is looked up only for upcoming items, however long the queue is`() throws {
    let lookedUpTitles = Watched<Set<String>>([])
    let flow = try Flow(
      scripts, outputs: CollectingOutputs(granted: 1000),
      measurements: { tracks in
        lookedUpTitles.change { $0.formUnion(tracks.map(\.title)) }
        return tracks.map { _ in AudioMeasurement(replayGain: ReplayGainTags(trackGain: -6.0206)) }
      })
    let long = TrackCollection(
      title: "Long",
      // All files exist, since missing ones would be skipped at once.
      tracks: (1...10_000).map { Track(path: FilePath("\(($0 - 1) % 3 + 1)"), title: "\($0)") })
    flow.playbackDispatcher.dispatch(.setReplayGain(ReplayGainSettings(mode: .track)))
    flow.queueDispatcher.dispatch(.enqueue(long, item: 0))
    #expect(flow.decoders.awaitOpened(3))
    #expect(lookedUpTitles.value.count < 20)
    flow.act(.move(.positions([2..<3]), to: 1))
    flow.act(.remove(.positions([3..<10_000])))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    let half = samples(1, 3, 2).map { Int32((Float($0) / 2).rounded()) }
    #expect(PCM.firstDifference(flow.outputs.samples, half, channels: 2, tolerance: 2) == nil)
    #expect(lookedUpTitles.value.count < 20)
  }

  @Test func `a lookup that blocks delays only the item that waits for it`() throws {
    let gate = Gate()
    let flow = try Flow(
      scripts,
      measurements: { tracks in
        gate.pass()
        return tracks.map { _ in AudioMeasurement(replayGain: ReplayGainTags(trackGain: -6.0206)) }
      })
    flow.playbackDispatcher.dispatch(.setReplayGain(ReplayGainSettings(mode: .track)))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(gate.awaitArrival())
    flow.act(.pause)
    #expect(flow.outputs.openCount == 0)
    gate.open()
    let first = flow.queue.queue.items[0].id
    #expect(flow.state.wait { $0.phase == .paused && $0.item == first })
    flow.act(.resume)
    #expect(flow.state.wait { $0.isOver })
    let half = samples(1, 2, 3).map { Int32((Float($0) / 2).rounded()) }
    #expect(PCM.firstDifference(flow.outputs.samples, half, channels: 2, tolerance: 2) == nil)
  }

  @Test func `without ReplayGain, no loudness is looked up`() throws {
    let flow = try Flow(
      scripts,
      measurements: { tracks in
        Issue.record("loudness was looked up")
        return tracks.map { AudioMeasurement(replayGain: $0.replayGain) }
      })
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
  }

  @Test func `while the output is disabled, playback is paused, the device is closed, and no sample is lost`() throws {
    let device = CollectingOutputs.Device(bufferFrames: 100)
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000, device: device))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.enableOutput(false))
    #expect(flow.state.wait { $0.phase == .paused && $0.isOutputNeeded && !$0.isOutputEnabled })
    flow.outputs.grant()
    #expect(flow.outputs.await { $0.first?.isClosed == true })
    // All requests stay paused.
    let second = flow.queue.queue.items[1].id
    flow.act(.resume)
    flow.act(.toggle)
    flow.act(.play(second, from: .zero))
    #expect(flow.state.wait { $0.phase == .paused && $0.item == second })
    #expect(flow.outputs.openCount == 1)
    flow.act(.enableOutput(true))
    #expect(flow.playback.state.phase == .paused && !flow.playback.state.isOutputNeeded)
    flow.act(.resume)
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.outputs.openCount == 2)
    #expect(
      PCM.firstDifference(Array(flow.outputs.openings[1].samples), samples(2, 3), channels: 2) == nil)
  }

  @Test func `the sleep timer stops playback after the track, and the next one is current`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .zero)))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1), channels: 2) == nil)
    #expect(flow.queue.queue.currentPosition == 1)
    #expect(flow.playback.state.sleep == nil)
  }

  /// Returns a flow that plays the album and has decoded all of it by the time the output has accepted 1000 frames.
  private func decodedFlow(
    _ crossfade: Crossfade = .off, faults: [CollectingOutputs.Fault?] = []
  ) throws -> Flow {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000, faults: faults))
    flow.playbackDispatcher.dispatch(.setCrossfade(crossfade))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(3))
    return flow
  }

  @Test func `the sleep timer stops playback after the track even if the next one has been decoded`() throws {
    let flow = try decodedFlow()
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .zero)))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1), channels: 2) == nil)
    #expect(flow.queue.queue.currentPosition == 1)
    #expect(flow.playback.state.sleep == nil)
  }

  @Test func `cancelling the sleep timer before the end of the track leaves no gap`() throws {
    let flow = try decodedFlow()
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .zero)))
    flow.act(.sleep(nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
    #expect(flow.outputs.openings.count == 1)
  }

  @Test func `cancelling the sleep timer while the track ends plays the next one`() throws {
    let gate = Gate()
    let flow = try decodedFlow(faults: [.blockClose(gate)])
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .zero)))
    flow.outputs.grant()
    #expect(gate.awaitArrival())
    flow.act(.sleep(nil))
    gate.open()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
  }

  @Test func `the sleep timer removes a crossfade that has already been mixed`() throws {
    let flow = try decodedFlow(Crossfade(duration: .milliseconds(100), withinAlbums: true))
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .zero)))
    // The first track is decoded again, so that what was mixed has been dropped.
    #expect(flow.decoders.awaitOpened(4))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    let output = flow.outputs.samples
    let end = Array(samples(1).suffix(8000))
    #expect(PCM.firstDifference(Array(output.suffix(8000)), end, channels: 2) == nil)
    // The part that is decoded again begins with a fade. At most, the write in progress and the fade before it are
    // played twice.
    #expect((40_000...40_000 + 2 * (882 + 353)).contains(output.count))
    #expect(output.allSatisfy { abs($0) <= 2 << 12 }, "the next track is audible")
    #expect(flow.queue.queue.currentPosition == 1)
  }

  @Test func `after the sleep timer is cancelled, the queue plays to its end`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .zero)))
    flow.act(.sleep(nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.playback.state.startedCount == 3)
  }

  @Test func `skipping a track ends its fade-out`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.outputs.awaitFrames(1000))
    let sleep = try SleepController(
      queue: flow.queue, playback: flow.playback, dispatcher: flow.playbackDispatcher)
    flow.act(.sleep(SleepTimer(.afterTrack, fade: .milliseconds(200))))
    flow.act(.next)
    flow.act(.sleep(nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    withExtendedLifetime(sleep) {}
    let last = Array(flow.outputs.samples.suffix(1000))
    #expect(PCM.firstDifference(last, Array(samples(3).suffix(1000)), channels: 2) == nil)
  }

  @Test func `the signal path reports every deviation`() throws {
    var state = PlaybackState()
    #expect(state.deviations == nil)
    let item = PlayQueue.Item.ID(rawValue: 1)
    let device = DeviceFormat(sampleRate: 48_000, channels: 2, depth: .bits16)
    let source = AudioFormat.of(96_000, channels: 1, .bits24)
    let stream = AudioFormat.of(48_000, channels: 2, .bits24)
    for report in [
      PlaybackReport.changed(.playing),
      .outputOpened(.init(name: "x", format: device, latency: .zero), warning: nil),
      .started(item, format: source, stream: stream, gain: .off, duration: nil),
    ] { _ = state.reduce(.report(report)) }
    _ = state.reduce(.setVolume(Volume(percent: 80)))
    #expect(
      state.deviations == [
        .volume(Volume(percent: 80)), .resampled(from: 96_000, to: 48_000), .mixed(from: 1, to: 2),
        .depth(from: 24, to: 16),
      ])
    _ = state.reduce(.setVolume(.full))
    let same = AudioFormat.of(48_000, channels: 2, .bits16)
    _ = state.reduce(.report(.started(item, format: same, stream: same, gain: .off, duration: nil)))
    #expect(state.deviations == [])
  }
}

@Suite struct CrossfadeFlowTests {
  private static let second = 44_100

  /// Returns scripts for twelve tracks of one second, every third of which is modified by `change`.
  private func scripts(_ change: (inout DecodingScript) -> Void) -> [DecodingScript] {
    (0..<12).map { index in
      var script = DecodingScript(tag: index % 7 + 1, frameCount: Self.second)
      if index % 3 == 2 { change(&script) }
      return script
    }
  }

  private func flow(_ scripts: [DecodingScript]) throws -> Flow {
    let flow = try Flow(scripts)
    flow.act(PlaybackAction.setCrossfade(Crossfade(duration: .seconds(2), withinAlbums: true)))
    let tracks = scripts.indices.map { Track(path: FilePath("\($0 + 1)"), title: "\($0 + 1)") }
    flow.queueDispatcher.dispatch(.enqueue(TrackCollection(title: "Numbers", tracks: tracks), item: 0))
    return flow
  }

  @Test(arguments: 0..<8)
  func `playback ends if some crossfaded tracks are empty`(_: Int) throws {
    let flow = try flow(scripts { $0.frameCount = 0 })
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    // Each of the eight other tracks was played at most once.
    let frames = flow.outputs.samples.count / 2
    #expect(frames > 4 * Self.second && frames <= 8 * Self.second, "\(frames) frames")
  }

  @Test(arguments: 0..<8)
  func `playback ends if some crossfaded tracks cannot be opened`(_: Int) throws {
    let flow = try flow(scripts { $0.opens = false })
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    let frames = flow.outputs.samples.count / 2
    #expect(frames > 4 * Self.second && frames <= 8 * Self.second, "\(frames) frames")
  }
}
