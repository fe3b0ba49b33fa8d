// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Platform
import Testing

@Suite struct CrossfeedTests {
  @Test(arguments: ReferenceCrossfeed.all.indices) func `the response is that of the reference`(_ index: Int) {
    let reference = ReferenceCrossfeed.all[index]
    let rate = reference.sampleRate
    var impulse = [Float](repeating: 0, count: rate / 5)
    impulse[0] = 0.5
    let result = Chain.process(impulse, crossfeed: reference.crossfeed, sampleRate: rate, channels: 2)
    let near = stride(from: 0, to: result.count, by: 2).map { result[$0] }
    let far = stride(from: 1, to: result.count, by: 2).map { result[$0] }
    let both = zip(near, far).map { $0 + $1 }
    for (number, frequency) in ReferenceCrossfeed.frequencies.enumerated() {
      for (samples, expected) in [(near, reference.near), (far, reference.far), (both, reference.both)] {
        let decibels = Chain.decibels(of: samples, at: frequency / Double(rate)) - 20 * 0.5.decimalLogarithm
        #expect(
          abs(decibels - expected[number]) < 0.05,
          "\(reference.crossfeed) at \(rate) and \(frequency) Hz: \(decibels), \(expected[number])")
      }
    }
  }

  @Test func `both channels are treated alike, and low tones in both stay as loud as they were`() {
    let noise = Chain.noise(6_000)
    let swapped = Self.swapped(noise)
    for crossfeed in Crossfeed.allCases {
      let result = Chain.process(noise, crossfeed: crossfeed, sampleRate: 44_100, channels: 2)
      let other = Chain.process(swapped, crossfeed: crossfeed, sampleRate: 44_100, channels: 2)
      #expect(Self.swapped(other) == result)
      let constant = [Float](repeating: 0.25, count: 2 * 44_100)
      let level = Chain.process(constant, crossfeed: crossfeed, sampleRate: 44_100, channels: 2)
      #expect(level.suffix(100).allSatisfy { abs($0 - 0.25) < 1e-6 })
    }
  }

  private static func swapped(_ samples: [Float]) -> [Float] {
    stride(from: 0, to: samples.count, by: 2).flatMap { [samples[$0 + 1], samples[$0]] }
  }

  @Test(arguments: [1, 3, 4, 6, 8]) func `anything but stereo is left unchanged`(_ channels: Int) {
    let noise = Array(Chain.noise(4_800).prefix(9_600))
    #expect(Chain.process(noise, crossfeed: .chuMoy, sampleRate: 48_000, channels: channels) == noise)
  }

  @Test(arguments: [[1, 7, 300, 2_000], [257, 4_096], [4_096]])
  func `the result does not depend on how the stream is divided`(_ pieces: [Int]) {
    let noise = Chain.noise(12_000)
    let filters = [EqualiserFilter(.peak, 500, gain: -4, .q(1))]
    let whole = Chain.process(noise, filters, crossfeed: .meier, sampleRate: 44_100, channels: 2, pieces: [4_000])
    let parts = Chain.process(noise, filters, crossfeed: .meier, sampleRate: 44_100, channels: 2, pieces: pieces)
    #expect(parts == whole)
  }

  @Test(arguments: [0, 1, 500, 3_999]) func `a chain with crossfeed returns to an earlier position`(_ offset: Int) {
    let noise = Chain.noise(8_000)
    var chain = EqualiserChain(maximumFrames: 4096, maximumRate: 44_100)
    let filters = [EqualiserFilter(.highShelf, 5_000, gain: 4, .q(0.7))]
    filters.withUnsafeBufferPointer {
      chain.begin($0, preamp: 0.5, crossfeed: .standard, sampleRate: 44_100, channels: 2)
    }
    var whole: [Float] = []
    for block in 0..<2 {
      chain.record(at: Int64(4_000 * block))
      whole += Chain.process(noise, 4_000 * block..<4_000 * (block + 1), &chain, channels: 2)
    }
    var scratch = [Float](repeating: 0, count: 2 * (1_000 + chain.lookAhead))
    let block = Array(noise[8_000...])
    block.withUnsafeBufferPointer { block in
      scratch.withUnsafeMutableBufferPointer {
        chain.restore(to: Int64(4_000 + offset), block, offset: offset, scratch: $0)
      }
    }
    let again = Chain.process(noise, 4_000 + offset..<8_000, &chain, channels: 2)
    #expect(again == Array(whole[(2 * (4_000 + offset))...]))
  }
}
