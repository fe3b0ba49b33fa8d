// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@testable import PlaybackEngine

/// The positions and events of the engine agree with what a paced device has played.
@Suite struct DeviceTimeTests {
  private let ids = (1...3).map { EngineRig.source($0).id }
  private let device = CollectingOutputs.Device(bufferFrames: 8820, isPaced: true)

  /// Records the events of `rig`, each with the number of frames that had been played when it was reported.
  private func recordEvents(_ rig: EngineRig) -> Watched<[(EngineEvent, Double)]> {
    let recorded = Watched<[(EngineEvent, Double)]>([])
    rig.engine.onEvent {
      [log = rig.log, outputs = rig.outputs, clock = rig.clock, weak engine = rig.engine] event, _ in
      let played = outputs.playedFrames(at: clock.now)
      recorded.change { $0.append((event, played)) }
      log.change { $0.append(event) }
      if case .needsNext(let id) = event {
        engine?.setNext(after: id, id.rawValue == 1 ? EngineRig.source(2) : nil)
      }
    }
    return recorded
  }

  @Test func `a source is reported as started when it is audible, and no position is ahead`() throws {
    let rig = try EngineRig(
      [DecodingScript(tag: 1, frameCount: 40_000), DecodingScript(tag: 2, frameCount: 40_000)],
      outputs: CollectingOutputs(device: device))
    let recorded = recordEvents(rig)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    var starts: [Double] = []
    var last = -1.0
    for (event, played) in recorded.value {
      switch event {
      case .started: starts.append(played)
      case .position(let id, let position):
        let frames = position / .seconds(1) * 44_100 + (id == ids[1] ? 40_000 : 0)
        // The device clock assumes that the device is 0.05 % slow, and an instant is rounded down to a frame.
        #expect(frames < played + 2, "\(frames) reported, \(played) played")
        #expect(frames > played - 50, "\(frames) reported, \(played) played")
        #expect(frames >= last)
        last = frames
      default: break
      }
    }
    #expect(starts.count == 2)
    #expect(starts[0] < 50 && starts[1] > 39_998 && starts[1] < 40_050, "\(starts)")
  }

  @Test func `a lasting pause closes the device, and no frame is lost or repeated after it`() throws {
    let one = DecodingScript(tag: 1, frameCount: 60_000)
    let rig = try EngineRig(
      [one], outputs: CollectingOutputs(granted: 20_000, device: .init(bufferFrames: 882)))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(rig.pauseAndWait())
    #expect(rig.outputs.await { $0[0].isClosed })
    let pausedFrame = rig.outputs.openings[0].frameCount
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.map(\.frameCount) == [pausedFrame, 60_000 - pausedFrame])
    #expect(
      PCM.firstDifference(
        Array(rig.outputs.openings[1].samples.dropFirst(2 * 353)), one.samples(pausedFrame + 353..<60_000),
        channels: 2) == nil)
  }

  @Test func `an underrun during playback is counted, and a device that is fed has none`()
    throws
  {
    let gate = Gate()
    var one = DecodingScript(tag: 1, frameCount: 60_000)
    let fed = try EngineRig([one], outputs: CollectingOutputs(device: device))
    fed.engine.play(EngineRig.source(1))
    #expect(fed.await(.finished))
    #expect(fed.engine.underrunCount == 0)
    one.gate = gate
    one.gatedFrame = 17_000
    let starved = try EngineRig([one], outputs: CollectingOutputs(device: device))
    starved.engine.play(EngineRig.source(1))
    #expect(gate.awaitArrival())
    #expect(starved.outputs.awaitFrames(16_384))
    #expect(starved.outputs.awaitPlayed(16_384))
    starved.clock.advance(byMilliseconds: 500)
    gate.open()
    #expect(starved.await(.finished))
    #expect(starved.engine.underrunCount == 1)
  }

  @Test func `after an underrun, playback waits until a second has been decoded`() throws {
    let (gate, later) = (Gate(), Gate())
    var one = DecodingScript(tag: 1, frameCount: 400_000)
    one.framesPerRead = 1_024
    (one.gate, one.gatedFrame, one.laterGate) = (gate, 17_000, (16_384 + 36_000, later))
    let rig = try EngineRig([one], outputs: CollectingOutputs(device: device))
    rig.engine.play(EngineRig.source(1))
    #expect(gate.awaitArrival())
    #expect(rig.outputs.awaitFrames(16_384))
    #expect(rig.outputs.awaitPlayed(16_384))
    rig.clock.advance(byMilliseconds: 500)
    gate.open()
    #expect(later.awaitArrival())
    rig.clock.advance(byMilliseconds: 1_000)
    #expect(rig.outputs.samples.count / 2 == 16_384)
    later.open()
    #expect(rig.await(.finished))
    let samples = rig.outputs.samples
    #expect(rig.engine.underrunCount == 1 && samples.count / 2 == 400_000)
    #expect(PCM.firstDifference(samples, one.samples, channels: 2) == nil)
  }

  @Test(arguments: ["paused", "stopped"])
  func `an engine that does not play does not wake`(state: String) throws {
    let outputs = CollectingOutputs(device: device)
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 400_000)], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitFrames(9000))
    // An engine that plays wakes up all the time.
    #expect(!rig.clock.comesToRest(withinMilliseconds: 1000))
    state == "paused" ? rig.engine.pause() : rig.engine.stop()
    #expect(outputs.await { $0[0].isClosed })
    #expect(rig.clock.comesToRest(withinMilliseconds: 1000))
  }
}

@Suite struct DeviceClockTests {
  private func instant(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func `written frames are unplayed until time has passed`() {
    var clock = DeviceClock(sampleRate: 1000, bufferFrames: 100)
    #expect(clock.unplayedFrames(at: instant(0)) == 0)
    clock.recordWrite(of: 50, from: instant(0), to: instant(0))
    #expect(clock.unplayedFrames(at: instant(0)) == 50)
    #expect((30...31).contains(clock.unplayedFrames(at: instant(20))))
    #expect(clock.unplayedFrames(at: instant(60)) == 0)
    #expect((30_000_000...31_000_000).contains(clock.lag(at: instant(20))))
  }

  @Test func `a device never holds more than its buffer`() {
    var clock = DeviceClock(sampleRate: 1000, bufferFrames: 100)
    for _ in 0..<10 { clock.recordWrite(of: 50, from: instant(0), to: instant(0)) }
    #expect(clock.unplayedFrames(at: instant(0)) == 100)
    var file = DeviceClock(sampleRate: 1000, bufferFrames: 0)
    file.recordWrite(of: 50, from: instant(0), to: instant(0))
    #expect(file.unplayedFrames(at: instant(0)) == 0 && file.lag(at: instant(0)) == 0)
  }

  @Test func `a device has run dry if nothing was left at a write, except at the first`() {
    var clock = DeviceClock(sampleRate: 1000, bufferFrames: 100)
    clock.recordWrite(of: 50, from: instant(0), to: instant(0))
    #expect(!clock.hasRunDry)
    clock.recordWrite(of: 50, from: instant(20), to: instant(20))
    #expect(!clock.hasRunDry)
    clock.recordWrite(of: 50, from: instant(200), to: instant(200))
    #expect(clock.hasRunDry)
    clock.recordWrite(of: 50, from: instant(220), to: instant(220))
    #expect(!clock.hasRunDry)
  }

  @Test func `with regular writes, the estimate stays at the size of the buffer`() {
    var clock = DeviceClock(sampleRate: 44_100, bufferFrames: 4410)
    for _ in 0..<5 { clock.recordWrite(of: 882, from: instant(0), to: instant(0)) }
    for write in 1...5000 as ClosedRange<UInt64> {
      clock.recordWrite(of: 882, from: instant(20 * write - 20), to: instant(20 * write))
      #expect(abs(clock.unplayedFrames(at: instant(20 * write)) - 4410) < 4)
    }
  }
}
