import AudioCore
import TestSupport
import Testing

@Suite struct DeviceFormatTests {
  @Test(
    arguments: [
      (nil, SampleDepth.bits16), (.bits16, .bits16), (.bits24, .bits24), (.bits32, .bits32),
    ] as [(SampleDepth?, SampleDepth)])
  func `sound is asked for at its own depth, lossy sound at 16 bits`(
    source: SampleDepth?, device: SampleDepth
  ) {
    let format = DeviceFormat(for: .of(48_000, channels: 6, source))
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
