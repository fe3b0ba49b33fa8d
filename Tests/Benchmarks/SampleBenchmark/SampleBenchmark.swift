// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising

/// Performs one operation on blocks of samples, so that a profiler can count its instructions.
///
/// usage: SampleBenchmark NAME BLOCKS
@main
enum SampleBenchmark {
  private static let samplesPerBlock = 8192

  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let blocks = Int(arguments[2]) else {
      fatalError("usage: SampleBenchmark NAME BLOCKS")
    }
    run(arguments[1], blocks: blocks)
  }

  private nonisolated static func run(_ name: String, blocks: Int) {
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: samplesPerBlock)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: samplesPerBlock * 4, alignment: 16)
    for index in samples.indices { samples[index] = Float((index * 7919) % 2000 - 1000) / 1100 }
    let input = UnsafeBufferPointer(samples)
    switch name {
    case "nothing": break
    case "gain":
      var ramp = GainRamp(0.9999)
      for _ in 0..<blocks { ramp.apply(to: samples, channels: 2) }
    case "convert16": for _ in 0..<blocks { _ = SampleDepth.bits16.convert(input, to: bytes) }
    case "convert24": for _ in 0..<blocks { _ = SampleDepth.bits24.convert(input, to: bytes) }
    case "convert32": for _ in 0..<blocks { _ = SampleDepth.bits32.convert(input, to: bytes) }
    case "dither16", "dither24":
      let depth: SampleDepth = name == "dither16" ? .bits16 : .bits24
      var dither = Dither(seed: 1)
      for _ in 0..<blocks { _ = depth.convert(input, to: bytes, dither: &dither) }
    case "limiter", "limiterWorking":
      let limiter = PeakLimiter(sampleRate: 44_100, channels: 2, ceiling: name == "limiter" ? 1 : 0.5)
      let output = UnsafeMutableBufferPointer(
        start: bytes.bindMemory(to: Float.self).baseAddress, count: samplesPerBlock)
      for _ in 0..<blocks { _ = limiter.process(input, into: output) }
    // Ten bands, or crossfeed, in stereo.
    case "equaliser", "crossfeed":
      let isCrossfeed = name == "crossfeed"
      let filters = EqualiserProfile.tenBands.filters.map { EqualiserFilter($0.kind, $0.frequency, gain: -3, $0.width) }
      var chain = EqualiserChain(maximumFrames: samplesPerBlock, maximumRate: 96_000)
      (isCrossfeed ? [] : filters).withUnsafeBufferPointer {
        chain.begin($0, preamp: 0.5, crossfeed: isCrossfeed ? .standard : nil, sampleRate: 96_000, channels: 2)
      }
      let output = UnsafeMutableBufferPointer<Float>.allocate(capacity: samplesPerBlock + 2 * chain.lookAhead)
      for _ in 0..<blocks { chain.process(input, 0..<samplesPerBlock / 2, following: input, into: output) }
    case "crossfade":
      let outgoing = [Float](repeating: 0.1, count: samplesPerBlock)
      let curve = CrossfadeCurve(frames: samplesPerBlock / 2)
      outgoing.withUnsafeBufferPointer { outgoing in
        for _ in 0..<blocks { _ = curve.mix(outgoing, into: samples, from: 0, channels: 2) }
      }
    case "mix":
      guard let mix = ChannelMix(from: 6, to: 2) else { return }
      let output = UnsafeMutableBufferPointer(
        start: bytes.bindMemory(to: Float.self).baseAddress, count: samplesPerBlock)
      for _ in 0..<blocks { _ = mix.apply(input, into: output) }
    default: fatalError("unknown operation \(name)")
    }
  }
}
