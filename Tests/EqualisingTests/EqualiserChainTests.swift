// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Testing

@Suite struct EqualiserChainTests {
  private static let filters = [
    EqualiserFilter(.lowShelf, 105, gain: 5, .q(0.7)), EqualiserFilter(.peak, 1_800, gain: -6, .q(2)),
    EqualiserFilter(.highShelf, 9_000, gain: 3, .q(0.7)),
  ]

  private static func chain(channels: Int = 2) -> EqualiserChain {
    var chain = EqualiserChain(maximumFrames: 4096, maximumRate: 44_100)
    filters.withUnsafeBufferPointer { chain.begin($0, preamp: 0.5, sampleRate: 44_100, channels: channels) }
    return chain
  }

  @Test(arguments: [[1, 7, 300, 2_000], [257, 4_096], [4_096]])
  func `the result does not depend on how the stream is divided`(_ pieces: [Int]) {
    // Loud enough for the limiter.
    let noise = Chain.noise(12_000, amplitude: 1.5)
    let whole = Chain.process(noise, Self.filters, sampleRate: 44_100, channels: 2, pieces: [4_000])
    #expect(Chain.process(noise, Self.filters, sampleRate: 44_100, channels: 2, pieces: pieces) == whole)
    #expect(whole.contains { abs($0) > 0.9 } && whole.allSatisfy { abs($0) <= 1 })
  }

  @Test func `the limiter leaves what is below full scale unchanged`() {
    let noise = Chain.noise(8_000)
    let once = Chain.process(noise, Self.filters, preamp: 0.5, sampleRate: 44_100, channels: 2)
    let loud = Chain.process(noise, Self.filters, preamp: 1, sampleRate: 44_100, channels: 2)
    #expect(loud.allSatisfy { abs($0) < 1 })
    #expect(zip(once, loud).allSatisfy { abs(2 * $0 - $1) < 1e-6 })
  }

  @Test(arguments: [0, 1, 500, 3_999]) func `a chain returns to an earlier position`(_ offset: Int) {
    let noise = Chain.noise(12_000)
    var chain = Self.chain()
    var whole: [Float] = []
    // Three blocks of 4,000 frames.
    for block in 0..<3 {
      chain.record(at: Int64(4_000 * block))
      whole += Chain.process(noise, 4_000 * block..<4_000 * (block + 1), &chain, channels: 2)
    }
    var scratch = [Float](repeating: 0, count: 2 * (1_000 + chain.lookAhead))
    let block = Array(noise[8_000..<16_000])
    block.withUnsafeBufferPointer { block in
      scratch.withUnsafeMutableBufferPointer {
        chain.restore(to: Int64(4_000 + offset), block, offset: offset, scratch: $0)
      }
    }
    let again = Chain.process(noise, 4_000 + offset..<12_000, &chain, channels: 2)
    #expect(again == Array(whole[(2 * (4_000 + offset))...]))
  }

  @Test(arguments: [1, 2, 3, 5, 8]) func `every channel is filtered alike`(_ channels: Int) {
    let mono = Chain.noise(1_500)
    let expected = Chain.process(mono, Self.filters, sampleRate: 44_100, channels: 1)
    let interleaved = mono.flatMap { [Float](repeating: $0, count: channels) }
    let result = Chain.process(interleaved, Self.filters, sampleRate: 44_100, channels: channels)
    #expect(result == expected.flatMap { [Float](repeating: $0, count: channels) })
  }

  @Test func `samples that are no numbers count as silence, and do not stay in the filters`() {
    var noise = Chain.noise(4_000)
    noise[1_000] = .nan
    noise[1_001] = .infinity
    noise[1_003] = -.greatestFiniteMagnitude
    let result = Chain.process(noise, Self.filters, sampleRate: 44_100, channels: 2)
    #expect(result.allSatisfy { $0.isFinite })
    for index in [1_000, 1_001, 1_003] { noise[index] = 0 }
    #expect(result == Chain.process(noise, Self.filters, sampleRate: 44_100, channels: 2))
  }

  @Test func `a chain without filters changes nothing`() {
    let noise = Chain.noise(4_000)
    #expect(Chain.process(noise, [], sampleRate: 44_100, channels: 2) == noise)
  }
}
