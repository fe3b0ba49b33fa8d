// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import Resampling
import SystemPackage
import TestSupport
import Testing

@testable import PlaybackEngine

/// Commands from many threads, with devices that are lost and come back, and files that block.
@Suite struct EngineStressTests {
  /// The seeds of the runs. The environment can set a larger number of runs, to search for rare failures.
  private static var seeds: Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["SEGUE_STRESS_SEEDS"].flatMap { UInt64($0) } ?? 4)
  }

  private func scripts(_ random: inout SeededGenerator, _ gates: [Gate]) -> [DecodingScript] {
    let formats: [AudioFormat] = [
      .cd, .of(44_100, channels: 2, .bits24), .of(48_000, channels: 1, .bits16),
      .of(96_000, channels: 2, nil),
    ]
    var scripts = (1...6).map { number in
      DecodingScript(
        tag: number, frameCount: Int.random(in: 0...40_000, using: &random),
        format: formats[Int.random(in: 0..<formats.count, using: &random)])
    }
    scripts[1].opens = false
    scripts[2].gate = gates[0]
    scripts[2].gatedFrame = 5000
    scripts[3].openingGate = gates[1]
    scripts[4].seekingGate = gates[2]
    scripts.append(DecodingScript(tag: 7, frameCount: 20_000))
    return scripts
  }

  private func settings(_ random: inout SeededGenerator) -> EngineSettings {
    var settings = EngineSettings()
    settings.formatChange = Bool.random(using: &random) ? .resample : .reopen
    settings.pausesOnLoss = Bool.random(using: &random)
    settings.timeouts = Timeouts(file: 5, block: 10, stall: 20, output: 60, pause: 5)
    return settings
  }

  @Test(arguments: seeds)
  func `an engine plays as usual once its files and devices are back, whatever happened`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let gates = (0..<4).map { _ in Gate() }
    let scripts = scripts(&random, gates)
    let count = scripts.count
    let stuckWrite = CollectingOutputs.Fault.block(afterFrames: 3000, gates[3])
    let outputs = CollectingOutputs(
      device: .init(bufferFrames: 882),
      faults: [nil, .write(afterFrames: 2000), stuckWrite, .open, nil, .writeAndClose].shuffled(using: &random))
    let rig = try EngineRig(
      scripts, outputs: outputs, follows: false, settings: settings(&random), resamplers: SoxrResampler.make)
    rig.engine.onEvent { [log = rig.log, weak engine = rig.engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.setNext(
        after: id, next < count ? EngineRig.source(next) : nil,
        next % 2 == 0 ? .crossfade(.milliseconds(100)) : .gapless)
    }
    let threads = try (0..<3).map { number in
      try WorkerThread(name: "commander") {
        var random = SeededGenerator(seed: seed * 10 + UInt64(number))
        for _ in 0..<120 {
          switch Int.random(in: 0..<13, using: &random) {
          case 0, 1, 2: rig.engine.play(EngineRig.source(.random(in: 1..<count, using: &random)))
          case 3: rig.engine.pause()
          case 4, 5: rig.engine.resume()
          case 6: rig.engine.stop()
          case 7: rig.engine.seek(.by(.milliseconds(.random(in: -200...200, using: &random))))
          case 8:
            rig.engine.setGain(
              SourceGain(
                factor: .random(in: 0...2, using: &random), isLimited: Bool.random(using: &random)),
              of: EngineRig.source(.random(in: 1..<count, using: &random)).id)
          case 9: outputs.loseDevice()
          case 10, 11: outputs.restoreDevice()
          default: rig.clock.advance(byMilliseconds: .random(in: 0...9, using: &random))
          }
        }
      }
    }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    #expect(threads.allSatisfy { $0.join(until: deadline) })
    for gate in gates { gate.open() }
    outputs.restoreDevice()
    // The earlier commands are done when a source that does not exist is reported as failed.
    let missingSource = EngineRig.source(99)
    rig.engine.play(missingSource)
    #expect(
      rig.await { events in
        let start = events.lastIndex { if case .failed(missingSource.id, _) = $0 { true } else { false } }
        return start.map { events[$0...].contains(.finished) } ?? false
      })
    let before = rig.events.count
    rig.engine.play(EngineRig.source(count))
    // A remaining fault pauses playback if the settings say so.
    let isDone = rig.await { events in
      if events.dropFirst(before).contains(.changed(.paused)) { rig.engine.resume() }
      return events.dropFirst(before).contains(.finished)
        || events.dropFirst(before).contains { if case .outputFailed = $0 { true } else { false } }
    }
    #expect(isDone)
    #expect(rig.shutDown())
    #expect(outputs.openings.allSatisfy { $0.isClosed })
    if rig.events.last == .finished, outputs.openings.last?.frameCount == 20_000 {
      #expect(
        PCM.firstDifference(outputs.openings.last?.samples ?? [], scripts[count - 1].samples, channels: 2)
          == nil)
    }
  }
}
