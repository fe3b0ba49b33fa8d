// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Foundation
import TestSupport
import Testing

@Suite struct GainRampTests {
  private func applied(_ ramp: inout GainRamp, frames: Int, channels: Int = 2) -> [Float] {
    var samples = [Float](repeating: 1, count: frames * channels)
    samples.withUnsafeMutableBufferPointer { ramp.apply(to: $0, channels: channels) }
    return samples
  }

  @Test func `at unity every sample passes unchanged, even NaN`() {
    var ramp = GainRamp(1)
    #expect(ramp.isUnity)
    var samples: [Float] = [0.1, -1, .infinity, 1e-37]
    let before = samples
    samples.withUnsafeMutableBufferPointer { ramp.apply(to: $0, channels: 2) }
    #expect(samples == before)
  }

  @Test(arguments: [1, 2, 6])
  func `all channels of a frame get the same gain, on a straight line to the target`(channels: Int) {
    var ramp = GainRamp(1)
    ramp.move(to: 0, over: 4)
    #expect(ramp.isMoving && !ramp.isUnity)
    let gains: [Float] = [1, 0.75, 0.5, 0.25, 0, 0]
    #expect(
      applied(&ramp, frames: 6, channels: channels)
        == gains.flatMap { [Float](repeating: $0, count: channels) })
    #expect(!ramp.isMoving && ramp.gain == 0)
  }

  @Test func `a ramp applied in pieces equals the ramp in one piece`() {
    var whole = GainRamp(0)
    whole.move(to: 1, over: 353)
    var pieces = whole
    let expected = applied(&whole, frames: 400)
    let output = [1, 7, 100, 245, 47].flatMap { applied(&pieces, frames: $0) }
    #expect(output == expected)
    #expect(pieces.isUnity)
  }

  @Test func `a ramp ends exactly at its target and never leaves its range`() {
    for frames in [1, 3, 353, 384, 1536] {
      var ramp = GainRamp(0.3)
      ramp.move(to: 0.7, over: frames)
      let gains = applied(&ramp, frames: frames, channels: 1)
      #expect(gains.first == 0.3)
      #expect(gains.allSatisfy { (0.3...0.7001).contains($0) })
      #expect(ramp.gain == 0.7 && !ramp.isMoving)
    }
  }

  @Test func `a ramp reverses from its present gain`() {
    var ramp = GainRamp(0)
    ramp.move(to: 1, over: 4)
    _ = applied(&ramp, frames: 2)
    ramp.move(to: 0, over: 2)
    #expect(applied(&ramp, frames: 3, channels: 1) == [0.5, 0.25, 0])
  }

  @Test func `over no frames, or at its target already, a ramp jumps`() {
    var ramp = GainRamp(1)
    ramp.move(to: 0.25, over: 0)
    #expect(ramp.gain == 0.25 && !ramp.isMoving)
    ramp.move(to: 0.25, over: 100)
    #expect(!ramp.isMoving)
  }
}

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
  func `before and after the crossfade one of the two plays alone, exactly`(frames: Int) {
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
  func `every sample is the same however the crossfade is divided`(channels: Int) {
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
      var output: [Float] = []
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
        output += piece
        frame += count
      }
      #expect(PCM.firstDifference(output, expected, channels: channels) == nil)
    }
  }

  @Test func `the shorter of the two buffers decides how much is mixed`() {
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
