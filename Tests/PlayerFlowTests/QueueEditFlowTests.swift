import AudioCore
import Flux
import MusicModel
import PlayerFlow
import SystemPackage
import TestSupport
import Testing

/// What edits and modes of the queue make of the sound.
@Suite struct QueueEditFlowTests {
  private let scripts = (1...6).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func tracks(_ numbers: Int...) -> TrackCollection {
    TrackCollection(title: "Numbers", tracks: numbers.map { Track(path: FilePath("\($0)"), title: "\($0)") })
  }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// A flow that plays tracks 1 to 3, of which the output has taken 1000 frames, with the first three opened.
  private func playingFlow(_ first: Int = 0) throws -> Flow {
    let flow = try Flow(scripts, outputs: CollectingOutputs(granted: 1000))
    flow.queueDispatcher.dispatch(.enqueue(tracks(1, 2, 3), item: first))
    #expect(flow.outputs.awaitFrames(1000))
    #expect(flow.decoders.awaitOpened(3 - first))
    return flow
  }

  private func id(_ flow: Flow, _ position: Int) -> PlayQueue.Item.ID { flow.queue.queue.items[position].id }

  private func expectHeard(_ flow: Flow, _ numbers: Int..., sourceLocation: SourceLocation = #_sourceLocation) {
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver }, sourceLocation: sourceLocation)
    let expected = numbers.flatMap { scripts[$0 - 1].samples }
    #expect(
      PCM.firstDifference(flow.outputs.samples, expected, channels: 2) == nil, sourceLocation: sourceLocation)
    #expect(flow.outputs.openings.count == 1, sourceLocation: sourceLocation)
  }

  /// Behind the fade with which it began again, tracks 1 to 3 were heard from `place` on.
  private func expectEnd(
    _ flow: Flow, from place: Duration, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let frame = Int(AudioFormat.cd.frame(at: place)) + 353
    let rest = Array(samples(1, 2, 3).dropFirst(2 * frame))
    let heard = Array(flow.outputs.samples.suffix(rest.count))
    #expect(PCM.firstDifference(heard, rest, channels: 2) == nil, sourceLocation: sourceLocation)
  }

  // MARK: Edits around the current item

  @Test func `what is inserted behind the current item follows it, to the frame`() throws {
    let flow = try playingFlow()
    flow.act(.add(tracks(4, 5), at: .next))
    expectHeard(flow, 1, 4, 5, 2, 3)
  }

  @Test func `what is removed around the current item is not heard, and nothing else is lost`() throws {
    let flow = try playingFlow()
    flow.act(.remove(.positions([1..<2])))
    expectHeard(flow, 1, 3)
  }

  @Test func `of an item with a range that part is heard, to the frame, though all of it was announced`() throws {
    let flow = try playingFlow()
    flow.act(.setRange(id(flow, 1), from: .milliseconds(80), to: .milliseconds(200)))
    flow.act(.setRange(id(flow, 2), from: .milliseconds(400), to: nil))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    let expected = samples(1) + samples(2)[(2 * 3_528)..<(2 * 8_820)] + samples(3)[(2 * 17_640)...]
    #expect(PCM.firstDifference(flow.outputs.samples, expected, channels: 2) == nil)
  }

  @Test func `what follows plays in the order in which it was moved`() throws {
    let flow = try playingFlow()
    flow.act(.move(.positions([2..<3]), to: 1))
    expectHeard(flow, 1, 3, 2)
  }

  @Test func `many edits and their undoing leave the sound as it was`() throws {
    let flow = try playingFlow()
    let opened = flow.decoders.opened.count
    for _ in 0..<5 {
      for action in [
        QueueAction.add(tracks(4), at: .next), .add(tracks(5, 6), at: .position(0)), .swap(1, 3),
        .shuffle(nil, by: .tracks, seed: 7), .sort(nil, by: .title, descending: true),
        .remove(.positions([0..<1])),
      ] { flow.act(action) }
      flow.act(.undo(steps: 6))
    }
    #expect(flow.queue.queue.items.map(\.track.title) == ["1", "2", "3"])
    expectHeard(flow, 1, 2, 3)
    #expect(flow.decoders.opened.count > opened)
  }

  @Test func `an edit that changes nothing of what follows opens nothing again`() throws {
    let flow = try playingFlow()
    flow.act(.add(tracks(4), at: .end))
    flow.act(.setRepeat(.off))
    flow.act(.remove(.positions([3..<4])))
    expectHeard(flow, 1, 2, 3)
    #expect(flow.decoders.opened.prefix(3) == ["1", "2", "3"])
    #expect(flow.decoders.opened.count <= 4)
  }

  @Test func `what is added when the last item has been decoded follows it without a gap`() throws {
    let flow = try playingFlow(2)
    flow.act(.add(tracks(4), at: .end))
    expectHeard(flow, 3, 4)
  }

  // MARK: Edits of the current item

  @Test func `what takes the place of the current item plays at once`() throws {
    let flow = try playingFlow()
    flow.act(.remove(.positions([0..<1])))
    #expect(flow.decoders.awaitOpened(4))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.isOver })
    #expect(
      PCM.firstDifference(Array(flow.outputs.samples.suffix(80_000)), samples(2, 3), channels: 2) == nil)
    #expect(flow.outputs.samples.count < 80_000 + 2 * 5000)
  }

  @Test func `paused, what takes the place of the current item waits at its beginning`() throws {
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

  @Test func `stopped, it stays stopped`() throws {
    let flow = try Flow(scripts)
    flow.queueDispatcher.dispatch(.enqueue(tracks(1, 2), item: nil))
    flow.act(.remove(.positions([0..<1])))
    flow.act(.undo(steps: 1))
    #expect(flow.outputs.openCount == 0 && flow.playback.state.phase == .stopped)
  }

  @Test func `clearing stops, and taking it back plays on from there`() throws {
    let flow = try playingFlow()
    let actions = flow.actions
    let first = id(flow, 0)
    flow.outputs.grant(9000)
    #expect(flow.outputs.awaitFrames(10_000))
    actions.clear()
    #expect(flow.state.wait { $0.phase == .stopped })
    #expect(flow.queue.queue.items.isEmpty)
    actions.undo()
    let heard = flow.queue.queue.heard
    #expect(flow.queue.queue.current?.id == first)
    #expect(heard > .milliseconds(150) && heard < .milliseconds(300))
    flow.outputs.grant()
    #expect(flow.state.wait { $0.startedCount >= 4 && $0.isOver })
    #expect(
      PCM.firstDifference(Array(flow.outputs.samples.suffix(80_000)), samples(2, 3), channels: 2) == nil)
    expectEnd(flow, from: heard)
  }

  @Test func `what was paused or stopped when it was cleared does not play when that is taken back`() throws {
    let flow = try playingFlow()
    flow.act(.pause)
    #expect(flow.state.wait { $0.phase == .paused })
    flow.act(.clear)
    #expect(flow.state.wait { $0.phase == .stopped })
    flow.act(.undo(steps: 1))
    #expect(flow.queue.queue.items.count == 3)
    #expect(flow.playback.state.phase == .stopped)
  }

  // MARK: The place

  @Test func `stopping keeps the place, and resuming goes on there`() throws {
    let flow = try playingFlow()
    flow.outputs.grant(9000)
    #expect(flow.outputs.awaitFrames(10_000))
    flow.act(.stop(rewinds: false))
    #expect(flow.state.wait { $0.phase == .stopped })
    let heard = flow.queue.queue.heard
    #expect(heard > .milliseconds(150))
    flow.outputs.grant()
    flow.act(.resume)
    #expect(flow.state.wait { $0.startedCount == 4 && $0.isOver })
    expectEnd(flow, from: heard)
  }

  @Test func `stopping may rewind what plays`() throws {
    let flow = try playingFlow()
    let current = flow.queue.queue.current?.id
    flow.outputs.grant(9000)
    #expect(flow.outputs.awaitFrames(10_000))
    flow.act(.stop(rewinds: true))
    #expect(flow.state.wait { $0.phase == .stopped })
    #expect(flow.queue.queue.heard == .zero && flow.queue.queue.current?.id == current)
  }

  @Test func `behind the last item it ends as if that had been heard`() throws {
    let flow = try playingFlow()
    flow.act(.play(id(flow, 2), from: .zero))
    flow.act(.next)
    #expect(flow.state.wait { $0.isOver })
    #expect(flow.queue.queue.current == nil && flow.queue.queue.items.count == 3)
  }

  @Test func `an item plays from the place that is asked for`() throws {
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
