import AudioCore
import Testing

@Suite struct GainRampTests {
  private func applied(_ ramp: inout GainRamp, frames: Int, channels: Int = 2) -> [Float] {
    var samples = [Float](repeating: 1, count: frames * channels)
    samples.withUnsafeMutableBufferPointer { ramp.apply(to: $0, channels: channels) }
    return samples
  }

  @Test func `at unity every sample passes unchanged, even what is no number`() {
    var ramp = GainRamp(1)
    #expect(ramp.isUnity)
    var samples: [Float] = [0.1, -1, .infinity, 1e-37]
    let before = samples
    samples.withUnsafeMutableBufferPointer { ramp.apply(to: $0, channels: 2) }
    #expect(samples == before)
  }

  @Test(arguments: [1, 2, 6])
  func `all channels of a frame get the same gain, in a straight line to the target`(channels: Int) {
    var ramp = GainRamp(1)
    ramp.move(to: 0, over: 4)
    #expect(ramp.isMoving && !ramp.isUnity)
    let gains: [Float] = [1, 0.75, 0.5, 0.25, 0, 0]
    #expect(
      applied(&ramp, frames: 6, channels: channels)
        == gains.flatMap { [Float](repeating: $0, count: channels) })
    #expect(!ramp.isMoving && ramp.gain == 0)
  }

  @Test func `a ramp in pieces is the ramp in one piece`() {
    var whole = GainRamp(0)
    whole.move(to: 1, over: 353)
    var pieces = whole
    let expected = applied(&whole, frames: 400)
    let heard = [1, 7, 100, 245, 47].flatMap { applied(&pieces, frames: $0) }
    #expect(heard == expected)
    #expect(pieces.isUnity)
  }

  @Test func `it ends at its target exactly, and never leaves the range between`() {
    for frames in [1, 3, 353, 384, 1536] {
      var ramp = GainRamp(0.3)
      ramp.move(to: 0.7, over: frames)
      let gains = applied(&ramp, frames: frames, channels: 1)
      #expect(gains.first == 0.3)
      #expect(gains.allSatisfy { (0.3...0.7001).contains($0) })
      #expect(ramp.gain == 0.7 && !ramp.isMoving)
    }
  }

  @Test func `it turns round from wherever it is`() {
    var ramp = GainRamp(0)
    ramp.move(to: 1, over: 4)
    _ = applied(&ramp, frames: 2)
    ramp.move(to: 0, over: 2)
    #expect(applied(&ramp, frames: 3, channels: 1) == [0.5, 0.25, 0])
  }

  @Test func `over no frames, or to where it is, it goes at once`() {
    var ramp = GainRamp(1)
    ramp.move(to: 0.25, over: 0)
    #expect(ramp.gain == 0.25 && !ramp.isMoving)
    ramp.move(to: 0.25, over: 100)
    #expect(!ramp.isMoving)
  }
}
