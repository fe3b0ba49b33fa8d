import AudioCore
import Testing

@testable import SndfileDecoding

@Suite struct SampleCodingTests {
  /// Codings by the numbers that `sndfile.h` gives them.
  private static let codings: [(Int32, SampleCoding)] = [
    (0x0001, .integer(bits: 8)), (0x0002, .integer(bits: 16)), (0x0003, .integer(bits: 24)),
    (0x0004, .integer(bits: 32)), (0x0005, .integer(bits: 8)), (0x0006, .float(bits: 32)),
    (0x0007, .float(bits: 64)), (0x0040, .integer(bits: 12)), (0x0041, .integer(bits: 16)),
    (0x0042, .integer(bits: 24)), (0x0043, .integer(bits: 24)), (0x0050, .integer(bits: 8)),
    (0x0051, .integer(bits: 16)), (0x0070, .integer(bits: 16)), (0x0071, .integer(bits: 20)),
    (0x0072, .integer(bits: 24)), (0x0073, .integer(bits: 32)),
  ]

  @Test(arguments: codings)
  func `what keeps samples keeps so many bits`(number: Int32, coding: SampleCoding) {
    #expect(SampleCoding(ofSndfileFormat: 0x010000 | number) == coding)
  }

  @Test(
    arguments: [
      0x0010, 0x0011, 0x0012, 0x0013, 0x0020, 0x0021, 0x0022, 0x0023, 0x0024, 0x0030, 0x0031, 0x0032,
      0x0060, 0x0064, 0x0080, 0x0081, 0x0082, 0x7FFF,
    ] as [Int32])
  func `µ-law, A-law, ADPCM, GSM, Vorbis, Opus, MPEG and what nobody knows are lossy`(number: Int32) {
    #expect(SampleCoding(ofSndfileFormat: 0x010000 | number) == .lossy)
  }
}
