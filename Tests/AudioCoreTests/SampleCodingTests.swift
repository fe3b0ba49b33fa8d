import AudioCore
import TestSupport
import Testing

@Suite struct SampleCodingTests {
  @Test(
    arguments: [
      (.integer(bits: 8), 8, .bits16), (.integer(bits: 16), 16, .bits16), (.integer(bits: 20), 20, .bits24),
      (.integer(bits: 24), 24, .bits24), (.integer(bits: 32), 32, .bits24), (.float(bits: 32), 32, .bits24),
      (.float(bits: 64), 64, .bits24), (.lossy, nil, nil),
    ] as [(SampleCoding, Int?, SampleDepth?)])
  func `a coding tells its own bits, and the depth that takes what floats carry of them`(
    coding: SampleCoding, bits: Int?, depth: SampleDepth?
  ) {
    #expect(coding.bits == bits && coding.depth == depth)
    #expect(AudioFormat.of(44_100, channels: 2, coding: coding).sourceDepth == depth)
  }
}
