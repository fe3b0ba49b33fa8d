// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import PlaybackEngine
import SystemPackage
import TestSupport
import Testing

/// Playback when sources and outputs fail.
@Suite struct PlaybackFaultTests {
  private let ids = (1...7).map { EngineRig.source($0).id }

  private func script(_ tag: Int, _ frames: Int) -> DecodingScript {
    DecodingScript(tag: tag, frameCount: frames)
  }

  private func failedIDs(_ events: [EngineEvent]) -> [PlaybackSource.ID] {
    events.compactMap { if case .failed(let id, _) = $0 { id } else { nil } }
  }

  private func outputFailures(_ events: [EngineEvent]) -> Int {
    events.count { if case .outputFailed = $0 { true } else { false } }
  }

  @Test(arguments: [[2], [1], [3], [1, 2], [2, 3], [1, 3]])
  func `sources that do not open are reported and skipped, and the others join`(bad: [Int]) throws {
    let scripts = (1...3).map { number in
      var script = script(number, 5000)
      script.opens = !bad.contains(number)
      return script
    }
    let rig = try EngineRig(scripts)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(failedIDs(rig.events) == bad.map { ids[$0 - 1] })
    let expected = scripts.filter(\.opens).flatMap(\.samples)
    #expect(PCM.firstDifference(rig.outputs.samples, expected, channels: 2) == nil)
    #expect(rig.outputs.openings.count == 1)
  }

  @Test func `if nothing can be played, no output is opened, and playback finishes`() throws {
    let scripts = (1...3).map { number in
      var script = script(number, 5000)
      script.opens = false
      return script
    }
    let rig = try EngineRig(scripts)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(failedIDs(rig.events) == [ids[0], ids[1], ids[2]])
    #expect(rig.outputs.openCount == 0)
  }

  @Test func `a source without frames is reported and skipped`() throws {
    let scripts = [script(1, 5000), script(2, 0), script(3, 5000)]
    let rig = try EngineRig(scripts)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(
      rig.events.contains(
        .failed(ids[1], DecodingError(path: "2", kind: .empty, reason: "contains no audio"))))
    #expect(failedIDs(rig.events) == [ids[1]])
    #expect(
      PCM.firstDifference(rig.outputs.samples, scripts.flatMap(\.samples), channels: 2) == nil)
  }

  @Test func `a source that cannot seek is reported, and playback continues`() throws {
    var one = script(1, 40_000)
    one.seeks = false
    let two = script(2, 3000)
    let rig = try EngineRig([one, two], outputs: CollectingOutputs(granted: 5000))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    rig.engine.seek(.to(.milliseconds(500)))
    #expect(rig.await { failedIDs($0) == [ids[0]] })
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples.suffix(6000), two.samples, channels: 2) == nil)
  }

  @Test(
    arguments: [
      .open, .write(afterFrames: 0), .write(afterFrames: 3000), .close, .writeAndClose,
    ] as [CollectingOutputs.Fault])
  func `an output that fails stops playback, is reported once, and can be reopened`(
    fault: CollectingOutputs.Fault
  ) throws {
    let one = script(1, 20_000)
    let rig = try EngineRig([one, script(2, 4000)], outputs: CollectingOutputs(faults: [fault]))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await { outputFailures($0) == 1 })
    #expect(!rig.events.contains(.finished))
    rig.engine.pause()
    rig.engine.resume()
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(outputFailures(rig.events) == 1)
    #expect(rig.events.count { $0 == .changed(.playing) } == 2)
    #expect(rig.outputs.openings.allSatisfy { $0.isClosed })
    #expect(rig.outputs.openCount == 2)
    #expect(
      PCM.firstDifference(
        rig.outputs.openings.last?.samples ?? [], one.samples + script(2, 4000).samples, channels: 2) == nil)
  }

  @Test func `an output that cannot store everything is reported even after a stop`() throws {
    let rig = try EngineRig(
      [script(1, 40_000)], outputs: CollectingOutputs(granted: 5000, faults: [.close]))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    rig.engine.stop()
    #expect(rig.await(.changed(.stopped)))
    rig.outputs.grant()
    #expect(rig.await { outputFailures($0) == 1 })
  }

  @Test func `playback stops at a format change if the old output cannot store everything`() throws {
    let other = DecodingScript(tag: 2, frameCount: 5000, format: .of(48_000, channels: 1, .bits16))
    let rig = try EngineRig([script(1, 5000), other], outputs: CollectingOutputs(faults: [.close]))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await { outputFailures($0) == 1 })
    #expect(rig.outputs.openCount == 1)
  }

  @Test func `a decoder that blocks delays no command, and shutting down only up to its timeout`() throws {
    let gate = Gate()
    var one = script(1, 40_000)
    one.gate = gate
    one.gatedFrame = 16_384
    let rig = try EngineRig([one])
    rig.engine.play(EngineRig.source(1))
    #expect(gate.awaitArrival())
    rig.engine.pause()
    #expect(rig.await(.changed(.paused)))
    rig.engine.resume()
    rig.engine.seek(.to(.milliseconds(3)))
    #expect(rig.await(.position(ids[0], .milliseconds(3))))
    rig.engine.stop()
    #expect(rig.await(.changed(.stopped)))
    #expect(rig.outputs.await { $0.allSatisfy { $0.isClosed } })
    // The call returns although the decode thread does not end.
    #expect(!rig.engine.shutDown(within: 30))
    gate.open()
    #expect(rig.shutDown())
  }

  @Test func `an output that blocks delays shutting down only up to its timeout`() throws {
    let rig = try EngineRig([script(1, 40_000)], outputs: CollectingOutputs(granted: 1000))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    #expect(!rig.engine.shutDown(within: 30))
    rig.outputs.grant()
    #expect(rig.shutDown())
    #expect(rig.outputs.openings.map(\.isClosed) == [true])
    #expect(abs(rig.outputs.samples.last ?? .max) < 32, "the end is no fade")
  }

  @Test(arguments: ["stopped", "playing", "paused", "finished", "failed", "opening"])
  func `shutting down ends the threads and closes the output, in every state`(state: String) throws {
    let gate = Gate(isOpen: state != "opening")
    let outputs = CollectingOutputs(
      granted: state == "finished" ? .max : 5000, faults: state == "failed" ? [.open] : [], opening: gate)
    let rig = try EngineRig([script(1, 40_000)], outputs: outputs)
    if state != "stopped" { rig.engine.play(EngineRig.source(1)) }
    switch state {
    case "playing": #expect(outputs.awaitFrames(5000))
    case "paused":
      #expect(outputs.awaitBlockedWrite())
      #expect(rig.pauseAndWait())
    case "finished": #expect(rig.await(.finished))
    case "failed": #expect(rig.await { outputFailures($0) == 1 })
    case "opening":
      #expect(gate.awaitArrival())
      gate.open()
    default: break
    }
    outputs.grant()
    #expect(rig.shutDown())
    let count = rig.events.count
    #expect(outputs.openings.allSatisfy { $0.isClosed })
    rig.engine.play(EngineRig.source(1))
    #expect(rig.shutDown())
    #expect(rig.events.count == count)
  }

  @Test func `an engine that is released ends its threads and releases its resources`() throws {
    weak var weakDecoders: ScriptedDecoders?
    let outputs = CollectingOutputs()
    do {
      let decoders = ScriptedDecoders([script(1, 400_000)])
      weakDecoders = decoders
      let engine = try PlaybackEngine(
        decoders: { path throws(DecodingError) in try decoders.open(path) },
        resamplers: { _, _, _ in nil }, outputs: { format throws(OutputError) in try outputs.open(format) })
      engine.play(EngineRig.source(1))
      #expect(outputs.awaitFrames(1000))
    }
    #expect(outputs.await { $0.first?.isClosed == true })
    #expect(eventually { weakDecoders == nil })
  }
}
