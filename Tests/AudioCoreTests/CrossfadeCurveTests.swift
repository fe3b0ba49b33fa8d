import AudioCore
import Foundation
import TestSupport
import Testing

@Suite struct CrossfadeCurveTests {
  @Test(arguments: [1, 2, 7, 1000, 44_100, 2_304_000])
  func `the powers add up to 1, and the gains are those of a quarter turn`(frames: Int) {
    let curve = CrossfadeCurve(frames: frames)
    for frame in stride(from: 0, through: frames, by: max(1, frames / 1000)) {
      let (outgoing, incoming) = curve.gains(at: frame)
      let angle = Double.pi / 2 * Double(frame) / Double(frames)
      #expect(abs(Double(outgoing * outgoing + incoming * incoming) - 1) < 1e-6, "frame \(frame)")
      #expect(abs(Double(outgoing) - cos(angle)) < 5e-7, "frame \(frame)")
      #expect(abs(Double(incoming) - sin(angle)) < 5e-7, "frame \(frame)")
    }
  }

  @Test(arguments: [0, 1, 3, 1000, 192_001, CrossfadeCurve.longest])
  func `before it and after it one of the two is heard alone, exactly`(frames: Int) {
    let curve = CrossfadeCurve(frames: frames)
    if frames > 0 {
      #expect(curve.gains(at: 0) == (1, 0))
      #expect(curve.gains(at: -5) == (1, 0))
      #expect(curve.gains(at: .min) == (1, 0))
    }
    #expect(curve.gains(at: frames) == (0, 1))
    #expect(curve.gains(at: frames + 5) == (0, 1))
  }

  @Test(arguments: [1, 2, 3, 6, 8])
  func `however it is cut, every sample is the same`(channels: Int) {
    var random = SeededGenerator(seed: UInt64(channels))
    let curve = CrossfadeCurve(frames: 1000)
    let frames = 1100
    let outgoing = (0..<(frames * channels)).map { _ in Float.random(in: -1...1, using: &random) }
    let incoming = (0..<(frames * channels)).map { _ in Float.random(in: -1...1, using: &random) }
    let expected = incoming.indices.map { index in
      let gains = curve.gains(at: index / channels)
      return incoming[index] * gains.incoming + outgoing[index] * gains.outgoing
    }
    for _ in 0..<5 {
      var heard: [Float] = []
      var frame = 0
      while frame < frames {
        let count = min(frames - frame, Int.random(in: 1...300, using: &random))
        let samples = (frame * channels)..<((frame + count) * channels)
        var piece = Array(incoming[samples])
        let mixed = outgoing[samples].withUnsafeBufferPointer { outgoing in
          piece.withUnsafeMutableBufferPointer {
            curve.mix(outgoing, into: $0, from: frame, channels: channels)
          }
        }
        #expect(mixed == count)
        heard += piece
        frame += count
      }
      #expect(PCM.firstDifference(heard, expected, channels: channels) == nil)
    }
  }

  @Test func `the shorter of the two says how much is mixed`() {
    let outgoing: [Float] = [1, 1, 1, 1]
    var incoming = [Float](repeating: 0, count: 7)
    let count = outgoing.withUnsafeBufferPointer { outgoing in
      incoming.withUnsafeMutableBufferPointer {
        CrossfadeCurve(frames: 10).mix(outgoing, into: $0, from: 0, channels: 2)
      }
    }
    #expect(count == 2)
    #expect(incoming[4...] == [0, 0, 0])
    #expect(incoming[0] == 1)
  }
}
