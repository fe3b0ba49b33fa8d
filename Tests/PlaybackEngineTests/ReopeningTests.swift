// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@testable import PlaybackEngine

/// The output is closed, and another one opened, while music plays.
@Suite struct ReopeningTests {
  /// The number of frames of a fade at 44.1 kHz.
  private static let fade = 353
  /// The number of frames by which the place where two fades meet is uncertain: both are silent there.
  private static let uncertainty = 8
  private static let script = DecodingScript(tag: 1, frameCount: 60_000)

  /// Checks that `samples` are all of the source, but for a fade-out and a fade-in at `end`, the first frame on the
  /// output that was opened last.
  private func expectWhole(_ samples: [Int32], joinedAt end: Int) {
    #expect(samples.count == 2 * 60_000)
    guard samples.count == 2 * 60_000 else { return }
    let distance = Self.fade + Self.uncertainty
    for range in [0..<end - distance, end + distance..<60_000] {
      let played = Array(samples[2 * range.lowerBound..<2 * range.upperBound])
      #expect(PCM.firstDifference(played, Self.script.samples(range), channels: 2) == nil, "\(range)")
    }
    #expect(abs(samples[2 * end - 2]) < 40 && abs(samples[2 * end]) < 40)
  }

  @Test func `playback goes on with the next frame on the output that is opened then`() throws {
    let outputs = CollectingOutputs(device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([Self.script], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(20_000))
    rig.engine.reopenOutput()
    #expect(rig.await(.finished))
    let openings = outputs.openings
    #expect(openings.count == 2 && openings.allSatisfy { $0.isClosed }, "\(openings.map(\.frameCount))")
    expectWhole(openings.flatMap(\.samples), joinedAt: openings[0].frameCount)
    #expect(!rig.events.contains { if case .outputLost = $0 { true } else { false } })
  }

  @Test func `what a deep buffer has not played is taken back, and played on the next output`() throws {
    let rig = try EngineRig([Self.script], isRewindable: true)
    let device = try #require(rig.device)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 20_000 })
    let frame = device.playedFrames
    rig.engine.reopenOutput()
    #expect(rig.await(.finished))
    #expect(device.requests.count == 2)
    // The first frame of the fade-in is silent.
    let samples = device.samples
    let reachable = frame..<frame + device.marginFrames + 2 * Self.fade
    let end = try #require(reachable.last { abs(samples[2 * $0]) < 40 && abs(samples[2 * $0 - 2]) < 40 })
    expectWhole(device.samples, joinedAt: end)
  }

  @Test func `a pause that follows at once does not keep the output open`() throws {
    let outputs = CollectingOutputs(device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([Self.script], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(20_000))
    rig.engine.reopenOutput()
    rig.engine.pause()
    #expect(rig.await(.changed(.paused)))
    #expect(outputs.await { $0.allSatisfy(\.isClosed) })
    rig.engine.resume()
    #expect(rig.await(.finished))
    let openings = outputs.openings
    expectWhole(openings.flatMap(\.samples), joinedAt: openings.dropLast().reduce(0) { $0 + $1.frameCount })
  }

  @Test func `in a pause, the output is closed; stopped, nothing happens`() throws {
    let outputs = CollectingOutputs(device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([Self.script], outputs: outputs)
    rig.engine.reopenOutput()
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(20_000))
    rig.engine.pause()
    #expect(rig.await(.changed(.paused)))
    rig.engine.reopenOutput()
    #expect(outputs.await { $0.count == 1 && $0[0].isClosed })
    rig.engine.resume()
    #expect(rig.await(.finished))
    expectWhole(outputs.openings.flatMap(\.samples), joinedAt: outputs.openings[0].frameCount)
  }

  @Test func `a device that is missing is tried at once`() throws {
    let outputs = CollectingOutputs(device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([Self.script], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(20_000))
    outputs.loseDevice()
    #expect(rig.await { $0.contains { if case .outputLost = $0 { true } else { false } } })
    outputs.restoreDevice()
    rig.engine.reopenOutput()
    // No time passes meanwhile.
    #expect(rig.log.wait { $0.count { if case .outputOpened = $0 { true } else { false } } == 2 })
    #expect(rig.await(.finished))
  }
}
