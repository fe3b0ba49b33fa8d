import AudioCore
import TestSupport
import Testing

@Suite struct DeviceFormatTests {
  @Test(
    arguments: [
      (.lossy, .bits16), (.integer(bits: 8), .bits16), (.integer(bits: 16), .bits16),
      (.integer(bits: 24), .bits24), (.integer(bits: 32), .bits24), (.float(bits: 32), .bits24),
    ] as [(SampleCoding, SampleDepth)])
  func `sound is asked for at its own depth, but at no more than 24 bits, and lossy sound at 16`(
    source: SampleCoding, device: SampleDepth
  ) {
    let format = DeviceFormat(for: .of(48_000, channels: 6, coding: source))
    #expect(format == DeviceFormat(sampleRate: 48_000, channels: 6, depth: device))
    #expect(format.frameByteCount == 6 * device.byteCount)
  }

  @Test(
    arguments: [
      (44_100, 2, .bits16, true), (44_100, 2, nil, true), (44_100, 2, .bits24, false),
      (48_000, 2, .bits16, false),
      (44_100, 1, .bits16, false),
    ] as [(Int, Int, SampleDepth?, Bool)])
  func `16-bit stereo at 44.1 kHz carries`(rate: Int, channels: Int, depth: SampleDepth?, carries: Bool) {
    let device = DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits16)
    #expect(device.carries(.of(rate, channels: channels, depth)) == carries)
  }

  @Test func `a greater depth carries a smaller one`() {
    let device = DeviceFormat(sampleRate: 44_100, channels: 2, depth: .bits32)
    #expect(SampleDepth.allCases.allSatisfy { device.carries(.of(44_100, channels: 2, $0)) })
  }
}
