// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import TestSupport
import Testing

@testable import PlaybackEngine

@Suite struct LimitedStreamTests {
  private let room = 16_384
  private let format = AudioFormat.of(44_100, channels: 2, .bits24)

  /// Returns `counts` frames of one source after the other that sources of these numbers contain.
  private func sources(_ counts: [Int]) -> (UnsafeMutableBufferPointer<Float>) -> ReadResult {
    var (source, frame) = (0, 0)
    return { [format] target in
      guard source < counts.count else { return .ended }
      let count = min(counts[source] - frame, target.count / 2)
      for index in 0..<(2 * count) { unsafe target[index] = Self.sample(source, 2 * frame + index) }
      let origin = FrameOrigin(
        source: EngineRig.source(source + 1).id, format: format, frame: Int64(frame), frameCount: nil,
        isProcessed: false)
      frame += count
      if frame == counts[source] { (source, frame) = (source + 1, 0) }
      return .frames(StreamFrames(origin: origin, format: format, count: count))
    }
  }

  private static func sample(_ source: Int, _ index: Int) -> Float { Float((index + source * 31) % 199 - 99) / 256 }

  @Test func `Blocks are full, and each names its source and its first frame`() {
    let counts = [100_000, 1, 50_001]
    let stream = LimitedStream()
    stream.isOn = true
    let next = sources(counts)
    var blocks: [StreamFrames] = []
    var samples: [Float] = []
    var target = [Float](repeating: 0, count: room)
    while true {
      let result = target.withUnsafeMutableBufferPointer { unsafe stream.produce(into: $0, from: next) }
      guard case .frames(let frames) = result else { break }
      blocks.append(frames)
      samples += target.prefix(2 * frames.count)
    }
    let expected = counts.enumerated().flatMap { source, count in (0..<(2 * count)).map { Self.sample(source, $0) } }
    #expect(samples.count == expected.count && zip(samples, expected).allSatisfy { $0 == $1 })
    var heard = [0, 0, 0]
    for block in blocks {
      let source = Int(block.origin.source.rawValue) - 1
      #expect(Int(block.origin.frame) == heard[source] && block.origin.isProcessed)
      heard[source] += block.count
    }
    #expect(heard == counts)
    // Only the first block, and a few at the ends of sources, are not full.
    #expect(blocks.count { $0.count == room / 2 } >= 150_002 / (room / 2) - 2, "\(blocks.map(\.count))")
  }
}
