// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@testable import PlaybackEngine

/// On an output with a deep buffer, commands are audible within a few milliseconds, and no frame is lost or repeated.
@Suite struct RewindingTests {
  /// The number of frames of a fade at 44.1 kHz.
  private static let fade = 353

  private func rig(_ scripts: [DecodingScript], follows: Bool = true) throws -> (EngineRig, RewindableDevice) {
    let rig = try EngineRig(scripts, follows: follows, isRewindable: true)
    return (rig, try #require(rig.device))
  }

  private func play(_ rig: EngineRig, _ device: RewindableDevice, until frames: Int) -> Bool {
    rig.engine.play(EngineRig.source(1))
    return rig.clock.run { device.playedFrames >= frames }
  }

  @Test func `tracks join without a gap, and start when they are audible`() throws {
    let scripts = [DecodingScript(tag: 1, frameCount: 200_000), DecodingScript(tag: 2, frameCount: 150_000)]
    let (rig, device) = try rig(scripts)
    let starts = Watched<[Int]>([])
    rig.engine.onEvent { [weak engine = rig.engine, log = rig.log] event, _ in
      log.change { $0.append(event) }
      if case .started = event { starts.change { $0.append(device.playedFrames) } }
      if case .needsNext(let id) = event { engine?.setNext(after: id, id.rawValue == 1 ? EngineRig.source(2) : nil) }
    }
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    let expected = scripts[0].samples(0..<200_000) + scripts[1].samples(0..<150_000)
    #expect(PCM.firstDifference(device.samples, expected, channels: 2) == nil)
    #expect(device.playedFrames == 350_000)
    #expect(starts.value.count == 2 && starts.value[0] < 100, "\(starts.value)")
    #expect((199_900..<200_200).contains(starts.value.last ?? 0), "\(starts.value)")
    #expect(rig.engine.underrunCount == 0 && device.takeBackCount == 0)
  }

  @Test func `a pause is audible at once, and playback continues with the next frame`() throws {
    let script = DecodingScript(tag: 1, frameCount: 400_000)
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    let paused = device.playedFrames
    rig.engine.pause()
    #expect(rig.clock.run { device.isPaused })
    let end = device.playedFrames
    #expect((paused..<paused + device.marginFrames + Self.fade + 100).contains(end), "\(paused), \(end)")
    #expect(device.samples.count == 2 * end)
    #expect(rig.clock.comesToRest(withinMilliseconds: 2_000))
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect(!device.isPaused && device.samples.count == 800_000)
    // Outside the fades, every frame is there.
    let samples = device.samples
    for range in [0..<end - Self.fade, end + Self.fade..<400_000] {
      let heard = Array(samples[2 * range.lowerBound..<2 * range.upperBound])
      #expect(PCM.firstDifference(heard, script.samples(range), channels: 2) == nil, "\(range)")
    }
    #expect(abs(samples[2 * end - 2]) < 40 && abs(samples[2 * end]) < 40)
  }

  @Test func `the position is reported when the first frame after a pause is audible`() throws {
    let (rig, device) = try rig([DecodingScript(tag: 1, frameCount: 400_000)])
    #expect(play(rig, device, until: 30_000))
    rig.engine.pause()
    #expect(rig.clock.run { device.isPaused })
    let end = device.playedFrames
    rig.log.change { $0 = [] }
    rig.engine.resume()
    let isReported = rig.await { events in
      events.contains { if case .position(_, let position) = $0 { position >= .seconds(end) / 44_100 } else { false } }
    }
    #expect(isReported && device.playedFrames < end + 1_000, "\(device.playedFrames - end)")
  }

  @Test func `a seek is audible at once`() throws {
    let script = DecodingScript(tag: 1, frameCount: 900_000)
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.seek(.to(.seconds(10)))
    #expect(rig.clock.run { device.playedFrames >= before + 50_000 })
    let cut = before + device.marginFrames + Self.fade
    let samples = device.samples
    #expect(
      PCM.firstDifference(
        Array(samples[..<(2 * before)]), script.samples(0..<before), channels: 2) == nil)
    let sought = Array(samples[2 * (cut + 400 + Self.fade)..<2 * (cut + 40_000)])
    // The first of these frames, by its low bits.
    let begin = try #require((441_000..<442_000).first { script.samples($0..<$0 + 1) == Array(sought[..<2]) })
    #expect(begin - 441_000 <= 400 + Self.fade)
    #expect(
      PCM.firstDifference(sought, script.samples(begin..<begin + sought.count / 2), channels: 2) == nil)
  }

  @Test func `a change of the volume is audible at once, and nothing is lost or repeated`() throws {
    var script = DecodingScript(tag: 1, frameCount: 300_000)
    script.wave = { _, _ in 0.5 }
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.setVolume(0.5)
    #expect(rig.await(.finished))
    let samples = device.samples.map { Double($0) / 32_768 }
    #expect(samples.count == 600_000)
    #expect(samples[2 * before] == 0.5)
    let change = try #require(samples.firstIndex { $0 < 0.499 }) / 2
    #expect((before..<before + device.marginFrames + 100).contains(change), "\(before), \(change)")
    // No step is larger than that of the fade.
    let step = zip(samples, samples.dropFirst(2)).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.002, "\(step)")
    #expect(samples.suffix(400_000).allSatisfy { abs($0 - 0.25) < 0.001 })
  }

  @Test func `the volume changes without a step while it is still changing`() throws {
    var script = DecodingScript(tag: 1, frameCount: 300_000)
    script.wave = { _, _ in 0.5 }
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    rig.engine.setVolume(0.1, over: .seconds(3))
    #expect(rig.clock.run { device.playedFrames >= 90_000 })
    rig.engine.setVolume(0.9)
    #expect(rig.await(.finished))
    let samples = device.samples.map { Double($0) / 32_768 }
    #expect(samples.count == 600_000)
    let step = zip(samples, samples.dropFirst(2)).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.003, "\(step)")
    #expect(samples.suffix(100_000).allSatisfy { abs($0 - 0.45) < 0.001 })
  }

  @Test func `a next track that was already written is replaced`() throws {
    let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: 120_000) }
    let (rig, device) = try rig(scripts, follows: false)
    rig.engine.play(EngineRig.source(1))
    rig.engine.setNext(after: EngineRig.source(1).id, EngineRig.source(2))
    // The end of the first track, and more, has been written.
    #expect(rig.clock.run { device.samples.count > 2 * 125_000 })
    #expect(device.playedFrames < 110_000)
    rig.engine.setNext(after: EngineRig.source(1).id, EngineRig.source(3))
    #expect(rig.clock.run { device.playedFrames >= 180_000 })
    let expected = scripts[0].samples(0..<120_000) + scripts[2].samples(0..<60_000)
    #expect(PCM.firstDifference(Array(device.samples.prefix(360_000)), expected, channels: 2) == nil)
    let started = rig.events.compactMap { if case .started(let id, _, _, _, _) = $0 { id } else { nil } }
    #expect(started == [EngineRig.source(1).id, EngineRig.source(3).id])
  }

  @Test(arguments: ["pause", "seek", "next", "stop"], 1...3)
  func `a command is audible at once after the next track was replaced near the end`(
    command: String, replacements: Int
  ) throws {
    let scripts = (1...5).map { DecodingScript(tag: $0, frameCount: 300_000) }
    let (rig, device) = try rig(scripts)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 168_000 })
    for number in 0..<replacements {
      rig.engine.setNext(after: EngineRig.source(1).id, EngineRig.source(3 + number % 2))
      let played = device.playedFrames
      #expect(rig.clock.run { device.playedFrames >= played + 5_000 })
    }
    let before = device.playedFrames
    switch command {
    case "pause": rig.engine.pause()
    case "seek": rig.engine.seek(.to(.seconds(1)))
    case "next": rig.engine.play(EngineRig.source(5))
    default: rig.engine.stop()
    }
    _ = rig.clock.comesToRest(withinMilliseconds: 500)
    let end = before + device.marginFrames + Self.fade + 100
    let sound = Array(device.samples.dropFirst(2 * end).prefix(2_000))
    let isOld = PCM.firstDifference(sound, scripts[0].samples(end..<end + sound.count / 2), channels: 2) == nil
    #expect(sound.isEmpty || !isOld)
    #expect((command == "pause" || command == "stop") == sound.isEmpty)
  }

  @Test func `the volume changes right after a seek, within its fade-in`() throws {
    var script = DecodingScript(tag: 1, frameCount: 600_000)
    script.wave = { _, _ in 0.5 }
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.seek(.to(.seconds(5)))
    // The new frames have been written.
    #expect(rig.clock.run { device.takeBackCount > 0 && device.samples.count > 2 * (before + 4_000) })
    rig.engine.setVolume(0.5)
    #expect(rig.await(.finished))
    #expect(device.takeBackCount <= 4)
    #expect(device.samples.suffix(400_000).allSatisfy { abs(Double($0) / 32_768 - 0.25) < 0.001 })
  }

  @Test func `a seek during a long fade starts a source once, and the fade continues`() throws {
    var script = DecodingScript(tag: 1, frameCount: 900_000)
    script.wave = { _, _ in 0.5 }
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    rig.engine.setVolume(0.1, over: .seconds(3))
    #expect(rig.clock.run { device.playedFrames >= 90_000 })
    rig.engine.seek(.to(.seconds(10)))
    #expect(rig.await(.finished))
    let starts = rig.events.count { if case .started = $0 { true } else { false } }
    #expect(starts == 2)
    #expect(device.samples.suffix(200_000).allSatisfy { abs(Double($0) / 32_768 - 0.05) < 0.001 })
  }

  @Test(arguments: 0..<10)
  func `a next track is replaced shortly before the join, without a gap`(step: Int) throws {
    let length = 200_000 + 4_500 * step
    let scripts = (1...3).map { DecodingScript(tag: $0, frameCount: $0 == 1 ? length : 200_000) }
    let (rig, device) = try rig(scripts, follows: false)
    rig.engine.play(EngineRig.source(1))
    rig.engine.setNext(after: EngineRig.source(1).id, EngineRig.source(2))
    #expect(rig.clock.run { device.playedFrames >= length - 45_000 })
    let left = length - device.playedFrames
    rig.engine.setNext(after: EngineRig.source(1).id, EngineRig.source(3))
    #expect(rig.clock.run { device.playedFrames >= length + 100_000 })
    // Too late if the first frames of the earlier one could not be taken back.
    guard left > device.marginFrames else { return }
    let expected = scripts[0].samples(0..<length) + scripts[2].samples(0..<100_000)
    #expect(PCM.firstDifference(Array(device.samples.prefix(expected.count)), expected, channels: 2) == nil)
    #expect(rig.engine.underrunCount == 0, "with \(left) frames left")
    let started = rig.events.compactMap { if case .started(let id, _, _, _, _) = $0 { id.rawValue } else { nil } }
    #expect(started == [1, 3])
  }

  @Test func `many short tracks join without a gap, and each has its own position`() throws {
    let scripts = (1...30).map { DecodingScript(tag: $0, frameCount: 8_820 + 100 * $0) }
    let (rig, device) = try rig(scripts)
    rig.engine.play(EngineRig.source(1))
    var (checkedCount, wrong) = (0, [String]())
    // The clock stops at the beginning of each track and at each second; only the latter are within a track.
    let hasFinished = rig.clock.run {
      var (frames, tag) = (device.playedFrames, 1)
      while tag < 30, frames >= 8_820 + 100 * tag { (frames, tag) = (frames - 8_820 - 100 * tag, tag + 1) }
      if (1_000..<8_000).contains(frames), let position = rig.engine.audiblePosition {
        checkedCount += 1
        let difference = position.position / .seconds(1) - Double(frames) / 44_100
        if position.source.rawValue != UInt64(tag) || abs(difference) >= 0.01 {
          wrong.append("\(position) in track \(tag), frame \(frames)")
        }
      }
      return rig.events.contains(.finished)
    }
    #expect(hasFinished && wrong.isEmpty, "\(wrong)")
    #expect(checkedCount > 3)
    let expected = scripts.flatMap { $0.samples(0..<$0.frameCount) }
    #expect(PCM.firstDifference(device.samples, expected, channels: 2) == nil)
    #expect(rig.engine.underrunCount == 0)
  }

  @Test func `a track begins when it is audible, even if the device was suspended before`() throws {
    let scripts = [DecodingScript(tag: 1, frameCount: 200_000), DecodingScript(tag: 2, frameCount: 400_000)]
    let (rig, device) = try rig(scripts)
    #expect(play(rig, device, until: 100_000))
    device.suspend(true)
    let end = rig.clock.now.advanced(byMilliseconds: 10_000)
    #expect(rig.clock.run { rig.clock.now >= end })
    func startedCount() -> Int { rig.events.count { if case .started = $0 { true } else { false } } }
    #expect(startedCount() == 1)
    device.suspend(false)
    #expect(rig.clock.run { startedCount() == 2 })
    #expect((199_000..<202_000).contains(device.playedFrames), "\(device.playedFrames)")
    #expect(rig.await(.finished))
    #expect(!rig.events.contains { if case .inputStalled(true) = $0 { true } else { false } })
  }

  @Test func `the position stands still in a pause, wherever frames were taken back`() throws {
    let scripts = [DecodingScript(tag: 1, frameCount: 200_000), DecodingScript(tag: 2, frameCount: 400_000)]
    for paused in [20_000, 150_000, 190_000, 215_000] {
      let (rig, device) = try rig(scripts)
      #expect(play(rig, device, until: paused))
      rig.engine.pause()
      #expect(rig.clock.run { device.isPaused })
      let frames = device.playedFrames
      let position = try #require(rig.engine.audiblePosition)
      #expect(rig.clock.comesToRest(withinMilliseconds: 3_000))
      rig.clock.advance(byMilliseconds: 3_000)
      let expected = Double(frames < 200_000 ? frames : frames - 200_000) / 44_100
      #expect(abs(position.position / .seconds(1) - expected) < 0.01, "\(position), \(expected)")
      #expect(rig.engine.audiblePosition?.position == position.position)
    }
  }

  @Test func `a device that reports its loss is reopened at once, after what was audible`() throws {
    let script = DecodingScript(tag: 1, frameCount: 300_000)
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    device.lose(isNoticed: true)
    let lost = device.playedFrames
    let instant = rig.clock.now
    #expect(rig.await { $0.contains { if case .outputLost = $0 { true } else { false } } })
    #expect(rig.clock.now.nanoseconds - instant.nanoseconds < 10_000_000)
    #expect(rig.await(.finished))
    #expect(abs(device.samples.count / 2 - 300_000) < 200, "\(lost)")
  }

  @Test func `the position follows a device that is late`() throws {
    let (rig, device) = try rig([DecodingScript(tag: 1, frameCount: 400_000)])
    #expect(play(rig, device, until: 60_000))
    device.delay(byFrames: 22_050)
    let instant = rig.clock.now
    #expect(
      rig.clock.run {
        let position = rig.engine.audiblePosition.map { $0.position / .seconds(1) } ?? 0
        return abs(position - Double(device.playedFrames) / 44_100) < 0.002
      })
    #expect(rig.clock.now.nanoseconds - instant.nanoseconds < 10_000_000)
  }

  @Test func `a suspended device is reported, and playback continues where it was`() throws {
    let script = DecodingScript(tag: 1, frameCount: 300_000)
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    device.suspend(true)
    #expect(rig.await(.outputStalled(true)))
    let played = device.playedFrames
    rig.clock.advance(byMilliseconds: 5_000)
    #expect(device.playedFrames == played)
    device.suspend(false)
    #expect(rig.await(.outputStalled(false)))
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(device.samples, script.samples(0..<300_000), channels: 2) == nil)
  }

  @Test(arguments: [false, true])
  func `what a device drops when it is suspended is played when it continues`(isPaused: Bool) throws {
    let script = DecodingScript(tag: 1, frameCount: 300_000)
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    let before = device.takeBackCount
    device.suspend(true, isDropping: true)
    #expect(rig.clock.run { device.takeBackCount > before })
    if isPaused {
      rig.engine.pause()
      rig.clock.advance(byMilliseconds: 500)
    }
    let played = device.playedFrames
    device.suspend(false)
    if isPaused {
      #expect(rig.clock.run { device.isPaused })
      rig.engine.resume()
    }
    #expect(rig.await(.finished))
    let samples = device.samples
    #expect(samples.count / 2 == 300_000)
    // It fades in where it was suspended, and where it was paused.
    let fades = isPaused ? device.marginFrames + 3 * Self.fade + 100 : Self.fade + 10
    for range in [0..<played, played + fades..<300_000] {
      let heard = Array(samples[2 * range.lowerBound..<2 * range.upperBound])
      #expect(PCM.firstDifference(heard, script.samples(range), channels: 2) == nil, "\(range)")
    }
    #expect(abs(samples[2 * played]) < 40)
  }

  @Test(arguments: ["seek", "pause", "volume", "next track"])
  func `a device that is lost when a command takes frames back is reopened`(command: String) throws {
    let (rig, device) = try rig((1...2).map { DecodingScript(tag: $0, frameCount: 300_000) })
    #expect(play(rig, device, until: 30_000))
    device.lose()
    switch command {
    case "seek": rig.engine.seek(.to(.seconds(4)))
    case "volume": rig.engine.setVolume(0.5)
    case "next track": rig.engine.setNext(after: EngineRig.source(1).id, EngineRig.source(2))
    default:
      rig.engine.pause()
      #expect(rig.clock.comesToRest(withinMilliseconds: 3_000))
      rig.engine.resume()
    }
    #expect(rig.await(.finished))
    // A seek may come before the loss is noticed, and opens another output anyway.
    let losses = rig.events.count { if case .outputLost = $0 { true } else { false } }
    #expect((command == "seek" ? 0...1 : 1...1).contains(losses))
    #expect(device.samples.count > 2 * 300_000)
  }

  @Test func `a stop is audible at once`() throws {
    let (rig, device) = try rig([DecodingScript(tag: 1, frameCount: 400_000)])
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.stop()
    #expect(rig.clock.comesToRest(withinMilliseconds: 2_000))
    #expect(device.samples.count / 2 <= before + device.marginFrames + Self.fade + 100)
  }

  @Test func `the output is filled about once a second`() throws {
    let (rig, device) = try rig([DecodingScript(tag: 1, frameCount: 880_000)])
    rig.engine.play(EngineRig.source(1))
    #expect(rig.clock.run { device.playedFrames >= 88_200 })
    let (start, writes) = (rig.clock.now, device.writeCount)
    #expect(rig.clock.run { device.playedFrames >= 617_400 })
    let seconds = Double(rig.clock.now.nanoseconds - start.nanoseconds) / 1e9
    let blocks = Double(device.writeCount - writes) / seconds
    // A second has 5.4 blocks.
    #expect(blocks < 8, "\(blocks)")
    #expect(rig.engine.underrunCount == 0)
  }
}
