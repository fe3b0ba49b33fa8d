// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import TestSupport
import Testing

@testable import PlaybackEngine

/// DSD reaches a device that plays it unchanged, and is converted wherever its samples would have to change.
@Suite struct DSDPlaybackTests {
  private static let rate = 176_400
  /// The sample that stands for silence.
  private static let silence: Int32 = 0x6969

  /// Returns a script of DSD, with another one of PCM to which it is converted.
  private func dsd(tag: Int, frameCount: Int) -> DecodingScript {
    var script = DecodingScript(
      tag: tag, frameCount: frameCount, format: .of(Self.rate, channels: 2, coding: .dsd))
    script.pcm = [
      DecodingScript(tag: tag + 4, frameCount: frameCount / 2, format: .of(Self.rate / 2, channels: 2, .bits24))
    ]
    return script
  }

  private func rig(
    _ scripts: [DecodingScript], follows: Bool = true, playsDSD: Bool = true
  ) throws -> (EngineRig, RewindableDevice) {
    let rig = try EngineRig(scripts, follows: follows, isRewindable: true, playsDSD: playsDSD)
    return (rig, try #require(rig.device))
  }

  @Test func `DSD is written bit for bit, also across a join`() throws {
    let scripts = [dsd(tag: 1, frameCount: 300_000), dsd(tag: 2, frameCount: 200_001)]
    let (rig, device) = try rig(scripts)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(device.requests == [DeviceFormat(sampleRate: Self.rate, channels: 2, depth: .bits16, isDSD: true)])
    #expect(PCM.firstDifference(device.samples, scripts.flatMap(\.samples), channels: 2) == nil)
  }

  @Test func `a crossfade between DSD tracks is a join without a gap`() throws {
    let scripts = [dsd(tag: 1, frameCount: 300_000), dsd(tag: 2, frameCount: 200_000)]
    let (rig, device) = try rig(scripts, follows: false)
    rig.engine.onEvent { [weak engine = rig.engine, log = rig.log] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = id.rawValue == 1 ? EngineRig.source(2) : nil
      engine?.setNext(after: id, next, .crossfade(.milliseconds(500)))
    }
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(device.samples, scripts.flatMap(\.samples), channels: 2) == nil)
  }

  @Test func `in a pause, half of the fade is silence, and no other bit changes`() throws {
    let script = dsd(tag: 1, frameCount: 900_000)
    let (rig, device) = try rig([script])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 50_000 })
    rig.engine.pause()
    #expect(rig.clock.run { device.isPaused })
    rig.engine.resume()
    #expect(rig.await(.finished))
    let expected = script.samples
    let changed = device.samples.indices.filter { device.samples[$0] != expected[$0] }
    #expect(device.samples.count == expected.count)
    #expect(changed.allSatisfy { device.samples[$0] == Self.silence })
    // Half of two fades of 8 ms.
    #expect((2_700...2_850).contains(changed.count), "\(changed.count)")
    #expect(device.requests.count == 1)
  }

  @Test func `a device that refuses DSD gets PCM from the first frame on, and is not asked again`() throws {
    let scripts = [dsd(tag: 1, frameCount: 300_000), dsd(tag: 2, frameCount: 200_000)]
    let (rig, device) = try rig(scripts, playsDSD: false)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [true, false])
    let expected = scripts.flatMap { $0.pcm.flatMap(\.samples) }
    #expect(PCM.firstDifference(device.samples, expected, channels: 2) == nil)
  }

  @Test func `if the volume is lowered, playback continues in PCM at the same position`() throws {
    let script = dsd(tag: 1, frameCount: 900_000)
    let (rig, device) = try rig([script])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 100_000 })
    let before = device.playedFrames
    rig.engine.setVolume(0.5)
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [true, false])
    let samples = device.samples
    let expected = script.samples
    let same = zip(samples, expected).prefix { $0 == $1 }.count / 2
    #expect((before..<before + 4_000).contains(same), "\(before), \(same)")
    // Where the rest begins, which has half as many frames in PCM.
    let cut = 2 * (samples.count / 2 - 450_000)
    #expect((same..<same + 1_500).contains(cut), "\(same), \(cut)")
    let rest = try #require(script.pcm.first).samples.suffix(2 * (450_000 - cut / 2 - 1_000)).map { $0 / 2 }
    #expect(PCM.firstDifference(Array(samples.suffix(rest.count)), rest, channels: 2, tolerance: 2) == nil)
  }

  @Test func `below full volume, and with a gain, DSD is not requested`() throws {
    let script = dsd(tag: 1, frameCount: 100_000)
    let (quiet, quietDevice) = try rig([script])
    quiet.engine.setVolume(0.9)
    quiet.engine.play(EngineRig.source(1))
    #expect(quiet.await(.finished))
    #expect(quietDevice.requests.map(\.isDSD) == [false])
    let (gained, gainedDevice) = try rig([script])
    var source = EngineRig.source(1)
    source.gain = SourceGain(factor: 0.5, isLimited: false)
    gained.engine.play(source)
    #expect(gained.await(.finished))
    #expect(gainedDevice.requests.map(\.isDSD) == [false])
  }

  @Test func `the equaliser and crossfeed convert DSD, at once if it is playing`() throws {
    let script = dsd(tag: 1, frameCount: 900_000)
    let profile = EqualiserProfile(filters: [EqualiserFilter(.peak, 1_000, gain: -3, .q(1))])
    let (rig, device) = try rig([script])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 100_000 })
    rig.engine.setEqualiser(profile)
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [true, false])
    let (equalised, equalisedDevice) = try self.rig([script])
    equalised.engine.setEqualiser(profile)
    equalised.engine.play(EngineRig.source(1))
    #expect(equalised.await(.finished))
    #expect(equalisedDevice.requests.map(\.isDSD) == [false])
    let (crossfed, crossfedDevice) = try self.rig([script])
    crossfed.engine.setEqualiser(nil, crossfeed: .standard)
    crossfed.engine.play(EngineRig.source(1))
    #expect(crossfed.await(.finished))
    #expect(crossfedDevice.requests.map(\.isDSD) == [false])
  }

  @Test func `DSD behind limited PCM stays as it is`() throws {
    let pcm = DecodingScript(tag: 1, frameCount: 100_000, format: .of(Self.rate, channels: 2, .bits16))
    let scripts = [pcm, dsd(tag: 2, frameCount: 150_000)]
    let (rig, device) = try rig(scripts, follows: false)
    rig.engine.onEvent { [weak engine = rig.engine, log = rig.log] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      engine?.setNext(after: id, id.rawValue == 1 ? EngineRig.source(2) : nil)
    }
    var source = EngineRig.source(1)
    source.gain = SourceGain(factor: 1, isLimited: true)
    rig.engine.play(source)
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [false, true])
    #expect(
      PCM.firstDifference(Array(device.samples.suffix(300_000)), scripts[1].samples, channels: 2) == nil)
  }

  @Test func `after a seek, DSD continues as DSD`() throws {
    let script = dsd(tag: 1, frameCount: 1_800_000)
    let (rig, device) = try rig([script])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 50_000 })
    rig.engine.seek(.to(.seconds(5)))
    #expect(rig.await(.finished))
    #expect(device.requests.count == 1)
    let rest = script.samples(885_000..<1_800_000)
    #expect(PCM.firstDifference(Array(device.samples.suffix(rest.count)), rest, channels: 2) == nil)
  }

  @Test func `if the volume is lowered during a pause, playback resumes in PCM`() throws {
    let (rig, device) = try rig([dsd(tag: 1, frameCount: 900_000)])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 50_000 })
    rig.engine.pause()
    #expect(rig.clock.run { device.isPaused })
    rig.engine.setVolume(0.5)
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [true, false])
  }

  @Test func `at full volume again, a seek returns to DSD`() throws {
    let (rig, device) = try rig([dsd(tag: 1, frameCount: 1_800_000)])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 50_000 })
    rig.engine.setVolume(0)
    #expect(rig.clock.run { device.requests.count == 2 })
    rig.engine.setVolume(1)
    rig.engine.seek(.to(.seconds(5)))
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [true, false, true])
  }

  @Test func `crossfades from and to PCM do not touch DSD`() throws {
    let pcm = DecodingScript(tag: 1, frameCount: 100_000, format: .of(Self.rate, channels: 2, .bits16))
    let scripts = [pcm, dsd(tag: 2, frameCount: 150_000), pcm]
    let (rig, device) = try rig(scripts, follows: false)
    rig.engine.setMaximumCrossfade(.milliseconds(300))
    rig.engine.onEvent { [weak engine = rig.engine, log = rig.log] event, _ in
      log.change { $0.append(event) }
      guard case .needsNext(let id) = event else { return }
      let next = id.rawValue < 3 ? EngineRig.source(Int(id.rawValue) + 1) : nil
      engine?.setNext(after: id, next, .crossfade(.milliseconds(300)))
    }
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [false, true, false])
    #expect(PCM.firstDifference(device.samples, scripts.flatMap(\.samples), channels: 2) == nil)
  }

  @Test(arguments: [(1, false), (300_000, true)])
  func `a device that is lost at once gets PCM, but one that is lost later DSD again`(
    frames: Int, isDSD: Bool
  ) throws {
    let (rig, device) = try rig([dsd(tag: 1, frameCount: 900_000)])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= frames })
    device.lose(isNoticed: true)
    #expect(rig.await(.finished))
    #expect(device.requests.map(\.isDSD) == [true, isDSD])
  }
}
