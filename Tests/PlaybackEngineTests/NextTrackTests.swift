// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import PlaybackEngine

/// Changes of the next track when another one has already been decoded.
@Suite struct ChangedNextTrackTests {
  private let scripts = (1...4).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// Returns a rig that plays source 1, and whose output has accepted 1000 frames. The next source after each source is
  /// set as in `nextSources`, as soon as the engine requests it.
  private func decodedRig(_ nextSources: [Int: Int?], isRealTime: Bool = true) throws -> EngineRig {
    let rig = try EngineRig(
      scripts, outputs: CollectingOutputs(granted: 1000, isRealTime: isRealTime), follows: false)
    let engine = rig.engine
    let log = rig.log
    engine.onEvent { [weak engine] event, _ in
      // The event is logged afterwards, so that a test that waits for it can replace this next source.
      if case .needsNext(let id) = event, let next = nextSources[Int(id.rawValue)] {
        engine?.setNext(after: id, next.map { EngineRig.source($0) })
      }
      log.change { $0.append(event) }
    }
    engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitFrames(1000))
    return rig
  }

  @Test func `another source replaces one that was decoded, and not a frame is lost or added`()
    throws
  {
    let rig = try decodedRig([1: 2, 2: 3, 3: nil, 4: nil])
    #expect(rig.awaitOpened(3))
    rig.engine.setNext(after: .init(rawValue: 1), EngineRig.source(4))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 4), channels: 2) == nil)
    #expect(rig.outputs.openings.count == 1)
  }

  @Test func `a source follows where none was to follow`() throws {
    let rig = try decodedRig([1: 2, 2: nil, 4: nil])
    #expect(rig.await(.needsNext(after: .init(rawValue: 2))))
    rig.engine.setNext(after: .init(rawValue: 2), EngineRig.source(4))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 2, 4), channels: 2) == nil)
  }

  @Test func `nothing follows where a source was decoded`() throws {
    let rig = try decodedRig([1: 2, 2: 3, 3: nil])
    #expect(rig.awaitOpened(3))
    rig.engine.setNext(after: .init(rawValue: 2), nil)
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 2), channels: 2) == nil)
  }

  @Test func `of many changes the last one counts`() throws {
    let rig = try decodedRig([1: 2, 2: 3, 3: nil, 4: nil])
    #expect(rig.awaitOpened(3))
    for _ in 0..<50 {
      rig.engine.setNext(after: .init(rawValue: 1), nil)
      rig.engine.setNext(after: .init(rawValue: 1), EngineRig.source(3))
      rig.engine.setNext(after: .init(rawValue: 1), EngineRig.source(4))
    }
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 4), channels: 2) == nil)
  }

  @Test func `a source that does not open is replaced by another`() throws {
    let rig = try decodedRig([1: 9, 4: nil])
    #expect(rig.await(.needsNext(after: .init(rawValue: 9))))
    rig.engine.setNext(after: .init(rawValue: 1), EngineRig.source(4))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 4), channels: 2) == nil)
  }
}

@Suite struct NextTrackGateTests {
  private let one = PlaybackSource.ID(rawValue: 1)
  private let two = PlaybackSource.ID(rawValue: 2)

  @Test func `the change that closed the gate releases it, once`() {
    let gate = NextTrackGate()
    let sequenceNumber = gate.nextSequenceNumber()
    gate.close(after: one, until: sequenceNumber)
    let closed = gate.state
    let isOpened = gate.open(sequenceNumber)
    let (opened, isOpenedAgain) = (gate.state, gate.open(sequenceNumber))
    #expect(closed.isClosed(after: one) && !closed.isClosed(after: two))
    #expect(isOpened && !isOpenedAgain && !opened.isClosed(after: one))
  }

  @Test func `an earlier change does not release the gate`() {
    let gate = NextTrackGate()
    let (first, second) = (gate.nextSequenceNumber(), gate.nextSequenceNumber())
    gate.close(after: one, until: first)
    gate.close(after: one, until: second)
    let isOpenedByFirst = gate.open(first)
    let closed = gate.state
    let isOpenedBySecond = gate.open(second)
    let opened = gate.state
    #expect(!isOpenedByFirst && closed.isClosed(after: one) && !closed.isClosed(after: two))
    #expect(isOpenedBySecond && !opened.isClosed(after: one))
  }

  @Test func `a change for another source does not release the first one`() {
    let gate = NextTrackGate()
    let (first, second) = (gate.nextSequenceNumber(), gate.nextSequenceNumber())
    gate.close(after: one, until: first)
    gate.close(after: two, until: second)
    let isOpenedByFirst = gate.open(first)
    let closed = gate.state
    let isOpenedBySecond = gate.open(second)
    gate.close(after: two, until: gate.nextSequenceNumber())
    let later = gate.state
    #expect(!isOpenedByFirst && closed.isClosed(after: one) && closed.isClosed(after: two))
    #expect(isOpenedBySecond && later.isClosed(after: two) && !later.isClosed(after: one))
  }

  @Test func `a new start releases the gate`() {
    let gate = NextTrackGate()
    let isFree = !gate.open()
    gate.close(after: one, until: gate.nextSequenceNumber())
    let isOpened = gate.open()
    let opened = gate.state
    #expect(isFree && isOpened && !opened.isClosed(after: one))
  }

  @Test func `while the gate is closed, a generation may begin only with its source`() {
    let gate = NextTrackGate()
    let free = gate.state
    gate.close(after: one, until: gate.nextSequenceNumber())
    let closed = gate.state
    #expect(!free.preventsStart(with: one) && !free.preventsStart(with: nil))
    #expect(!closed.preventsStart(with: one) && closed.preventsStart(with: two) && closed.preventsStart(with: nil))
  }
}
