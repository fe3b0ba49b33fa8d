import AudioCore
import TestSupport
import Testing

@Suite struct AudioFormatTests {
  @Test(arguments: [(0, 2), (-1, 2), (768_001, 2), (44_100, 0), (44_100, 9), (44_100, 255)])
  func `numbers out of range make no format`(rate: Int, channels: Int) {
    #expect(AudioFormat(sampleRate: rate, channels: channels, coding: .lossy) == nil)
  }

  @Test(arguments: [1, 8000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000, 768_000])
  func `a frame's duration leads back to the frame`(rate: Int) {
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

  @Test func `the nearest frame is meant`() {
    let format = AudioFormat.of(1000, channels: 1, nil)
    #expect(format.frame(at: .microseconds(1499)) == 1)
    #expect(format.frame(at: .microseconds(1501)) == 2)
  }

  @Test func `before the beginning is frame 0, beyond all numbers the greatest`() {
    #expect(AudioFormat.cd.frame(at: .seconds(-1)) == 0)
    #expect(AudioFormat.cd.frame(at: .nanoseconds(-1)) == 0)
    #expect(AudioFormat.cd.frame(at: .seconds(Int64.min)) == 0)
    #expect(AudioFormat.cd.frame(at: .seconds(Int64.max)) == .max)
    #expect(AudioFormat.cd.frame(at: .seconds(Int64.max) + .seconds(Int64.max)) == .max)
  }
}
