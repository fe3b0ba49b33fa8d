// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// Playback when the device is lost.
@Suite struct DeviceLossTests {
  private let fade = 353
  private let ids = (1...3).map { EngineRig.source($0).id }

  private func losses(_ events: [EngineEvent]) -> Int {
    events.count { if case .outputLost = $0 { true } else { false } }
  }

  private func failures(_ events: [EngineEvent]) -> Int {
    events.count { if case .outputFailed = $0 { true } else { false } }
  }

  private func opened(_ events: [EngineEvent]) -> Int {
    events.count { if case .outputOpened = $0 { true } else { false } }
  }

  /// Creates outputs of a device that buffers 20 ms and accepts everything at once.
  private func device(granted: Int = .max, faults: [CollectingOutputs.Fault?] = []) -> CollectingOutputs {
    CollectingOutputs(granted: granted, device: .init(bufferFrames: 882), faults: faults)
  }

  /// Returns the frame at which playback of a source of `frames` frames resumed in the last opening. The source must
  /// have been played to its end, followed by other sources of `laterFrames` frames.
  private func resumedFrame(_ rig: EngineRig, frames: Int, laterFrames: Int = 0) -> Int {
    frames - ((rig.outputs.openings.last?.frameCount ?? 0) - laterFrames)
  }

  @Test func `playback resumes from the last audible frame`() throws {
    let one = DecodingScript(tag: 1, frameCount: 40_000)
    let rig = try EngineRig([one], outputs: device(faults: [.write(afterFrames: 20_000)]))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(losses(rig.events) == 1 && failures(rig.events) == 0)
    let openings = rig.outputs.openings
    #expect(openings.count == 2 && openings.allSatisfy { $0.isClosed })
    // At most the device's buffer was written but not played.
    let written = openings[0].frameCount
    let start = resumedFrame(rig, frames: 40_000)
    #expect((written - 882...written).contains(start))
    let rest = Array(openings[1].samples.dropFirst(2 * fade))
    #expect(PCM.firstDifference(rest, one.samples(start + fade..<40_000), channels: 2) == nil)
  }

  @Test func `what a paced device had not played yet is played again, and no more`() throws {
    let one = DecodingScript(tag: 1, frameCount: 60_000)
    let outputs = CollectingOutputs(
      device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([one], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(26_460))
    outputs.loseDevice()
    #expect(rig.await { losses($0) == 1 })
    let played = outputs.playedFrames(at: rig.clock.now)
    let written = outputs.openings[0].frameCount
    outputs.restoreDevice()
    #expect(rig.await(.finished))
    let start = resumedFrame(rig, frames: 60_000)
    #expect(abs(Double(start) - played) < 50, "\(start) instead of \(played), \(written) written")
    #expect(start <= written)
  }

  @Test func `the device is reopened with back-off, and the loss is reported once`() throws {
    let one = DecodingScript(tag: 1, frameCount: 20_000)
    let rig = try EngineRig([one], outputs: device(faults: [.write(afterFrames: 9000), .open, .open]))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(losses(rig.events) == 1 && opened(rig.events) == 2)
    let instants = rig.outputs.openInstants.map { $0.nanoseconds / 1_000_000 }
    let delays = zip(instants, instants.dropFirst()).map { $1 - $0 }
    // The first delay is counted from the opening.
    #expect(delays == [200, 400, 800])
    let start = resumedFrame(rig, frames: 20_000)
    #expect((9000 - 2 * 882...9000).contains(start))
  }

  @Test func `with pausing on loss, playback pauses, and can be resumed`() throws {
    let one = DecodingScript(tag: 1, frameCount: 20_000)
    var settings = EngineSettings()
    settings.pausesOnLoss = true
    let rig = try EngineRig(
      [one], outputs: device(faults: [.write(afterFrames: 9000)]), settings: settings)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.changed(.paused)))
    #expect(losses(rig.events) == 1)
    #expect(rig.outputs.openCount == 1)
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect((9000 - 2 * 882...9000).contains(resumedFrame(rig, frames: 20_000)))
  }

  @Test(arguments: ["seek", "stop", "play", "pause", "gain"])
  func `commands work while the device is lost`(command: String) throws {
    let (one, two) = (DecodingScript(tag: 1, frameCount: 40_000), DecodingScript(tag: 2, frameCount: 9000))
    let outputs = device(granted: 9000)
    let rig = try EngineRig([one, two], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    outputs.loseDevice()
    #expect(rig.await { losses($0) == 1 })
    outputs.grant()
    switch command {
    case "seek":
      rig.engine.seek(.to(AudioFormat.cd.duration(ofFrames: 30_000)))
      outputs.restoreDevice()
      #expect(rig.await(.finished))
      #expect(outputs.openings.last?.frameCount == 10_000 + 9000)
    case "stop":
      rig.engine.stop()
      #expect(rig.await(.changed(.stopped)))
      outputs.restoreDevice()
      rig.engine.play(EngineRig.source(2))
      #expect(rig.await(.finished))
      #expect(outputs.openings.last?.samples == two.samples)
    case "play":
      rig.engine.play(EngineRig.source(2))
      outputs.restoreDevice()
      #expect(rig.await(.finished))
      #expect(outputs.openings.last?.samples == two.samples)
    case "pause":
      rig.engine.pause()
      #expect(rig.await(.changed(.paused)))
      outputs.restoreDevice()
      rig.engine.resume()
      #expect(rig.await(.finished))
      #expect((9000 - 2 * 882...9882).contains(resumedFrame(rig, frames: 40_000, laterFrames: 9000)))
    default:
      rig.engine.setGain(SourceGain(factor: 0.5, isLimited: false), of: ids[0])
      outputs.restoreDevice()
      #expect(rig.await(.finished))
      #expect((9000 - 2 * 882...9882).contains(resumedFrame(rig, frames: 40_000, laterFrames: 9000)))
    }
    #expect(failures(rig.events) == 0)
  }

  @Test func `a source of another format that is played during the outage opens the device in it`() throws {
    let other = DecodingScript(tag: 2, frameCount: 9000, format: .of(48_000, channels: 1, .bits16))
    let outputs = device(granted: 9000)
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 40_000), other], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    outputs.loseDevice()
    #expect(rig.await { losses($0) == 1 })
    rig.engine.play(EngineRig.source(2))
    outputs.grant()
    outputs.restoreDevice()
    #expect(rig.await(.finished))
    #expect(outputs.openings.last?.format == DeviceFormat(for: other.format))
    #expect(outputs.openings.last?.samples == other.samples)
  }

  @Test func `a device lost in a pause is reopened when playback resumes`() throws {
    let one = DecodingScript(tag: 1, frameCount: 40_000)
    let outputs = device(granted: 9000)
    let rig = try EngineRig([one], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    #expect(rig.pauseAndWait())
    let pausedFrame = outputs.openings[0].frameCount
    outputs.loseDevice()
    rig.engine.resume()
    #expect(rig.await { losses($0) == 1 })
    outputs.restoreDevice()
    #expect(rig.await(.finished))
    #expect(resumedFrame(rig, frames: 40_000) == pausedFrame)
  }

  @Test func `a device that never opened ends playback`() throws {
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 4000)], outputs: device(faults: [.open]))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await { failures($0) == 1 })
    #expect(losses(rig.events) == 0)
  }

  @Test func `if lost at a join, the audible source continues, not the one being written`() throws {
    let (one, two) = (
      DecodingScript(tag: 1, frameCount: 22_050), DecodingScript(tag: 2, frameCount: 22_050)
    )
    let outputs = CollectingOutputs(
      device: .init(bufferFrames: 11_025, isPaced: true), faults: [.write(afterFrames: 24_000)])
    let rig = try EngineRig([one, two], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    let started = rig.events.compactMap { event in
      if case .started(let id, _, _, _, _) = event { id.rawValue } else { nil }
    }
    #expect(started == [1, 1, 2])
    let replayedFrames = (outputs.openings.last?.frameCount ?? 0) - 22_050
    // A quarter of a second was not played yet, minus what was written of the second source.
    #expect(replayedFrames > 4000 && replayedFrames < 11_025, "\(replayedFrames)")
  }
}

/// Playback when the device blocks for ever.
@Suite struct StalledOutputTests {
  private let ids = (1...3).map { EngineRig.source($0).id }

  private func settings(output: UInt64 = 10_000) -> EngineSettings {
    var settings = EngineSettings()
    settings.timeouts.output = output
    settings.timeouts.stall = min(settings.timeouts.stall, output / 2)
    return settings
  }

  @Test func `a device that accepts nothing is reported within seconds, and again when it recovers`() throws {
    let outputs = CollectingOutputs(granted: 9000, device: .init(bufferFrames: 882))
    let one = DecodingScript(tag: 1, frameCount: 20_000)
    let rig = try EngineRig([one], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    let start = rig.clock.now
    #expect(rig.await(.outputStalled(true)))
    #expect(rig.clock.now >= start.advanced(byMilliseconds: 2500))
    #expect(rig.clock.now <= start.advanced(byMilliseconds: 4000))
    outputs.grant(100)
    #expect(outputs.awaitBlockedWrite())
    outputs.grant()
    #expect(rig.await(.finished))
    #expect(outputs.openings.map(\.samples) == [one.samples])
    #expect(!rig.events.contains { if case .outputLost = $0 { true } else { false } })
  }

  @Test func `neither a device that accepts audio in blocks of two seconds nor its file counts as stalled`() throws {
    let blockFrames = 88_200
    let outputs = CollectingOutputs(granted: blockFrames, device: .init(bufferFrames: 882))
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 5 * blockFrames)], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    for _ in 1...4 {
      #expect(outputs.awaitBlockedWrite())
      let end = rig.clock.now.advanced(byMilliseconds: 2_000)
      #expect(rig.clock.run { rig.clock.now >= end })
      outputs.grant(blockFrames)
    }
    #expect(rig.await(.finished))
    for event in rig.events {
      switch event {
      case .outputStalled, .inputStalled, .outputLost: Issue.record("\(event)")
      default: break
      }
    }
  }

  @Test func `a device is not considered stalled if the process was suspended`() throws {
    let outputs = CollectingOutputs(granted: 9000, device: .init(bufferFrames: 882))
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 20_000)], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    rig.clock.advance(byMilliseconds: 10_000)
    // The late tick has been handled, and the next one is due within a second.
    let now = rig.clock.now.nanoseconds / 1_000_000
    #expect(rig.clock.awaitSleeper(untilMilliseconds: now + 1...now + 1_001))
    outputs.grant()
    #expect(rig.await(.finished))
    #expect(!rig.events.contains(.outputStalled(true)))
    #expect(!rig.events.contains { if case .outputLost = $0 { true } else { false } })
  }

  @Test func `the end of a stall is reported`() throws {
    let outputs = CollectingOutputs(granted: 9000, device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 100_000)], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.outputStalled(true)))
    outputs.grant()
    #expect(rig.await(.outputStalled(false)))
    rig.engine.stop()
    #expect(rig.await(.changed(.stopped)))
  }

  @Test func `a thread that is stuck in a device is replaced, and touches nothing when it returns`() throws {
    let gate = Gate()
    let one = DecodingScript(tag: 1, frameCount: 60_000)
    let outputs = CollectingOutputs(
      device: .init(bufferFrames: 882), faults: [.block(afterFrames: 9000, gate)])
    // Between a stall and the replacement is more than a second, so that one of the inspections sees the stall.
    let rig = try EngineRig([one], outputs: outputs, settings: settings(output: 2_500))
    rig.engine.play(EngineRig.source(1))
    #expect(gate.awaitArrival())
    #expect(rig.await { $0.contains { if case .outputLost = $0 { true } else { false } } })
    #expect(rig.await(.outputStalled(false)))
    #expect(rig.await(.finished))
    #expect(outputs.openings.map(\.isClosed) == [false, true])
    let first = outputs.openings[0].frameCount
    let second = outputs.openings[1].samples
    let start = 60_000 - second.count / 2
    #expect((first - 882...first).contains(start))
    #expect(
      PCM.firstDifference(
        Array(second.dropFirst(2 * 353)), one.samples(start + 353..<60_000), channels: 2) == nil)
    let count = rig.events.count
    gate.open()
    #expect(outputs.await { $0[0].isClosed })
    #expect(rig.shutDown())
    #expect(rig.events.count == count)
    #expect(outputs.openings[0].frameCount == first)
  }

  @Test func `stuck threads delay shutting down only up to its timeout`() throws {
    let gate = Gate()
    let outputs = CollectingOutputs(
      device: .init(bufferFrames: 882),
      faults: [.block(afterFrames: 9000, gate), .block(afterFrames: 0, gate)])
    let rig = try EngineRig(
      [DecodingScript(tag: 1, frameCount: 60_000)], outputs: outputs, settings: settings(output: 450))
    rig.engine.play(EngineRig.source(1))
    #expect(gate.awaitArrival())
    #expect(rig.await { $0.contains { if case .outputLost = $0 { true } else { false } } })
    #expect(outputs.await { $0.count == 2 })
    // The call returns although the threads do not end.
    #expect(!rig.engine.shutDown(within: 50))
    gate.open()
    #expect(rig.shutDown())
  }

  @Test func `a thread that is stuck closing a lost device is replaced, too`() throws {
    let gate = Gate()
    let one = DecodingScript(tag: 1, frameCount: 40_000)
    let outputs = CollectingOutputs(
      granted: 9000, device: .init(bufferFrames: 882), faults: [.blockClose(gate)])
    let rig = try EngineRig([one], outputs: outputs, settings: settings(output: 600))
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    outputs.loseDevice()
    #expect(rig.await { $0.contains { if case .outputLost = $0 { true } else { false } } })
    outputs.grant()
    outputs.restoreDevice()
    #expect(rig.await(.finished))
    #expect(outputs.openings.map(\.isClosed) == [false, true])
    gate.open()
    #expect(rig.shutDown())
  }
}
