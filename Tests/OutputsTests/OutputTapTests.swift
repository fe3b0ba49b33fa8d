// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Platform
import TestSupport
import Testing

@testable import Outputs

@Suite struct TapQueueTests {
  private static let format = DeviceFormat(sampleRate: 1_000, channels: 2, depth: .bits16)

  private func instant(_ milliseconds: UInt64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  /// Returns a queue with ten frames from 100 ms on, and ten more from 110 ms on; all bytes of a frame are its number.
  private func filled() -> TapQueue {
    var queue = TapQueue()
    for start in [UInt8(0), 10] {
      let bytes = (start..<start + 10).flatMap { [UInt8](repeating: $0, count: 4) }
      unsafe bytes.withUnsafeBytes { unsafe queue.append($0, Self.format, endingAt: instant(110 + UInt64(start))) }
    }
    return queue
  }

  private func frames(_ pieces: [TapQueue.Piece]) -> [UInt8] {
    pieces.flatMap(\.bytes).enumerated().filter { $0.offset.isMultiple(of: 4) }.map(\.element)
  }

  @Test func `frames come when they are audible`() {
    var queue = filled()
    #expect(queue.removeFrames(before: instant(99)).isEmpty)
    #expect(frames(queue.removeFrames(before: instant(103))) == [0, 1, 2])
    #expect(frames(queue.removeFrames(before: instant(112))) == Array(3..<12))
    #expect(frames(queue.removeFrames(before: instant(200))) == Array(12..<20))
    #expect(queue.isEmpty)
  }

  @Test func `frames follow a device that is late`() {
    var queue = filled()
    queue.move(toEndAt: instant(140))
    #expect(queue.removeFrames(before: instant(120)).isEmpty)
    #expect(frames(queue.removeFrames(before: instant(131))) == Array(0..<11))
    queue.move(toEndAt: instant(135))
    #expect(frames(queue.removeFrames(before: instant(135))) == Array(11..<20))
  }

  @Test(arguments: [0, 5, 10, 15, 20, 25])
  func `frames that are taken back do not come`(count: Int) {
    var queue = filled()
    queue.removeLast(count)
    #expect(frames(queue.removeFrames(before: instant(1_000))) == Array(0..<UInt8(max(0, 20 - count))))
  }
}

@Suite struct TapConverterTests {
  private let converter = TapConverter { from, _, _ in from == 88_200 ? Halver() : nil }

  /// Drops every other frame.
  private final class Halver: Resampler {
    func process(
      _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> (consumed: Int, produced: Int) {
      for frame in 0..<input.count / 4 {
        for channel in 0..<2 { unsafe output[2 * frame + channel] = unsafe input[4 * frame + channel] }
      }
      return (input.count / 2, input.count / 4)
    }

    func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int { 0 }
  }

  private func convert(_ samples: [Int32], _ rate: Int, _ channels: Int, _ depth: SampleDepth) -> [Int32] {
    let bytes = samples.flatMap { sample in
      (0..<depth.byteCount).map { UInt8(truncatingIfNeeded: sample >> Int32(8 * $0)) }
    }
    let format = DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
    return PCM.samples(converter.convert(bytes[...], format), depth: .bits16)
  }

  @Test func `every format becomes 16 bits, stereo, 44.1 kHz`() {
    let samples: [Int32] = [0, 1, -1, 32_767, -32_768, 12_345]
    #expect(convert(samples, 44_100, 2, .bits16) == samples)
    #expect(convert(samples.map { $0 * 256 }, 44_100, 2, .bits24) == samples)
    #expect(convert(samples.map { $0 * 65_536 }, 44_100, 2, .bits32) == samples)
    #expect(convert(samples, 44_100, 1, .bits16) == samples.flatMap { [$0, $0] })
    #expect(convert([1, 2, 3, 4, 5, 6, 7, 8], 88_200, 2, .bits16) == [1, 2, 5, 6])
    #expect(convert([Int32](repeating: 1_000, count: 12), 44_100, 6, .bits16).count == 4)
    // Without a resampler, nothing comes, rather than sound at the wrong speed.
    #expect(convert(samples, 48_000, 2, .bits16) == [])
  }
}
