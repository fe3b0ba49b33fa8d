// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

@Suite struct EnQueueControllerTests {
  private let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 5000) }
  private let album = TrackCollection(
    title: "Numbers", tracks: (1...3).map { Track(path: FilePath("\($0)"), title: "\($0)") })

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  @Test(arguments: [(0, [1, 2, 3]), (1, [2, 3]), (2, [3])])
  func `a collection plays from the given item to its end, without a gap`(item: Int, played: [Int]) throws {
    let flow = try Flow(scripts)
    flow.queueDispatcher.dispatch(.enqueue(album, item: item))
    #expect(flow.state.wait { $0.isOver && $0.phase == .stopped && $0.startedCount == played.count })
    #expect(
      PCM.firstDifference(flow.outputs.samples, played.flatMap { scripts[$0 - 1].samples }, channels: 2) == nil
    )
    #expect(flow.outputs.openings.count == 1)
    #expect(flow.queue.queue.current == nil)
    #expect(flow.playback.state.output == nil)
  }

  @Test func `without an item, the collection is only loaded, and resuming plays its first track`() throws {
    let flow = try Flow(scripts)
    flow.queueDispatcher.dispatch(.enqueue(album, item: nil))
    #expect(flow.queue.queue.items.count == 3)
    #expect(flow.playback.state.phase == .stopped && flow.outputs.openCount == 0)
    flow.playbackDispatcher.dispatch(.resume)
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 2, 3), channels: 2) == nil)
  }

  @Test(arguments: [true, false])
  func `The engine plays what was requested while an observer is blocked by the news of it`(ofQueue: Bool) throws {
    let flow = try Flow(scripts)
    let gate = Gate()
    let observation =
      ofQueue
      ? flow.queue.observe { if !$0.items.isEmpty { gate.pass() } }
      : flow.playback.observe { if $0.hasRequest { gate.pass() } }
    let (dispatcher, album) = (flow.queueDispatcher, album)
    let view = try WorkerThread(name: "view") { dispatcher.dispatch(.enqueue(album, item: 0)) }
    #expect(gate.awaitArrival())
    #expect(flow.outputs.await { !$0.isEmpty })
    gate.open()
    #expect(view.join(until: .now.advanced(byMilliseconds: 60_000)))
    #expect(flow.state.wait { $0.isOver && $0.startedCount == 3 })
    withExtendedLifetime(observation) {}
  }

  @Test func `the item that becomes audible becomes current in the queue`() throws {
    let flow = try Flow(scripts)
    let positions = Watched<[Int?]>([])
    let observation = flow.queue.observe { queue in positions.change { $0.append(queue.currentPosition) } }
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(positions.wait { $0.count >= 5 })
    withExtendedLifetime(observation) { #expect(positions.value == [nil, 0, 1, 2, nil]) }
  }

  @Test func `next and previous move through the queue, and next stops at its end`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    let position = Watched<Int?>(nil)
    let observation = flow.queue.observe { queue in position.change { $0 = queue.currentPosition } }
    // A thread that is reporting an event may deliver the action.
    for (action, expected) in [
      (PlaybackAction.next, 1), (.previous, 0), (.previous, 0), (.next, 1), (.next, 2),
    ] {
      flow.playbackDispatcher.dispatch(action)
      #expect(position.wait { $0 == expected })
    }
    withExtendedLifetime(observation) {}
    flow.outputs.grant()
    flow.playbackDispatcher.dispatch(.next)
    #expect(flow.state.wait { $0.phase == .stopped })
  }

  @Test func `after the end of the queue, previous plays the last item`() throws {
    let flow = try Flow(scripts)
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.queue.queue.current == nil)
    flow.act(.previous)
    #expect(flow.state.wait { $0.startedCount == 4 })
    #expect(flow.state.value.startedItems.last == flow.queue.queue.items[2].id)
  }

  @Test func `an item that cannot be played is reported as a problem and skipped`() throws {
    var bad = scripts
    bad[1].opens = false
    let flow = try Flow(bad)
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples, samples(1, 3), channels: 2) == nil)
    #expect(flow.playback.state.problems.map(\.item) == [flow.queue.queue.items[1].id])
  }

  @Test func `seeking in an item that cannot be played continues with the next playable one`() throws {
    var bad = scripts
    bad[0].opens = false
    bad[1].opens = false
    let flow = try Flow(bad, outputs: CollectingOutputs(granted: 0))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.problems.count == 2 })
    flow.act(.seek(.to(.milliseconds(1))))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.playback.state.startedItems == [flow.queue.queue.items[2].id])
  }

  @Test func `back plays the previous item even after the first three seconds`()
    throws
  {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 0))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 2))
    #expect(flow.state.wait { $0.hasRequest || $0.item != nil })
    let third = flow.queue.queue.items[2].id
    flow.playbackDispatcher.dispatch(.report(.position(third, .seconds(4))))
    flow.act(.back)
    #expect(flow.queue.queue.currentPosition == 1)
    flow.outputs.grant()
  }

  @Test func `another collection replaces the current one from its first frame`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.outputs.awaitBlockedWrite())
    flow.queueDispatcher.dispatch(.enqueue(album, item: 2))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(PCM.firstDifference(flow.outputs.samples.suffix(10_000), samples(3), channels: 2) == nil)
  }

  @Test func `the volume applies from the first frame`() throws {
    let flow = try Flow(scripts)
    flow.playbackDispatcher.dispatch(.setVolume(Volume(percent: 0)))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 2))
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.outputs.samples.allSatisfy { $0 == 0 })
    #expect(flow.playback.state.volume.percent == 0)
  }

  @Test func `an output error stays in the state until something plays again`() throws {
    let flow = try Flow(scripts, outputs: CollectingOutputs(faults: [.open]))
    flow.queueDispatcher.dispatch(.enqueue(album, item: 0))
    #expect(flow.state.wait { $0.outputError?.kind == .cannotOpen && $0.phase == .stopped })
    flow.playbackDispatcher.dispatch(.resume)
    #expect(flow.state.wait { $0.startedCount == 3 && $0.isOver })
    #expect(flow.playback.state.outputError == nil)
  }
}
