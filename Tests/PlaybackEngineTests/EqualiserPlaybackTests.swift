// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import Platform
import PlaybackEngine
import TestSupport
import Testing

/// The equaliser during playback, compared with filters that run over the whole recording at once.
@Suite struct EqualiserPlaybackTests {
  private static let format = AudioFormat.of(44_100, channels: 2, .bits24)
  /// The number of frames of a fade.
  private static let fade = 441
  /// The largest difference by rounding and dither, in steps of 24 bits.
  private static let tolerance: Int32 = 3

  private static let warm = EqualiserProfile(filters: [
    EqualiserFilter(.lowShelf, 105, gain: 5, .q(0.7)), EqualiserFilter(.peak, 2_000, gain: -6, .q(1.4)),
  ])
  /// A profile whose filters forget what was before within a few milliseconds.
  private static let bright = EqualiserProfile(
    preamp: -8,
    filters: [
      EqualiserFilter(.peak, 3_000, gain: 6, .q(1)), EqualiserFilter(.highShelf, 8_000, gain: 4, .q(0.7)),
    ])

  /// Returns noise of 16 bits.
  private static func noise(_ tag: Int, _ frame: Int, _ channel: Int) -> Float {
    var state = UInt32(truncatingIfNeeded: frame &* 2 &+ channel &+ tag &* 7_919) &* 2_654_435_761
    state = (state ^ (state >> 15)) &* 2_246_822_519
    return Float(Int32(bitPattern: state ^ (state >> 13)) >> 18) / 32_768
  }

  private static func script(_ tag: Int = 1, frames: Int) -> DecodingScript {
    var script = DecodingScript(tag: tag, frameCount: frames, format: format)
    script.wave = { noise(tag, $0, $1) }
    return script
  }

  private static func samples(_ tag: Int = 1, frames: Int) -> [Float] {
    (0..<frames).flatMap { [noise(tag, $0, 0), noise(tag, $0, 1)] }
  }

  /// Returns `samples` in integers of 24 bits, as `profile` and `crossfeed` change them.
  private static func expected(
    _ samples: [Float], _ profile: EqualiserProfile?, crossfeed: Crossfeed? = nil
  ) -> [Int32] {
    if profile == nil, crossfeed == nil { return samples.map { Int32(($0 * 8_388_608).rounded()) } }
    let profile = profile ?? EqualiserProfile()
    var chain = EqualiserChain(maximumFrames: samples.count / 2, maximumRate: 44_100)
    profile.filters.withUnsafeBufferPointer {
      let preamp = 10.0.raised(to: profile.effectivePreamp / 20)
      chain.begin($0, preamp: preamp, crossfeed: crossfeed, sampleRate: 44_100, channels: 2)
    }
    var result = [Float](repeating: 0, count: samples.count + 2 * chain.lookAhead)
    samples.withUnsafeBufferPointer { samples in
      result.withUnsafeMutableBufferPointer {
        let none = UnsafeBufferPointer<Float>(start: nil, count: 0)
        chain.process(samples, 0..<samples.count / 2, following: none, into: $0)
      }
    }
    return result[..<samples.count].map { Int32(($0 * 8_388_608).rounded()) }
  }

  /// Returns the first frame in `range` in which the recordings differ.
  private static func difference(
    _ recorded: [Int32], _ expected: [Int32], in range: Range<Int>, tolerance: Int32 = tolerance
  ) -> Int? {
    (2 * range.lowerBound..<2 * range.upperBound).first { abs(recorded[$0] - expected[$0]) > tolerance }.map { $0 / 2 }
  }

  private func rig(_ scripts: [DecodingScript]) throws -> (EngineRig, RewindableDevice) {
    let rig = try EngineRig(scripts, isRewindable: true)
    return (rig, try #require(rig.device))
  }

  private func play(_ rig: EngineRig, _ device: RewindableDevice, until frames: Int) -> Bool {
    rig.engine.play(EngineRig.source(1))
    return rig.clock.run { device.playedFrames >= frames }
  }

  @Test(arguments: [true, false]) func `tracks are filtered across their join`(_ isRewindable: Bool) throws {
    let scripts = [Self.script(1, frames: 60_001), Self.script(2, frames: 50_000)]
    let rig = try EngineRig(scripts, isRewindable: isRewindable)
    rig.engine.setEqualiser(Self.warm)
    rig.engine.play(EngineRig.source(1))
    rig.outputs.grant()
    #expect(rig.await(.finished))
    let recorded = rig.device?.samples ?? rig.outputs.samples
    let expected = Self.expected(Self.samples(1, frames: 60_001) + Self.samples(2, frames: 50_000), Self.warm)
    #expect(recorded.count == expected.count)
    #expect(Self.difference(recorded, expected, in: 0..<110_001) == nil)
  }

  @Test func `a change is audible at once, and the recording is as if each profile had run all the time`() throws {
    let (rig, device) = try rig([Self.script(frames: 300_000)])
    rig.engine.setEqualiser(Self.warm)
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.setEqualiser(Self.bright)
    #expect(rig.await(.finished))
    let source = Self.samples(frames: 300_000)
    let (first, second) = (Self.expected(source, Self.warm), Self.expected(source, Self.bright))
    let recorded = device.samples
    #expect(recorded.count == 600_000)
    let change = try #require(Self.difference(recorded, first, in: 0..<300_000))
    #expect((before..<before + device.marginFrames + 100).contains(change), "\(before), \(change)")
    #expect(Self.difference(recorded, second, in: change + Self.fade..<300_000) == nil)
    // In between, every sample is between the two.
    for index in 2 * change..<2 * (change + Self.fade) {
      let range = min(first[index], second[index]) - 3...max(first[index], second[index]) + 3
      #expect(range.contains(recorded[index]), "\(index - 2 * change)")
    }
  }

  @Test func `crossfeed is switched while music plays, with a fade and without a gap`() throws {
    let (rig, device) = try rig([Self.script(frames: 300_000)])
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.setEqualiser(nil, crossfeed: .chuMoy)
    #expect(rig.clock.run { device.playedFrames >= 100_000 })
    // What is taken back for another reason is the same again.
    rig.engine.recordSound(true)
    #expect(rig.clock.run { device.playedFrames >= 150_000 })
    let middle = device.playedFrames
    rig.engine.setEqualiser(Self.bright, crossfeed: .chuMoy)
    #expect(rig.await(.finished))
    let source = Self.samples(frames: 300_000)
    let first = Self.expected(source, nil, crossfeed: .chuMoy)
    let recorded = device.samples
    let change = try #require(
      Self.difference(recorded, Self.expected(source, nil), in: 0..<300_000, tolerance: 0))
    #expect((before..<before + device.marginFrames + 100).contains(change), "\(before), \(change)")
    #expect(Self.difference(recorded, first, in: change + Self.fade..<middle) == nil)
    let second = try #require(Self.difference(recorded, first, in: change + Self.fade..<300_000))
    let last = Self.expected(source, Self.bright, crossfeed: .chuMoy)
    #expect(Self.difference(recorded, last, in: second + Self.fade..<300_000) == nil)
  }

  @Test func `crossfeed leaves mono bit-perfect`() throws {
    var script = DecodingScript(tag: 1, frameCount: 100_000, format: .of(44_100, channels: 1, .bits24))
    script.wave = { Self.noise(1, $0, $1) }
    let (rig, device) = try rig([script])
    rig.engine.setEqualiser(nil, crossfeed: .meier)
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    #expect(device.samples == (0..<100_000).map { Int32((Self.noise(1, $0, 0) * 8_388_608).rounded()) })
  }

  @Test func `switched off, the equaliser is bit-perfect again at once`() throws {
    let (rig, device) = try rig([Self.script(frames: 300_000)])
    rig.engine.setEqualiser(Self.warm)
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.setEqualiser(nil)
    #expect(rig.await(.finished))
    let source = Self.expected(Self.samples(frames: 300_000), nil)
    let end = before + device.marginFrames + 100 + Self.fade
    #expect(Self.difference(device.samples, source, in: end..<300_000, tolerance: 0) == nil)
    #expect(Self.difference(device.samples, source, in: 0..<before) != nil)
  }

  @Test func `switched on, the equaliser changes nothing before`() throws {
    let (rig, device) = try rig([Self.script(frames: 200_000)])
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    rig.engine.setEqualiser(Self.bright)
    #expect(rig.await(.finished))
    let source = Self.samples(frames: 200_000)
    let change = try #require(
      Self.difference(device.samples, Self.expected(source, nil), in: 0..<200_000, tolerance: 0))
    #expect((before..<before + device.marginFrames + 100).contains(change), "\(before), \(change)")
    let after = change + Self.fade..<200_000
    #expect(Self.difference(device.samples, Self.expected(source, Self.bright), in: after) == nil)
  }

  @Test func `the state of the filters goes back with the frames that another command takes back`() throws {
    let (rig, device) = try rig([Self.script(frames: 300_000)])
    rig.engine.setEqualiser(Self.warm)
    #expect(play(rig, device, until: 30_000))
    let before = device.playedFrames
    // Nothing but the frames that are taken back.
    rig.engine.recordSound(true)
    #expect(rig.clock.run { device.playedFrames >= 100_000 })
    let middle = device.playedFrames
    rig.engine.setVolume(0.5)
    #expect(rig.await(.finished))
    #expect(device.takeBackCount == 2)
    let expected = Self.expected(Self.samples(frames: 300_000), Self.warm)
    #expect(Self.difference(device.samples, expected, in: 0..<middle) == nil, "\(before)")
    let halves = expected.map { $0 / 2 }
    #expect(Self.difference(device.samples, halves, in: middle + 2_000..<300_000) == nil)
  }

  @Test func `a pause and a seek do not disturb the filters`() throws {
    let (rig, device) = try rig([Self.script(frames: 400_000)])
    rig.engine.setEqualiser(Self.bright)
    #expect(play(rig, device, until: 30_000))
    rig.engine.pause()
    #expect(rig.clock.run { device.isPaused })
    let end = device.playedFrames
    // A change during the pause needs no fade of its own.
    rig.engine.setEqualiser(Self.warm)
    rig.engine.resume()
    #expect(rig.clock.run { device.playedFrames >= end + 40_000 })
    let source = Self.samples(frames: 400_000)
    let (first, second) = (Self.expected(source, Self.bright), Self.expected(source, Self.warm))
    let recorded = device.samples
    #expect(Self.difference(recorded, first, in: 0..<end - 400) == nil)
    // The low shelf takes a while to forget that it has begun in the middle.
    #expect(Self.difference(recorded, second, in: end + 20_000..<end + 40_000, tolerance: 40) == nil)
    rig.engine.seek(.to(.zero))
    #expect(rig.await(.finished))
    let rest = Array(device.samples.suffix(2 * 300_000))
    #expect(Self.difference(rest, Array(second.suffix(2 * 300_000)), in: 0..<300_000) == nil)
  }

  @Test func `many changes at once never step, and the last one stays`() throws {
    var script = DecodingScript(tag: 1, frameCount: 300_000, format: Self.format)
    script.wave = { _, _ in 0.5 }
    let (rig, device) = try rig([script])
    #expect(play(rig, device, until: 30_000))
    for number in 1...40 {
      let low = EqualiserFilter(.lowShelf, 200, gain: number.isMultiple(of: 2) ? -20 : -1, .q(0.7))
      rig.engine.setEqualiser(EqualiserProfile(filters: [low]))
      #expect(rig.clock.run { device.playedFrames >= 30_000 + 100 * number })
      if number == 20 { rig.engine.setVolume(0.8) }
    }
    rig.engine.setEqualiser(nil)
    #expect(rig.await(.finished))
    let samples = device.samples.map { Double($0) / 8_388_608 }
    #expect(samples.count == 600_000)
    let step = zip(samples, samples.dropFirst(2)).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.004, "\(step)")
    #expect(samples.suffix(400_000).allSatisfy { abs($0 - 0.4) < 1e-6 })
  }

  @Test func `a gain beyond full scale is limited, not clipped`() throws {
    var script = DecodingScript(tag: 1, frameCount: 100_000, format: Self.format)
    script.wave = { frame, _ in (frame / 50).isMultiple(of: 2) ? 0.5 : -0.5 }
    let (rig, device) = try rig([script])
    rig.engine.setEqualiser(EqualiserProfile(preamp: 12, filters: []))
    rig.engine.play(EngineRig.source(1))
    #expect(rig.await(.finished))
    // A square wave of twice full scale keeps its shape.
    let tail = device.samples.suffix(20_000).map { abs($0) }
    #expect((tail.min() ?? 0) > 8_300_000 && (tail.max() ?? 0) <= 8_388_608)
  }
}
