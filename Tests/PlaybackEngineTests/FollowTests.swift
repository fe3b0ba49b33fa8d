// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import PlaybackEngine

/// Changing the next track when another one has been decoded already.
@Suite struct FollowAgainTests {
  private let scripts = (1...4).map { DecodingScript(tag: $0, frameCount: 20_000) }

  private func samples(_ numbers: Int...) -> [Int32] { numbers.flatMap { scripts[$0 - 1].samples } }

  /// Returns a rig that has decoded sources 1 to 3 when the output has accepted 1000 frames at most.
  private func decodedRig(_ answers: [Int: Int?], isRealTime: Bool = true) throws -> EngineRig {
    let rig = try EngineRig(
      scripts, outputs: CollectingOutputs(granted: 1000, isRealTime: isRealTime), follows: false)
    let engine = rig.engine
    let log = rig.log
    engine.onEvent { [weak engine] event, _ in
      // A test that sees the event can give another answer than this one.
      if case .needsNext(let id) = event, let answer = answers[Int(id.rawValue)] {
        engine?.follow(id, with: answer.map { EngineRig.source($0) })
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
    rig.engine.follow(.init(rawValue: 1), with: EngineRig.source(4))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 4), channels: 2) == nil)
    #expect(rig.outputs.openings.count == 1)
  }

  @Test func `a source follows where none was to follow`() throws {
    let rig = try decodedRig([1: 2, 2: nil, 4: nil])
    #expect(rig.await(.needsNext(after: .init(rawValue: 2))))
    rig.engine.follow(.init(rawValue: 2), with: EngineRig.source(4))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 2, 4), channels: 2) == nil)
  }

  @Test func `nothing follows where a source was decoded`() throws {
    let rig = try decodedRig([1: 2, 2: 3, 3: nil])
    #expect(rig.awaitOpened(3))
    rig.engine.follow(.init(rawValue: 2), with: nil)
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 2), channels: 2) == nil)
  }

  @Test func `of many changes the last one counts`() throws {
    let rig = try decodedRig([1: 2, 2: 3, 3: nil, 4: nil])
    #expect(rig.awaitOpened(3))
    for _ in 0..<50 {
      rig.engine.follow(.init(rawValue: 1), with: nil)
      rig.engine.follow(.init(rawValue: 1), with: EngineRig.source(3))
      rig.engine.follow(.init(rawValue: 1), with: EngineRig.source(4))
    }
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 4), channels: 2) == nil)
  }

  @Test func `a source that does not open is replaced by another`() throws {
    let rig = try decodedRig([1: 9, 4: nil])
    #expect(rig.await(.needsNext(after: .init(rawValue: 9))))
    rig.engine.follow(.init(rawValue: 1), with: EngineRig.source(4))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(1, 4), channels: 2) == nil)
  }
}

@Suite struct FollowHoldTests {
  private let one = PlaybackSource.ID(rawValue: 1)
  private let two = PlaybackSource.ID(rawValue: 2)

  @Test func `the change that closed the gate releases it, once`() {
    let hold = NextTrackGate()
    let word = hold.nextWord()
    hold.hold(behind: one, until: word)
    let held = hold.state
    let isLifted = hold.lift(word)
    let (left, isLiftedAgain) = (hold.state, hold.lift(word))
    #expect(held.holds(behind: one) && !held.holds(behind: two))
    #expect(isLifted && !isLiftedAgain && !left.holds(behind: one))
  }

  @Test func `an earlier change does not release the gate`() {
    let hold = NextTrackGate()
    let (first, second) = (hold.nextWord(), hold.nextWord())
    hold.hold(behind: one, until: first)
    hold.hold(behind: one, until: second)
    let isLiftedByFirst = hold.lift(first)
    let held = hold.state
    let isLiftedBySecond = hold.lift(second)
    let left = hold.state
    #expect(!isLiftedByFirst && held.holds(behind: one) && !held.holds(behind: two))
    #expect(isLiftedBySecond && !left.holds(behind: one))
  }

  @Test func `a change for another source does not release the first one`() {
    let hold = NextTrackGate()
    let (first, second) = (hold.nextWord(), hold.nextWord())
    hold.hold(behind: one, until: first)
    hold.hold(behind: two, until: second)
    let isLiftedByFirst = hold.lift(first)
    let held = hold.state
    let isLiftedBySecond = hold.lift(second)
    hold.hold(behind: two, until: hold.nextWord())
    let later = hold.state
    #expect(!isLiftedByFirst && held.holds(behind: one) && held.holds(behind: two))
    #expect(isLiftedBySecond && later.holds(behind: two) && !later.holds(behind: one))
  }

  @Test func `a new start releases the gate`() {
    let hold = NextTrackGate()
    let isFree = !hold.lift()
    hold.hold(behind: one, until: hold.nextWord())
    let isLifted = hold.lift()
    let left = hold.state
    #expect(isFree && isLifted && !left.holds(behind: one))
  }

  @Test func `while the gate is closed, a generation may begin only with its source`() {
    let hold = NextTrackGate()
    let free = hold.state
    hold.hold(behind: one, until: hold.nextWord())
    let held = hold.state
    #expect(!free.holdsBack(one) && !free.holdsBack(nil))
    #expect(!held.holdsBack(one) && held.holdsBack(two) && held.holdsBack(nil))
  }
}
