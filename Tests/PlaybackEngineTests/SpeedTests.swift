// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import Platform
import PlaybackEngine
import TestSupport
import Testing
import TimeStretching

/// Playing faster or slower than normal.
@Suite struct SpeedTests {
  private let second = 44_100

  private func speed(_ factor: Double) throws -> PlaybackSpeed { try #require(PlaybackSpeed(factor)) }

  private func source(_ number: Int, _ speed: PlaybackSpeed) -> PlaybackSource {
    var source = EngineRig.source(number)
    source.speed = speed
    return source
  }

  /// Returns a piece of a sound that is never the same, which begins at frame `start` of it.
  private func sound(_ frames: Int, from start: Int = 0) -> DecodingScript {
    var script = DecodingScript(tag: 1, frameCount: frames, format: .of(44_100, channels: 2, .bits24))
    script.wave = { frame, channel in
      let time = Double(start + frame) / 44_100
      let sample = 0.3 * sin(2 * .pi * (220 + 40 * time) * time) + 0.2 * sin(2 * .pi * 1_234.5 * time + Double(channel))
      return Float((sample * 8_388_608).rounded() / 8_388_608)
    }
    return script
  }

  /// Creates a rig that plays `scripts` one after the other at these speeds.
  private func rig(
    _ scripts: [DecodingScript], _ speeds: [PlaybackSpeed], outputs: CollectingOutputs = CollectingOutputs(),
    isRewindable: Bool = false, playsDSD: Bool = false
  ) throws -> EngineRig {
    let rig = try EngineRig(
      scripts, outputs: outputs, follows: false, isRewindable: isRewindable, playsDSD: playsDSD,
      stretchers: TimeStretcher.make)
    rig.engine.onEvent { [log = rig.log, weak engine = rig.engine] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = Int(id.rawValue) + 1
      engine?.setNext(after: id, next <= scripts.count ? source(next, speeds[next - 1]) : nil)
    }
    return rig
  }

  private func play(_ scripts: [DecodingScript], _ speeds: [PlaybackSpeed]) throws -> [Int32] {
    let rig = try rig(scripts, speeds)
    rig.engine.play(source(1, speeds[0]))
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.count == 1)
    return rig.outputs.samples
  }

  /// Returns the first difference that is greater than that of two dithers.
  private func difference(_ samples: [Int32], _ expected: [Int32]) -> String? {
    PCM.firstDifference(
      samples.map { Float($0) / 8_388_608 }, expected.map { Float($0) / 8_388_608 }, channels: 2, tolerance: 5e-7)
  }

  private func samples(_ script: DecodingScript, _ frames: Range<Int>) -> [Int32] {
    frames.flatMap { frame in
      (0..<2).map { Int32(((script.wave?(frame, $0) ?? 0) * 8_388_608).rounded()) }
    }
  }

  @Test(arguments: [0.75, 1.5, 3])
  func `tracks that join are stretched like one`(factor: Double) throws {
    let speed = try speed(factor)
    // The joins are at odd places.
    let parts = [sound(30_011), sound(7, from: 30_011), sound(40_001, from: 30_018)]
    let whole = try play([sound(70_019)], [speed])
    let output = try play(parts, [speed, speed, speed])
    #expect(whole.count == 2 * Int((70_019 / factor).rounded()))
    #expect(difference(output, whole) == nil)
  }

  @Test func `tracks at the normal speed before and after others stay bit for bit`() throws {
    let scripts = [sound(second), sound(second, from: 9_999), sound(second, from: 77)]
    let output = try play(scripts, [.normal, speed(2), .normal])
    #expect(output.count == 2 * (2 * second + second / 2))
    #expect(PCM.firstDifference(Array(output.prefix(2 * second)), samples(scripts[0], 0..<second), channels: 2) == nil)
    #expect(PCM.firstDifference(Array(output.suffix(2 * second)), samples(scripts[2], 0..<second), channels: 2) == nil)
  }

  @Test func `peaks that become higher are limited`() throws {
    var script = sound(second)
    script.wave = { frame, _ in frame % 100 < 50 ? 1 : -1 }
    let output = try play([script], [speed(1.5)])
    #expect(output.map(\.magnitude).max() ?? 0 <= 8_388_608)
    // Without a limiter, they would stay at full scale for several frames.
    let clipped = output.indices.dropFirst(4).count { index in
      stride(from: index - 4, through: index, by: 2).allSatisfy { output[$0].magnitude >= 8_388_607 }
    }
    #expect(clipped < 20)
  }

  @Test func `positions, ends and seeks are those of the music`() throws {
    let device = CollectingOutputs.Device(bufferFrames: 4_410, isPaced: true)
    let scripts = [sound(20 * second), sound(10 * second)]
    let two = try speed(2)
    let rig = try rig(scripts, [two, two], outputs: CollectingOutputs(device: device))
    let begin = rig.clock.now
    func passed() -> Double { Double(rig.clock.now.nanoseconds - begin.nanoseconds) / 1e9 }
    func position() -> Duration { rig.engine.audiblePosition?.position ?? .zero }
    rig.engine.play(source(1, two))
    #expect(rig.clock.run { position() >= .seconds(6) })
    #expect(position() < .seconds(12))
    #expect(abs(position() / .seconds(1) - 2 * passed()) < 0.5)
    rig.engine.seek(.to(.seconds(16)))
    let beforeSeek = passed()
    #expect(
      rig.await { events in
        events.contains { if case .started(.init(rawValue: 2), _, _, .seconds(10), _) = $0 { true } else { false } }
      })
    #expect(abs(passed() - beforeSeek - 2) < 0.3)
    #expect(rig.await(.finished))
    #expect(abs(passed() - beforeSeek - 7) < 0.5)
  }

  @Test(arguments: [false, true])
  func `the speed changes while playing, again and again, and 1 is bit for bit again`(isRewindable: Bool) throws {
    let device = CollectingOutputs.Device(bufferFrames: 4_410, isPaced: true)
    let script = DecodingScript(tag: 1, frameCount: 120 * second, format: .of(44_100, channels: 2, .bits24))
    let rig = try rig([script], [.normal], outputs: CollectingOutputs(device: device), isRewindable: isRewindable)
    rig.engine.play(source(1, .normal))
    func position() -> Duration { rig.engine.audiblePosition?.position ?? .zero }
    #expect(rig.clock.run { position() > .seconds(2) })
    for factor in [1.5, 0.5, 3, 1.25] {
      let speed = try speed(factor)
      let before = position()
      rig.engine.setSpeed(speed, of: source(1, .normal).id)
      #expect(rig.clock.run { position() > before + .seconds(4) })
      #expect(position() < before + .seconds(12))
    }
    for step in 0..<50 { rig.engine.setSpeed(try speed(0.5 + Double(step) / 20), of: source(1, .normal).id) }
    let before = position()
    rig.engine.setSpeed(.normal, of: source(1, .normal).id)
    #expect(rig.clock.run { position() > before + .seconds(8) })
    rig.engine.stop()
    #expect(rig.await(.changed(.stopped)))
    let written = isRewindable ? rig.device?.samples ?? [] : rig.outputs.samples
    // The samples are the numbers of their frames: the last ones follow each other, up to the fade.
    let end = written.count / 2 - 2 * second
    let first = Int(written[2 * (end - 3 * second)]) & 0xFFFF
    for offset in 0..<3 * second {
      let expected = script.sample(frame: first + offset, channel: 0)
      guard written[2 * (end - 3 * second + offset)] == expected else {
        Issue.record("frame \(offset) is \(written[2 * (end - 3 * second + offset)]), not \(expected)")
        break
      }
    }
    #expect(!rig.events.contains { if case .inputStalled(true) = $0 { true } else { false } })
  }

  @Test func `a passage is repeated at another speed, without a gap`() throws {
    let two = try speed(2)
    var source = source(1, two)
    source.passage = SourcePassage(start: .milliseconds(100), end: .milliseconds(600))
    let count = 2 * second
    let repeated = try rig([sound(second)], [two], outputs: CollectingOutputs(granted: count))
    repeated.engine.play(source)
    #expect(repeated.outputs.awaitFrames(count))
    let script = sound(second)
    var long = sound(5 * second)
    long.wave = { frame, channel in
      script.wave?(frame < 26_460 ? frame : 4_410 + (frame - 4_410) % 22_050, channel) ?? 0
    }
    let expected = try rig([long], [two], outputs: CollectingOutputs(granted: count))
    expected.engine.play(self.source(1, two))
    #expect(expected.outputs.awaitFrames(count))
    #expect(
      difference(
        Array(repeated.outputs.samples.prefix(2 * count)), Array(expected.outputs.samples.prefix(2 * count))) == nil)
  }

  @Test func `without the library, music is played at the normal speed`() throws {
    let rig = try EngineRig([sound(second)])
    rig.engine.play(source(1, try speed(2)))
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, samples(sound(second), 0..<second), channels: 2) == nil)
  }
}
