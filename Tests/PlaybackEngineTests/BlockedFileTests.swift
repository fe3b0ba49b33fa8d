// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// A file that blocks for ever must block nothing else.
@Suite struct BlockedFileTests {
  private let ids = (1...3).map { EngineRig.source($0).id }

  /// Returns a source that blocks at `gate` in this stage: opening, reading at once, reading, or seeking.
  private func blocked(_ stage: String, _ gate: Gate) -> DecodingScript {
    var script = DecodingScript(tag: 1, frameCount: 60_000)
    switch stage {
    case "opening": script.openingGate = gate
    case "seeking": script.seekingGate = gate
    default:
      script.gate = gate
      script.gatedFrame = stage == "reading" ? 20_000 : 0
    }
    return script
  }

  @Test(arguments: ["opening", "reading at once", "reading", "seeking"])
  func `another source plays half a second later, and the stuck thread touches nothing`(
    stage: String
  ) throws {
    let gate = Gate()
    let two = DecodingScript(tag: 2, frameCount: 20_000)
    weak var decoders: ScriptedDecoders?
    let outputs = CollectingOutputs()
    do {
      let rig = try EngineRig([blocked(stage, gate), two], outputs: outputs)
      decoders = rig.decoders
      rig.engine.play(EngineRig.source(1), from: stage == "seeking" ? .seconds(1) : .zero)
      #expect(rig.awaitArrival(at: gate))
      // Commands that do not need the file take effect at once.
      rig.engine.setVolume(0.5)
      rig.engine.pause()
      #expect(rig.await(.changed(.paused)))
      rig.engine.resume()
      rig.engine.setVolume(1)
      rig.engine.stop()
      #expect(rig.await(.changed(.stopped)))
      let start = rig.clock.now
      rig.engine.play(EngineRig.source(2))
      #expect(rig.await { $0.contains { if case .started(ids[1], _, _, _, _) = $0 { true } else { false } } })
      #expect(rig.clock.now <= start.advanced(byMilliseconds: 500))
      #expect(rig.await(.finished))
      // If the engine has stopped before the blocked file is detected, the output stays open.
      #expect(outputs.samples.suffix(two.samples.count).elementsEqual(two.samples))
      #expect(!rig.engine.shutDown(within: 20))
      let count = rig.events.count
      gate.open()
      #expect(rig.shutDown())
      #expect(rig.events.count == count)
      #expect(outputs.samples.suffix(two.samples.count).elementsEqual(two.samples))
    }
    #expect(eventually { decoders == nil })
  }

  @Test func `a slow file is not abandoned`() throws {
    let gate = Gate()
    var one = DecodingScript(tag: 1, frameCount: 60_000)
    one.gate = gate
    one.gatedFrame = 9000
    let rig = try EngineRig([one])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.awaitArrival(at: gate))
    #expect(rig.outputs.awaitFrames(8192))
    gate.open()
    #expect(rig.await(.finished))
    #expect(rig.outputs.samples == one.samples)
    #expect(rig.decoders.opened.count == 1)
  }

  @Test func `a seek in a blocked file opens it again`() throws {
    let gate = Gate()
    let one = blocked("reading", gate)
    let rig = try EngineRig([one])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.awaitArrival(at: gate))
    rig.engine.seek(.to(AudioFormat.cd.duration(ofFrames: 50_000)))
    #expect(rig.awaitOpened(2))
    gate.open()
    #expect(rig.await(.finished))
    #expect(rig.outputs.samples.suffix(2 * 9600) == one.samples(50_400..<60_000)[...])
  }

  @Test func `after any number of blocked files, the first that does not block is played`() throws {
    let gates = (0..<7).map { _ in Gate() }
    defer { for gate in gates { gate.open() } }
    let stages = ["opening", "reading", "opening", "seeking", "opening", "reading at once", "opening"]
    let last = DecodingScript(tag: 2, frameCount: 20_000)
    let rig = try EngineRig(zip(stages, gates).map { blocked($0, $1) } + [last])
    for (index, gate) in gates.enumerated() {
      rig.engine.play(EngineRig.source(index + 1), from: stages[index] == "seeking" ? .seconds(1) : .zero)
      #expect(rig.awaitArrival(at: gate))
    }
    rig.engine.play(EngineRig.source(8))
    #expect(rig.await(.finished))
    for gate in gates { gate.open() }
    #expect(rig.outputs.samples.suffix(last.samples.count).elementsEqual(last.samples))
  }
}
