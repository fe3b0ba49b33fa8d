import AudioCore
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// What happens when the device, or the file, takes no end.
@Suite struct StalledOutputTests {
  private let ids = (1...3).map { EngineRig.source($0).id }

  private func settings(output: UInt64 = 10_000) -> EngineSettings {
    var settings = EngineSettings()
    settings.patience.output = output
    settings.patience.stall = min(settings.patience.stall, output / 2)
    return settings
  }

  @Test func `a device that takes nothing is told within some seconds, and when it takes sound again`() throws {
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

  @Test func `it takes sound again, and that is told`() throws {
    let outputs = CollectingOutputs(granted: 9000, device: .init(bufferFrames: 8820, isPaced: true))
    let rig = try EngineRig([DecodingScript(tag: 1, frameCount: 100_000)], outputs: outputs)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.outputStalled(true)))
    outputs.grant()
    #expect(rig.await(.outputStalled(false)))
    rig.engine.stop()
    #expect(rig.await(.changed(.stopped)))
  }

  @Test func `a thread that is stuck in a device is replaced, and touches nothing when it comes back`() throws {
    let gate = Gate()
    let one = DecodingScript(tag: 1, frameCount: 60_000)
    let outputs = CollectingOutputs(
      device: .init(bufferFrames: 882), faults: [.block(afterFrames: 9000, gate)])
    let rig = try EngineRig([one], outputs: outputs, settings: settings(output: 700))
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

  @Test func `stuck threads delay shutting down only to its limit`() throws {
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
    // It returns, though they do not end.
    #expect(!rig.engine.shutDown(within: 50))
    gate.open()
    #expect(rig.shutDown())
  }

  @Test func `a thread that is stuck closing a device that went is replaced, too`() throws {
    let gate = Gate()
    let one = DecodingScript(tag: 1, frameCount: 40_000)
    let outputs = CollectingOutputs(
      granted: 9000, device: .init(bufferFrames: 882), faults: [.blockClose(gate)])
    let rig = try EngineRig([one], outputs: outputs, settings: settings(output: 600))
    rig.engine.play(EngineRig.source(1))
    #expect(outputs.awaitBlockedWrite())
    outputs.vanish()
    #expect(rig.await { $0.contains { if case .outputLost = $0 { true } else { false } } })
    outputs.grant()
    outputs.comeBack()
    #expect(rig.await(.finished))
    #expect(outputs.openings.map(\.isClosed) == [false, true])
    gate.open()
    #expect(rig.shutDown())
  }
}
