import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// What the queue's modes make of the sound.
@Suite struct QueueModeFlowTests {
  private let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func tracks(_ numbers: Int...) -> TrackCollection {
    TrackCollection(title: "Numbers", tracks: numbers.map { Track(path: FilePath("\($0)"), title: "\($0)") })
  }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// A flow that plays `tracks` in modes that `actions` set; the output takes `granted` frames.
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

  @Test func `repeated, one item joins itself without a gap, and counts as begun each time`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.one)], granted: 70_000)
    expectBeginning(flow, [1, 1, 1, 1], frames: 70_000)
    #expect(flow.state.wait { $0.startedCount == 4 })
    #expect(flow.queue.queue.currentPosition == 0)
  }

  @Test func `repeated, the queue joins its beginning without a gap`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.all)], granted: 90_000)
    expectBeginning(flow, [1, 2, 1, 2, 1], frames: 90_000)
  }

  @Test func `a queue of one item is repeated without a gap`() throws {
    let flow = try flow(tracks(3), [.setRepeat(.all)], granted: 50_000)
    expectBeginning(flow, [3, 3, 3], frames: 50_000)
  }

  @Test func `repeating ends where it is taken back`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.one)], granted: 1000)
    #expect(flow.decoders.awaitOpened(3))
    flow.act(.setRepeat(.off))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
  }

  @Test(arguments: [QueueModes.Single.on, .once])
  func `playing waits behind a single item, at the beginning of the next`(mode: QueueModes.Single) throws {
    let flow = try flow(tracks(1, 2, 3), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(3))
    flow.act(.setSingle(mode))
    flow.outputs.grant()
    let second = flow.queue.queue.items[1].id
    #expect(flow.state.wait { $0.phase == .paused && $0.item == second && $0.position == .zero })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1), channels: 2) == nil)
    #expect(flow.queue.queue.current?.id == second && flow.queue.queue.heard == .zero)
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

  @Test func `behind the last item, single ends playing`() throws {
    let flow = try flow(tracks(1), [.setSingle(.once)])
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped })
    #expect(flow.queue.queue.current == nil && flow.queue.queue.modes.single == .once)
  }

  @Test func `single waits before what is there, and passes over what is not`() throws {
    let flow = try flow(tracks(1, 2, 3), [.setSingle(.on)], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.availability(gone: [flow.queue.queue.items[1].id], back: []))
    let third = flow.queue.queue.items[2].id
    flow.outputs.grant()
    #expect(flow.state.wait { $0.phase == .paused && $0.item == third })
  }

  @Test func `an item that is consumed alone gives way to the next, though something is repeated`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.all), .setSingle(.on), .setConsume(true)])
    #expect(flow.state.wait { $0.startedCount == 2 && $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
    #expect(flow.queue.queue.items.isEmpty)
  }

  @Test func `what will have left the queue by then does not follow, though all is repeated`() throws {
    let flow = try flow(tracks(1, 2, 3), [.setRepeat(.all), .setConsume(true)], granted: 1000)
    // All are decoded while the first is still in the queue.
    #expect(flow.decoders.awaitOpened(3))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.decoders.opened.count == 3)
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
    #expect(flow.queue.queue.items.isEmpty)
  }

  @Test func `an album that is repeated leaves the queue but for its last track, which is repeated`() throws {
    let flow = try flow(tracks(1, 2), [.setRepeat(.album), .setConsume(true)], granted: 90_000)
    expectBeginning(flow, [1, 2, 2, 2], frames: 80_000)
  }

  @Test func `playing stops behind an item, and goes on with the next`() throws {
    let flow = try flow(tracks(1, 2), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(2))
    flow.act(.stopAfter(.current))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1), channels: 2) == nil)
    #expect(flow.queue.queue.currentPosition == 1)
    #expect(flow.queue.queue.heard == .zero)
    flow.act(.resume)
    #expect(flow.state.wait { $0.startedCount == 2 && $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2), channels: 2) == nil)
  }

  @Test func `a stop that is taken back leaves no gap`() throws {
    let flow = try flow(tracks(1, 2, 3), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    flow.act(.stopAfter(.current))
    flow.act(.stopAfter(nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
  }

  @Test func `what was played leaves the queue, and nothing is lost at the joins`() throws {
    let flow = try flow(tracks(1, 2, 3), [.setConsume(true)])
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
    #expect(flow.outputs.openings.count == 1)
    #expect(flow.queue.queue.items.isEmpty)
  }

  @Test func `what plays goes on when the order becomes random`() throws {
    let flow = try flow(tracks(1, 2, 3), [], granted: 1000)
    #expect(flow.outputs.awaitFrames(1000))
    for seed in 0..<20 { flow.act(.setRandom(.tracks, seed: UInt64(seed))) }
    let order = flow.queue.queue.itemsInPlayingOrder(count: 3).compactMap { Int($0.track.title) }
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    let heard = order.drop { $0 != 1 }.flatMap { scripts[$0 - 1].samples }
    #expect(PCM.firstDifference(flow.outputs.samples, heard, channels: 2) == nil)
  }
}
