// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@Suite struct AudioFormatTests {
  @Test(arguments: [(0, 2), (-1, 2), (768_001, 2), (44_100, 0), (44_100, 9), (44_100, 255)])
  func `numbers out of range give no format`(rate: Int, channels: Int) {
    #expect(AudioFormat(sampleRate: rate, channels: channels, coding: .lossy) == nil)
  }

  @Test(arguments: [1, 8000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000, 768_000])
  func `the duration of a frame converts back to the frame`(rate: Int) {
    let format = AudioFormat.of(rate, channels: 1, nil)
    var random = SeededGenerator(seed: UInt64(rate))
    var frames: [Int64] = [0, 1, 2, Int64(rate) - 1, Int64(rate), Int64(rate) + 1, .max / 2]
    frames += (0..<2000).map { _ in Int64.random(in: 0...(1 << 45), using: &random) }
    for frame in frames {
      let duration = format.duration(ofFrames: frame)
      #expect(format.frame(at: duration) == frame, "frame \(frame) at \(rate) Hz")
    }
  }

  @Test func `durations are exact`() {
    #expect(AudioFormat.cd.duration(ofFrames: 44_100 * 3600 + 441) == .seconds(3600) + .milliseconds(10))
    #expect(AudioFormat.cd.duration(ofFrames: 0) == .zero)
  }

  @Test func `a duration gives the nearest frame`() {
    let format = AudioFormat.of(1000, channels: 1, nil)
    #expect(format.frame(at: .microseconds(1499)) == 1)
    #expect(format.frame(at: .microseconds(1501)) == 2)
  }

  @Test func `negative durations give frame 0, too long ones the greatest number`() {
    #expect(AudioFormat.cd.frame(at: .seconds(-1)) == 0)
    #expect(AudioFormat.cd.frame(at: .nanoseconds(-1)) == 0)
    #expect(AudioFormat.cd.frame(at: .seconds(Int64.min)) == 0)
    #expect(AudioFormat.cd.frame(at: .seconds(Int64.max)) == .max)
    #expect(AudioFormat.cd.frame(at: .seconds(Int64.max) + .seconds(Int64.max)) == .max)
  }
}

@Suite struct DeviceFormatTests {
  @Test(
    arguments: [
      (.lossy, .bits16), (.integer(bits: 8), .bits16), (.integer(bits: 16), .bits16),
      (.integer(bits: 24), .bits24), (.integer(bits: 32), .bits24), (.float(bits: 32), .bits24),
    ] as [(SampleCoding, SampleDepth)])
  func `a device format has the depth of the source, at most 24 bits, and 16 for lossy audio`(
    source: SampleCoding, device: SampleDepth
  ) {
    let format = DeviceFormat(for: .of(48_000, channels: 6, coding: source))
    #expect(format == DeviceFormat(sampleRate: 48_000, channels: 6, depth: device))
    #expect(format.frameByteCount == 6 * device.byteCount)
  }

  @Test(
    arguments: [
      (44_100, 2, .bits16, true), (44_100, 2, nil, true), (44_100, 2, .bits24, false),
      (48_000, 2, .bits16, false),
      (44_100, 1, .bits16, false),
    ] as [(Int, Int, SampleDepth?, Bool)])
  func `which formats 16-bit stereo at 44.1 kHz carries`(rate: Int, channels: Int, depth: SampleDepth?, carries: Bool) {
    let device = DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16)
    #expect(device.carries(.of(rate, channels: channels, depth)) == carries)
  }

  @Test func `a greater depth carries a smaller one`() {
    let device = DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits32)
    #expect(SampleDepth.allCases.allSatisfy { device.carries(.of(44_100, channels: 2, $0)) })
  }
}

@Suite struct SampleCodingTests {
  @Test(
    arguments: [
      (.integer(bits: 8), 8, .bits16), (.integer(bits: 16), 16, .bits16), (.integer(bits: 20), 20, .bits24),
      (.integer(bits: 24), 24, .bits24), (.integer(bits: 32), 32, .bits24), (.float(bits: 32), 32, .bits24),
      (.float(bits: 64), 64, .bits24), (.lossy, nil, nil),
    ] as [(SampleCoding, Int?, SampleDepth?)])
  func `a coding has its own bits, and the smallest depth that holds what floats carry of them`(
    coding: SampleCoding, bits: Int?, depth: SampleDepth?
  ) {
    #expect(coding.bits == bits && coding.depth == depth)
    #expect(AudioFormat.of(44_100, channels: 2, coding: coding).sourceDepth == depth)
  }
}
