// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// The effect of queue edits on the sound.
@Suite struct QueueEditFlowTests {
  private let scripts = (1...6).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func tracks(_ numbers: Int...) -> TrackCollection {
    TrackCollection(title: "Numbers", tracks: numbers.map { Track(path: FilePath("\($0)"), title: "\($0)") })
  }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// Returns a flow that plays tracks 1 to 3, beginning with the one at position `first`. All of those tracks have been
  /// opened, and the output has accepted 1000 frames.
  private func playingFlow(_ first: Int = 0) throws -> Flow {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(tracks(1, 2, 3), item: first))
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(3 - first))
    return flow
  }

  private func id(_ flow: Flow, _ position: Int) -> PlayQueue.Item.ID { flow.queue.queue.items[position].id }

  private func expectSamples(_ flow: Flow, _ numbers: Int..., sourceLocation: SourceLocation = #_sourceLocation) {
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver }, sourceLocation: sourceLocation)
    let expected = numbers.flatMap { scripts[$0 - 1].samples }
    #expect(
      PCM.firstDifference(flow.outputs.samples, expected, channels: 2) == nil, sourceLocation: sourceLocation)
    #expect(flow.outputs.openings.count == 1, sourceLocation: sourceLocation)
  }

  /// Expects the rest of tracks 1 to 3 from `position` on, after the fade-in.
  private func expectEnd(
    _ flow: Flow, from position: Duration, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let frame = Int(AudioFormat.cd.frame(at: position)) + 353
    let rest = Array(samples(1, 2, 3).dropFirst(2 * frame))
    let output = Array(flow.outputs.samples.suffix(rest.count))
    #expect(PCM.firstDifference(output, rest, channels: 2) == nil, sourceLocation: sourceLocation)
  }

  // MARK: Edits around the current item

  @Test func `tracks inserted after the current item follow it exactly`() throws {
    let flow = try playingFlow()
    flow.act(.add(tracks(4, 5), at: .next))
    expectSamples(flow, 1, 4, 5, 2, 3)
  }

  @Test func `an item removed after the current one is not heard, and nothing else is lost`() throws {
    let flow = try playingFlow()
    flow.act(.remove(.positions([1..<2])))
    expectSamples(flow, 1, 3)
  }

  @Test func `exactly the range of an item is heard, even if all of it was decoded before`() throws {
    let flow = try playingFlow()
    flow.act(.setRange(id(flow, 1), from: .milliseconds(80), to: .milliseconds(200)))
    flow.act(.setRange(id(flow, 2), from: .milliseconds(400), to: nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    let expected = samples(1) + samples(2)[(2 * 3_528)..<(2 * 8_820)] + samples(3)[(2 * 17_640)...]
    #expect(PCM.firstDifference(flow.outputs.samples, expected, channels: 2) == nil)
  }

  @Test func `the following items play in the order to which they are moved`() throws {
    let flow = try playingFlow()
    flow.act(.move(.positions([2..<3]), to: 1))
    expectSamples(flow, 1, 3, 2)
  }

  @Test func `many edits and their undoing do not affect the sound`() throws {
    let flow = try playingFlow()
    let opened = flow.decoders.opened.count
    for _ in 0..<5 {
      for action in [
        QueueAction.add(tracks(4), at: .next), .add(tracks(5, 6), at: .position(0)),
        .swap(flow.queue.queue.items.id(at: 0), flow.queue.queue.items.id(at: 2)), .shuffle(nil, by: .tracks, seed: 7),
        .sort(nil, by: .title, descending: true),
        .remove(.positions([0..<1])),
      ] { flow.act(action) }
      flow.act(.undo(steps: 6))
    }
    #expect(flow.queue.queue.items.map(\.track.title) == ["1", "2", "3"])
    expectSamples(flow, 1, 2, 3)
    #expect(flow.decoders.opened.count > opened)
  }

  @Test func `an edit that does not affect the next track opens no file again`() throws {
    let flow = try playingFlow()
    flow.act(.add(tracks(4), at: .end))
    flow.act(.setRepeat(.off))
    flow.act(.remove(.positions([3..<4])))
    expectSamples(flow, 1, 2, 3)
    #expect(flow.decoders.opened.prefix(3) == ["1", "2", "3"])
    #expect(flow.decoders.opened.count <= 4)
  }

  @Test func `a track added when the last one has been decoded follows it without a gap`() throws {
    let flow = try playingFlow(2)
    flow.act(.add(tracks(4), at: .end))
    expectSamples(flow, 3, 4)
  }

  // MARK: Edits of the current item

  @Test func `the item that takes the place of the current one plays at once`() throws {
    let flow = try playingFlow()
    flow.act(.remove(.positions([0..<1])))
    #expect(flow.decoders.awaitOpened(4))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(
      PCM.firstDifference(Array(flow.outputs.samples.suffix(80_000)), samples(2, 3), channels: 2) == nil)
    #expect(flow.outputs.samples.count < 80_000 + 2 * 5000)
  }

  @Test func `while paused, the item that takes the place of the current one waits at its beginning`() throws {
    let flow = try playingFlow()
    flow.act(.pause)
    #expect(flow.state.wait { $0.phase == .paused })
    let second = id(flow, 1)
    flow.act(.remove(.positions([0..<1])))
    #expect(flow.state.wait { $0.item == second && $0.position == .zero })
    #expect(flow.playback.state.phase == .paused)
    flow.outputs.grant()
    flow.act(.resume)
    #expect(flow.state.wait { $0.isOver })
    #expect(
      PCM.firstDifference(Array(flow.outputs.samples.suffix(80_000)), samples(2, 3), channels: 2) == nil)
  }

  @Test func `while stopped, an edit does not start playback`() throws {
    let flow = try Flow(scripts)
    flow.queueDispatcher.dispatch(.enqueue(tracks(1, 2), item: nil))
    flow.act(.remove(.positions([0..<1])))
    flow.act(.undo(steps: 1))
    #expect(flow.outputs.openCount == 0 && flow.playback.state.phase == .stopped)
  }

  @Test func `clearing the queue stops playback, and undoing it resumes at that position`() throws {
    let flow = try playingFlow()
    let first = id(flow, 0)
    flow.outputs.grant(9000)
    #expect(flow.outputs.awaitFrames(10_000))
    flow.act(.clear)
    #expect(flow.state.wait { $0.phase == .stopped })
    #expect(flow.queue.queue.items.isEmpty)
    flow.act(.undo(steps: 1))
    let elapsed = flow.queue.queue.elapsed
    #expect(flow.queue.queue.current?.id == first)
    #expect(elapsed > .milliseconds(150) && elapsed < .milliseconds(300))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.startedCount >= 4 && $0.isOver })
    #expect(
      PCM.firstDifference(Array(flow.outputs.samples.suffix(80_000)), samples(2, 3), channels: 2) == nil)
    expectEnd(flow, from: elapsed)
  }

  @Test func `undoing a clear does not resume playback that was paused`() throws {
    let flow = try playingFlow()
    flow.act(.pause)
    #expect(flow.state.wait { $0.phase == .paused })
    flow.act(.clear)
    #expect(flow.state.wait { $0.phase == .stopped })
    flow.act(.undo(steps: 1))
    #expect(flow.queue.queue.items.count == 3)
    #expect(flow.playback.state.phase == .stopped)
  }

  // MARK: The position

  @Test func `stopping stores the position, and resuming continues from there`() throws {
    let flow = try playingFlow()
    flow.outputs.grant(9000)
    #expect(flow.outputs.awaitFrames(10_000))
    flow.act(.stop(rewinds: false))
    #expect(flow.state.wait { $0.phase == .stopped })
    let elapsed = flow.queue.queue.elapsed
    #expect(elapsed > .milliseconds(150))
    flow.outputs.grant()
    flow.act(.resume)
    #expect(flow.state.wait { $0.startedCount == 4 && $0.isOver })
    expectEnd(flow, from: elapsed)
  }

  @Test func `stopping can rewind the current item`() throws {
    let flow = try playingFlow()
    let current = flow.queue.queue.current?.id
    flow.outputs.grant(9000)
    #expect(flow.outputs.awaitFrames(10_000))
    flow.act(.stop(rewinds: true))
    #expect(flow.state.wait { $0.phase == .stopped })
    #expect(flow.queue.queue.elapsed == .zero && flow.queue.queue.current?.id == current)
  }

  @Test func `next after the last item ends the queue`() throws {
    let flow = try playingFlow()
    flow.act(.play(id(flow, 2), from: .zero))
    flow.act(.next)
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.queue.queue.current == nil && flow.queue.queue.items.count == 3)
  }

  @Test func `an item plays from the requested position`() throws {
    let flow = try Flow(scripts)
    flow.queueDispatcher.dispatch(.enqueue(tracks(1, 2), item: nil))
    flow.act(.play(id(flow, 1), from: .milliseconds(100)))
    #expect(flow.state.wait { $0.isOver })
    #expect(
      PCM.firstDifference(
        Array(flow.outputs.samples.suffix(20_000)), Array(samples(2).suffix(20_000)), channels: 2) == nil)
    #expect(flow.outputs.samples.count == 2 * (20_000 - 4410))
  }
}
