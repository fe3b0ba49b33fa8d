// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// The effect of queue modes on the sound.
@Suite struct QueueModeFlowTests {
  private let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func tracks(_ numbers: Int...) -> TrackCollection {
    TrackCollection(title: "Numbers", tracks: numbers.map { Track(path: FilePath("\($0)"), title: "\($0)") })
  }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// Returns a flow that plays `tracks` in the modes that `actions` set. The output accepts `granted` frames.
  private func flow(
    _ tracks: TrackCollection, _ actions: [QueueAction], granted: Int = .max
  ) throws -> Flow {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: granted))
    for action in actions { flow.act(action) }
    flow.queueDispatcher.dispatch(.enqueue(tracks, item: 0))
    return flow
  }

  private func expectBeginning(_ flow: Flow, _ numbers: [Int], frames: Int) {
    #expect(flow.outputs.awaitFrames(frames))
    let expected = numbers.flatMap { scripts[$0 - 1].samples }.prefix(frames * 2)
    #expect(
      PCM.firstDifference(Array(flow.outputs.samples.prefix(frames * 2)), Array(expected), channels: 2) == nil
    )
    #expect(flow.outputs.openings.count == 1)
  }

  @Test func `a single item repeats without a gap, and counts as started each time`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.one)], granted: 70_000)
    expectBeginning(flow, [1, 1, 1, 1], frames: 70_000)
    #expect(flow.state.wait { $0.startedCount == 4 })
    #expect(flow.queue.queue.currentPosition == 0)
  }

  @Test func `the queue repeats without a gap`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.all)], granted: 90_000)
    expectBeginning(flow, [1, 2, 1, 2, 1], frames: 90_000)
  }

  @Test func `a queue of one item is repeated without a gap`() throws {
    let flow = try flow(tracks(3), [.setRepeat(.all)], granted: 50_000)
    expectBeginning(flow, [3, 3, 3], frames: 50_000)
  }

  @Test func `turning repeat off ends the repetition`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.one)], granted: 1000)
    #expect(flow.decoders.awaitOpened(3))
    flow.act(.setRepeat(.off))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
  }

  @Test(arguments: [QueueModes.Single.on, .once])
  func `single mode pauses after an item, at the beginning of the next`(mode: QueueModes.Single) throws {
    let flow = try flow(tracks(1, 2, 3), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(3))
    flow.act(.setSingle(mode))
    flow.outputs.grant()
    let second = flow.queue.queue.items[1].id
    #expect(flow.state.wait { $0.phase == .paused && $0.item == second && $0.position == .zero })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1), channels: 2) == nil)
    #expect(flow.queue.queue.current?.id == second && flow.queue.queue.elapsed == .zero)
    #expect(flow.queue.queue.modes.single == (mode == .once ? .off : .on))
    flow.act(.resume)
    if mode == .on {
      let third = flow.queue.queue.items[2].id
      #expect(flow.state.wait { $0.phase == .paused && $0.item == third })
      flow.act(.resume)
    }
    #expect(flow.state.wait { $0.startedCount == 3 && $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
    #expect(flow.queue.queue.current == nil)
  }

  @Test func `single mode stops after the last item`() throws {
    let flow = try flow(tracks(1), [.setSingle(.once)])
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    #expect(flow.queue.queue.current == nil && flow.queue.queue.modes.single == .once)
  }

  @Test func `single mode skips a missing item and pauses before the next existing one`() throws {
    let flow = try flow(tracks(1, 2, 3), [.setSingle(.on)], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.availability(missing: [flow.queue.queue.items[1].id], found: []))
    let third = flow.queue.queue.items[2].id
    flow.outputs.grant()
    #expect(flow.state.wait { $0.phase == .paused && $0.item == third })
  }

  @Test func `with single and consume, playback continues with the next item, despite repeat`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.all), .setSingle(.on), .setConsume(true)])
    #expect(flow.state.wait { $0.startedCount == 2 && $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
    #expect(flow.queue.queue.items.isEmpty)
  }

  @Test func `consumed items are not played again, despite repeat`() throws {
    let flow = try flow(tracks(1, 2, 3), [.setRepeat(.all), .setConsume(true)], granted: 1000)
    // All tracks are decoded while the first one is still in the queue.
    #expect(flow.decoders.awaitOpened(3))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.decoders.opened.count == 3)
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
    #expect(flow.queue.queue.items.isEmpty)
  }

  @Test func `repeating an album with consume plays every track once and then repeats the last one`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.album), .setConsume(true)], granted: 90_000)
    expectBeginning(flow, [1, 2, 2, 2], frames: 80_000)
  }

  @Test func `stop-after stops after the item, and resuming plays the next one`() throws {
    let flow = try flow(tracks(1, 2), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(2))
    flow.act(.stopAfter(.current))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1), channels: 2) == nil)
    #expect(flow.queue.queue.currentPosition == 1)
    #expect(flow.queue.queue.elapsed == .zero)
    flow.act(.resume)
    #expect(flow.state.wait { $0.startedCount == 2 && $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
  }

  @Test func `cancelling stop-after leaves no gap`() throws {
    let flow = try flow(tracks(1, 2, 3), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.stopAfter(.current))
    flow.act(.stopAfter(nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
  }

  @Test func `consumed items are removed from the queue, and no sample is lost between them`() throws {
    let flow = try flow(tracks(1, 2, 3), [.setConsume(true)])
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
    #expect(flow.outputs.openings.count == 1)
    #expect(flow.queue.queue.items.isEmpty)
  }

  @Test func `the current item keeps playing when random is turned on`() throws {
    let flow = try flow(tracks(1, 2, 3), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    for seed in 0..<20 { flow.act(.setRandom(.tracks, seed: UInt64(seed))) }
    let order = flow.queue.queue.itemsInPlayingOrder(count: 3).compactMap { Int($0.track.title) }
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    let expected = order.drop { $0 != 1 }.flatMap { scripts[$0 - 1].samples }
    #expect(PCM.firstDifference(flow.outputs.samples, expected, channels: 2) == nil)
  }
}
