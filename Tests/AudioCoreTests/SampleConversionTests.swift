// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@Suite struct SampleConversionTests {
  private func convert(_ samples: [Float], _ depth: SampleDepth, gain: Float = 1) -> [Int32] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: samples.count * 4 + 4, alignment: 4)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0xAA)
    let count = samples.withUnsafeBufferPointer { depth.convert($0, gain: gain, to: bytes) }
    #expect(count == samples.count * depth.byteCount)
    #expect(bytes[count...].allSatisfy { $0 == 0xAA }, "wrote beyond its end")
    return PCM.samples(bytes[..<count], depth: depth)
  }

  @Test func `every 16-bit sample converts back unchanged`() {
    let integers = (-32_768...32_767).map { Int32($0) }
    let output = convert(integers.map { Float($0) / 32_768 }, .bits16)
    #expect(PCM.firstDifference(output, integers, channels: 1) == nil)
  }

  @Test(arguments: [SampleDepth.bits24, .bits32])
  func `every 16-bit sample converts back unchanged at a greater depth`(depth: SampleDepth) {
    let integers = (-32_768...32_767).map { Int32($0) }
    let output = convert(integers.map { Float($0) / 32_768 }, depth)
    let expected = integers.map { $0 << Int32(depth.rawValue - 16) }
    #expect(PCM.firstDifference(output, expected, channels: 1) == nil)
  }

  @Test(arguments: [SampleDepth.bits24, .bits32])
  func `24-bit samples convert back unchanged`(depth: SampleDepth) {
    var random = SeededGenerator(seed: 24)
    var integers: [Int32] = [-8_388_608, -8_388_607, 8_388_607, 8_388_606, -1, 0, 1]
    integers += stride(from: Int32(-8_388_608), to: 8_388_608, by: 251)
    integers += (0..<20_000).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &random) }
    let output = convert(integers.map { Float($0) / 8_388_608 }, depth)
    let expected = integers.map { $0 << Int32(depth.rawValue - 24) }
    #expect(PCM.firstDifference(output, expected, channels: 1) == nil)
  }

  @Test(arguments: [SampleDepth.bits16, .bits24])
  func `values between two integers round to the nearest, ties to even`(depth: SampleDepth) {
    let scale = Float(1 << (depth.rawValue - 1))
    var random = SeededGenerator(seed: 7)
    var values: [Float] = [
      0.5, 1.5, 2.5, 3.5, -0.5, -1.5, -2.5, 0.49, 0.51, -0.49, -0.51, 4095.5, 4096.5, 6144.5,
    ]
    values += (0..<5000).map { _ in Float.random(in: -32_000...32_000, using: &random) }
    values += (0..<5000).map { _ in Float(Int.random(in: -30_000...30_000, using: &random)) + 0.5 }
    let expected = values.map { Int32($0.rounded(.toNearestOrEven)) }
    #expect(PCM.firstDifference(convert(values.map { $0 / scale }, depth), expected, channels: 1) == nil)
  }

  @Test(arguments: [SampleDepth.bits16, .bits24, .bits32])
  func `values beyond full scale are clipped, and NaN and infinities become silence`(depth: SampleDepth) {
    let least = -(1 << (depth.rawValue - 1))
    // The greatest float below 2^31 is 2^31 - 128.
    let greatest = depth == .bits32 ? 2_147_483_520 : -least - 1
    let below: [Float] = [-1, -1.000_001, -2, -4, -1e30, -.greatestFiniteMagnitude]
    let above: [Float] = [1, 1.000_001, 2, 4, 1e30, .greatestFiniteMagnitude]
    let silent: [Float] = [
      0, -0.0, .nan, -.nan, .signalingNaN, .infinity, -.infinity, .leastNonzeroMagnitude,
    ]
    #expect(convert(below, depth).allSatisfy { Int($0) == least })
    #expect(convert(above, depth).allSatisfy { Int($0) == greatest })
    #expect(convert(silent, depth).allSatisfy { $0 == 0 })
  }

  @Test(arguments: SampleDepth.allCases, [0, 0.000_1, 0.3, 0.512, 0.999_999])
  func `a gain is the same as multiplying the samples before`(depth: SampleDepth, gain: Float) {
    var random = SeededGenerator(seed: 9)
    let samples = (0..<5000).map { _ in Float.random(in: -2...2, using: &random) } + [.nan, .infinity, -1, 1]
    let expected = convert(samples.map { $0.isFinite ? $0 * gain : 0 }, depth)
    #expect(PCM.firstDifference(convert(samples, depth, gain: gain), expected, channels: 1) == nil)
  }

  @Test(arguments: SampleDepth.allCases)
  func `samples convert alike in buffers of any length`(depth: SampleDepth) {
    var random = SeededGenerator(seed: 8)
    let samples = (0..<41).map { _ in Float.random(in: -1.1...1.1, using: &random) }
    let whole = convert(samples, depth)
    for count in 1...41 {
      let part = convert(Array(samples.suffix(count)), depth)
      #expect(PCM.firstDifference(part, Array(whole.suffix(count)), channels: 1) == nil, "of \(count)")
    }
  }

  @Test(arguments: SampleDepth.allCases)
  func `without room or alignment nothing is written`(depth: SampleDepth) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0xAA)
    let samples: [Float] = [0.1, 0.2, 0.3]
    samples.withUnsafeBufferPointer { samples in
      let small = UnsafeMutableRawBufferPointer(rebasing: bytes[..<(3 * depth.byteCount - 1)])
      #expect(depth.convert(samples, to: small) == 0)
      #expect(depth.convert(samples, to: UnsafeMutableRawBufferPointer(rebasing: bytes[1...])) == 0)
      #expect(depth.convert(UnsafeBufferPointer(rebasing: samples[..<0]), to: bytes) == 0)
    }
    #expect(bytes.allSatisfy { $0 == 0xAA })
  }
}
