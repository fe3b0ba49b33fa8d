// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import PlaybackEngine
import TestSupport
import Testing

/// The effect of commands on the output.
@Suite struct PlaybackCommandTests {
  /// The number of frames in a fade at 44.1 kHz.
  private let fade = 353
  private let ids = (1...7).map { EngineRig.source($0).id }

  private func script(_ tag: Int, _ frames: Int, _ depth: SampleDepth = .bits16) -> DecodingScript {
    DecodingScript(tag: tag, frameCount: frames, format: .of(44_100, channels: 2, depth))
  }

  private func position(_ frame: Int) -> Duration { AudioFormat.cd.duration(ofFrames: Int64(frame)) }

  private func frames(_ samples: [Int32], _ range: some RangeExpression<Int>) -> [Int32] {
    let range = range.relative(to: 0..<samples.count / 2)
    return Array(samples[(2 * range.lowerBound)..<(2 * range.upperBound)])
  }

  /// Creates an engine that plays its first source and is blocked in its output, after `granted` frames or slightly
  /// more.
  private func blockedRig(_ scripts: [DecodingScript], granted: Int, follows: Bool = true) throws -> EngineRig {
    let rig = try EngineRig(scripts, outputs: CollectingOutputs(granted: granted), follows: follows)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitBlockedWrite())
    return rig
  }

  @Test(arguments: [1, 881, 882, 5000, 38_000])
  func `pausing and resuming lose and repeat no frame, and only the fades differ`(granted: Int) throws {
    let one = script(1, 40_000)
    let rig = try blockedRig([one], granted: granted)
    #expect(rig.pauseAndWait())
    let output = rig.outputs.samples
    let pausedFrame = output.count / 2
    #expect(
      PCM.firstDifference(frames(output, ..<(pausedFrame - fade)), one.samples(0..<(pausedFrame - fade)), channels: 2)
        == nil)
    #expect(abs(output.last ?? .max) < 32, "the fade does not end in silence")
    rig.engine.resume()
    #expect(rig.await(.finished))
    let all = rig.outputs.samples
    #expect(all.count == one.samples.count)
    #expect(frames(all, pausedFrame...pausedFrame) == [0, 0])
    #expect(
      PCM.firstDifference(
        frames(all, (pausedFrame + fade)...), one.samples((pausedFrame + fade)..<40_000), channels: 2) == nil)
    #expect(rig.outputs.openings.count == 1)
  }

  @Test func `while paused, nothing is written, and no source starts`() throws {
    let rig = try blockedRig([script(1, 40_000), script(2, 4000)], granted: 5000)
    #expect(rig.pauseAndWait())
    let count = rig.outputs.samples.count
    rig.engine.pause()
    rig.engine.seek(.to(position(39_999)))
    #expect(rig.await(.position(ids[0], position(39_999))))
    rig.engine.seek(.to(position(20_000)))
    #expect(rig.await(.position(ids[0], position(20_000))))
    #expect(rig.outputs.samples.count == count)
    #expect(!rig.events.contains { if case .started(ids[1], _, _, _, _) = $0 { true } else { false } })
    rig.engine.resume()
    #expect(rig.await(.finished))
    // 20,000 frames of the first source and all of the second.
    let rest = Array(rig.outputs.samples.dropFirst(count))
    #expect(rest.count == 2 * 24_000)
    #expect(
      PCM.firstDifference(
        frames(rest, fade...), script(1, 40_000).samples((20_000 + fade)..<40_000) + script(2, 4000).samples,
        channels: 2) == nil)
  }

  @Test func `a pause also fades a source of a smaller depth than the output has`() throws {
    let rig = try blockedRig([script(1, 8820, .bits24), script(2, 40_000)], granted: 20_000)
    #expect(rig.outputs.openings.map(\.format.depth) == [.bits24])
    #expect(rig.pauseAndWait())
    #expect(abs(rig.outputs.samples.last ?? .max) < 32 << 8)
  }

  @Test(arguments: [false, true])
  func `a revoked next track is not played, although it was decoded`(isPaused: Bool) throws {
    let one = script(1, 8100)
    // The blocked write ends at frame 7938: a fade would go beyond the end.
    let rig = try blockedRig([one, script(2, 20_000), script(3, 20_000)], granted: 7000)
    #expect(rig.awaitOpened(3))
    rig.engine.setNext(after: ids[0], nil)
    if isPaused {
      rig.engine.pause()
      #expect(rig.await(.changed(.paused)))
    }
    rig.outputs.grant()
    #expect(rig.outputs.awaitFrames(8100))
    rig.engine.resume()
    #expect(rig.await(.finished))
    let output = rig.outputs.samples
    #expect(output.count == one.samples.count)
    #expect(PCM.firstDifference(frames(output, ..<7938), one.samples(0..<7938), channels: 2) == nil)
    #expect(!rig.events.contains { if case .started(ids[1], _, _, _, _) = $0 { true } else { false } })
  }

  @Test(arguments: [0, 1, 352, 17_777, 39_999])
  func `a seek fades, reaches its frame, and plays every frame from there`(frame: Int) throws {
    let one = script(1, 40_000)
    let rig = try blockedRig([one], granted: 5000)
    rig.engine.seek(.to(position(frame)))
    #expect(rig.await(.position(ids[0], position(frame))))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let output = rig.outputs.samples
    let before = output.count / 2 - (40_000 - frame)
    #expect(before > 5000)
    #expect(
      PCM.firstDifference(frames(output, ..<(before - fade)), one.samples(0..<(before - fade)), channels: 2)
        == nil)
    // From its beginning, a source is exact; from elsewhere, after the fade.
    let faded = frame == 0 ? 0 : min(fade, 40_000 - frame)
    if faded > 0 { #expect(frames(output, before...before) == [0, 0]) }
    #expect(
      PCM.firstDifference(
        frames(output, (before + faded)...), one.samples((frame + faded)..<40_000), channels: 2) == nil)
  }

  @Test func `a seek to the end continues with the next track`() throws {
    let two = script(2, 3000)
    let rig = try blockedRig([script(1, 40_000), two], granted: 5000)
    rig.engine.seek(.by(.seconds(1000)))
    #expect(rig.await(.position(ids[0], position(40_000))))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples.suffix(6000), two.samples, channels: 2) == nil)
    #expect(!rig.events.contains { if case .failed = $0 { true } else { false } })
  }

  @Test func `a seek at the boundary, while the next source is decoded, stays in the audible source`()
    throws
  {
    let (one, two) = (script(1, 8820), script(2, 5000))
    // Blocked in the last of the ten writes of the first source.
    let rig = try blockedRig([one, two], granted: 7938)
    #expect(rig.await(.needsNext(after: ids[1])))
    rig.engine.seek(.to(position(4410)))
    #expect(rig.await(.position(ids[0], position(4410))))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let output = rig.outputs.samples
    let expected = one.samples(4410..<8820) + two.samples
    let start = output.count / 2 - expected.count / 2
    #expect(
      PCM.firstDifference(frames(output, (start + fade)...), frames(expected, fade...), channels: 2) == nil)
  }

  @Test(arguments: [1, 5000, 38_000])
  func `another source starts with its first frame, exactly, after a fade-out`(granted: Int)
    throws
  {
    let (one, two) = (script(1, 40_000), script(2, 10_000))
    let rig = try blockedRig([one, two], granted: granted)
    rig.engine.play(EngineRig.source(2))
    #expect(rig.await(.needsNext(after: ids[1])))
    rig.engine.pause()
    rig.engine.resume()
    #expect(rig.await(.changed(.playing), count: 2))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let output = rig.outputs.samples
    let before = output.count / 2 - 10_000
    #expect(PCM.firstDifference(frames(output, before...), two.samples, channels: 2) == nil)
    #expect(
      PCM.firstDifference(frames(output, ..<(before - fade)), one.samples(0..<(before - fade)), channels: 2)
        == nil)
    #expect(abs(frames(output, ..<before).last ?? .max) < 32)
    #expect(rig.outputs.openings.count == 1)
  }

  @Test func `after an underrun, playing from the middle of a source still fades in`() throws {
    let two = script(2, 20_000)
    let rig = try EngineRig([script(1, 5000), two], follows: false)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.outputs.awaitFrames(5000))
    rig.engine.play(EngineRig.source(2), from: position(10_000))
    rig.engine.setNext(after: ids[1], nil)
    #expect(rig.await(.finished))
    let rest = frames(rig.outputs.samples, 5000...)
    #expect(rest.count == 20_000)
    #expect(frames(rest, 0...0) == [0, 0])
    #expect(
      PCM.firstDifference(frames(rest, fade...), two.samples((10_000 + fade)..<20_000), channels: 2) == nil)
  }

  @Test func `a stop fades out and closes, and the next source starts exactly, in a new opening`() throws {
    let (one, two) = (script(1, 40_000), script(2, 10_000))
    let rig = try blockedRig([one, two], granted: 5000)
    rig.engine.stop()
    #expect(rig.await(.changed(.stopped)))
    rig.outputs.grant()
    #expect(rig.outputs.await { $0.first?.isClosed == true })
    #expect(abs(rig.outputs.samples.last ?? .max) < 32)
    rig.engine.play(EngineRig.source(2))
    #expect(rig.await(.finished))
    #expect(rig.outputs.openings.count == 2)
    #expect(PCM.firstDifference(rig.outputs.openings.last?.samples ?? [], two.samples, channels: 2) == nil)
  }

  @Test func `a stop followed at once by a play loses nothing`() throws {
    let two = script(2, 10_000)
    let rig = try blockedRig([script(1, 40_000), two], granted: 5000)
    rig.engine.stop()
    rig.engine.play(EngineRig.source(2))
    #expect(rig.await { $0.last == .needsNext(after: ids[1]) || $0.last == .changed(.playing) })
    rig.outputs.grant()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples.suffix(20_000), two.samples, channels: 2) == nil)
  }

  @Test func `a source replaced while the output was opening is not played`() throws {
    let gate = Gate()
    let two = script(2, 10_000)
    let rig = try EngineRig([script(1, 40_000), two], outputs: CollectingOutputs(opening: gate))
    rig.engine.play(EngineRig.source(1))
    #expect(gate.awaitArrival())
    #expect(rig.await(.needsNext(after: ids[0])))
    rig.engine.stop()
    rig.engine.play(EngineRig.source(2))
    #expect(rig.await(.changed(.playing), count: 2))
    gate.open()
    #expect(rig.await(.finished))
    #expect(PCM.firstDifference(rig.outputs.samples, two.samples, channels: 2) == nil)
  }

  @Test func `a volume change during playback is smooth`() throws {
    let one = script(1, 40_000)
    let rig = try blockedRig([one], granted: 5000)
    rig.engine.setVolume(0.25)
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let gains = zip(rig.outputs.samples, one.samples).enumerated().filter { $0.offset.isMultiple(of: 2) }
      .map { Float($0.element.0) / Float($0.element.1) }
    #expect(gains.first == 1)
    #expect(gains.last.map { abs($0 - 0.25) < 0.001 } == true)
    let steepest = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(steepest < 0.004, "the volume jumps")
  }

  @Test func `at volume 0 everything works as usual`() throws {
    let rig = try blockedRig([script(1, 40_000), script(2, 100)], granted: 5000)
    rig.engine.setVolume(0)
    #expect(rig.pauseAndWait())
    rig.engine.seek(.to(position(30_000)))
    rig.engine.resume()
    #expect(rig.await(.finished))
    #expect(rig.outputs.samples.suffix(200).allSatisfy { $0 == 0 })
  }

  @Test func `commands before anything plays do nothing`() throws {
    let one = script(1, 1000)
    let rig = try EngineRig([one])
    rig.engine.pause()
    rig.engine.resume()
    rig.engine.stop()
    rig.engine.seek(.by(.seconds(5)))
    rig.engine.setNext(after: ids[3], EngineRig.source(4))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(rig.outputs.samples == one.samples)
  }

  @Test(arguments: 0..<6)
  func `after commands from many threads in any order, an engine plays as usual`(seed: UInt64) throws {
    let formats: [AudioFormat] = [.cd, .of(44_100, channels: 2, .bits24), .of(48_000, channels: 1, .bits16)]
    var scripts = (1...6).map { DecodingScript(tag: $0, frameCount: 500 * $0 * $0, format: formats[$0 % 3]) }
    scripts[3].opens = false
    scripts.append(DecodingScript(tag: 7, frameCount: 30_000))
    let count = scripts.count
    let rig = try EngineRig(scripts)
    let threads = try (0..<4).map { number in
      try WorkerThread(name: "commander") {
        var random = SeededGenerator(seed: seed * 10 + UInt64(number))
        for _ in 0..<300 {
          switch Int.random(in: 0..<8, using: &random) {
          case 0, 1: rig.engine.play(EngineRig.source(.random(in: 1..<count, using: &random)))
          case 2: rig.engine.pause()
          case 3: rig.engine.resume()
          case 4: rig.engine.stop()
          case 5: rig.engine.seek(.by(.milliseconds(.random(in: -200...200, using: &random))))
          case 6: rig.engine.seek(.to(.milliseconds(.random(in: 0...400, using: &random))))
          default: rig.engine.setVolume(.random(in: 0...1, using: &random))
          }
        }
      }
    }
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: 60_000)
    #expect(threads.allSatisfy { $0.join(until: deadline) })
    rig.engine.setVolume(1)
    // All commands are done when a source that does not exist is reported as failed.
    let missingSource = EngineRig.source(99)
    rig.engine.play(missingSource)
    #expect(
      rig.await { events in
        let start = events.firstIndex { if case .failed(missingSource.id, _) = $0 { true } else { false } }
        return start.map { events[$0...].contains(.finished) } ?? false
      })
    let before = rig.events.count
    rig.engine.play(EngineRig.source(count))
    #expect(rig.await { $0.dropFirst(before).contains(.finished) })
    #expect(
      PCM.firstDifference(
        rig.outputs.openings.last?.samples.suffix(60_000) ?? [], scripts[count - 1].samples, channels: 2)
        == nil)
    #expect(rig.outputs.openings.allSatisfy { $0.isClosed })
    #expect(rig.shutDown())
  }
}
