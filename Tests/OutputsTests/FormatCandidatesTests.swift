// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Testing

@testable import Outputs

struct FormatCandidatesTests {
  private func format(_ rate: Int, _ channels: Int, _ depth: SampleDepth) -> DeviceFormat {
    DeviceFormat(sampleRate: rate, channels: channels, depth: depth)
  }

  @Test func `The wanted format comes first, then other depths, other channels, and other rates`() {
    let formats = FormatCandidates.formats(
      for: format(44_100, 1, .bits24), depths: [.bits24, .bits16], convertsRates: false)
    #expect(
      formats.prefix(8) == [
        format(44_100, 1, .bits24), format(44_100, 1, .bits16), format(44_100, 2, .bits24),
        format(44_100, 2, .bits16), format(44_100, 6, .bits24), format(44_100, 6, .bits16),
        format(48_000, 1, .bits24), format(48_000, 1, .bits16),
      ])
    #expect(formats.count == 4 * 3 * 2)
    #expect(Set(formats).count == formats.count)
  }

  @Test(arguments: [
    (44_100, [44_100, 48_000, 96_000, 192_000]), (48_000, [48_000, 96_000, 192_000, 44_100]),
    (88_200, [88_200, 44_100, 96_000, 48_000, 192_000]), (22_050, [22_050, 44_100, 48_000, 96_000, 192_000]),
    (24_000, [24_000, 48_000, 96_000, 192_000, 44_100]), (192_000, [192_000, 96_000, 48_000, 44_100]),
    (384_000, [384_000, 192_000, 96_000, 48_000, 44_100]),
    (11_025, [11_025, 44_100, 48_000, 96_000, 192_000]),
    (0, [0, 44_100, 48_000, 96_000, 192_000]),
  ])
  func `Of other rates, multiples come first, then divisors, then the nearest`(wanted: Int, rates: [Int]) {
    #expect(FormatCandidates.rates(for: wanted) == rates)
  }

  @Test func `A driver that converts rates is tried with no other rate`() {
    let formats = FormatCandidates.formats(
      for: format(37_800, 8, .bits16), depths: [.bits16], convertsRates: true)
    #expect(formats == [8, 2, 1, 6].map { format(37_800, $0, .bits16) })
  }
}
