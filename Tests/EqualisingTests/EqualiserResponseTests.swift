// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import Equalising
import Platform
import Testing

/// The response of filters, computed and measured, against references that were computed apart.
@Suite struct EqualiserResponseTests {
  @Test(arguments: ReferenceResponse.all.indices) func `the computed response is that of the reference`(_ index: Int) {
    let reference = ReferenceResponse.all[index]
    let biquad = Biquad(reference.filter, sampleRate: reference.sampleRate)
    for (frequency, expected) in zip(ReferenceResponse.frequencies, reference.decibels) {
      let decibels = biquad.decibels(at: frequency, sampleRate: reference.sampleRate)
      #expect(abs(decibels - expected) < 0.0001, "\(reference.filter) at \(frequency) Hz: \(decibels), \(expected)")
    }
  }

  @Test(arguments: ReferenceResponse.all.indices) func `the response of filtered audio is that of the reference`(
    _ index: Int
  ) {
    let reference = ReferenceResponse.all[index]
    let rate = reference.sampleRate
    var impulse = [Float](repeating: 0, count: rate / 5)
    impulse[0] = 0.5
    let result = Chain.process(impulse, [reference.filter], sampleRate: rate, channels: 1)
    for (frequency, expected) in zip(ReferenceResponse.frequencies, reference.decibels).dropFirst(1) {
      let decibels = Chain.decibels(of: result, at: frequency / Double(rate)) - 20 * 0.5.decimalLogarithm
      #expect(abs(decibels - expected) < 0.05, "\(reference.filter) at \(frequency) Hz: \(decibels), \(expected)")
    }
  }

  @Test func `the automatic preamp brings the peak of the curve to 0 dB`() {
    let boost = EqualiserFilter(.peak, 1_000, gain: 6, .q(1))
    let profile = EqualiserProfile(filters: [boost, boost, EqualiserFilter(.peak, 100, gain: -8, .q(1))])
    #expect(abs(profile.peak - 12) < 0.3)
    #expect(abs(profile.effectivePreamp + profile.peak) < 1e-9)
    // The narrowest filter, between the points of any grid.
    let narrow = EqualiserProfile(filters: [EqualiserFilter(.peak, 1_234.5, gain: 9, .q(100))])
    #expect(abs(narrow.effectivePreamp + 9) < 0.01)
    #expect(EqualiserProfile(preamp: -3, filters: [boost]).effectivePreamp == -3)
    #expect(EqualiserProfile(filters: [EqualiserFilter(.peak, 100, gain: -8, .q(1))]).effectivePreamp == 0)
  }

  @Test func `at a rate whose half is below its frequency, a filter is left out, and a low shelf is a gain`() {
    for kind in EqualiserFilter.Kind.allCases where kind != .lowShelf {
      #expect(Biquad(EqualiserFilter(kind, 30_000, gain: 6, .q(1)), sampleRate: 44_100) == .identity)
    }
    let shelf = Biquad(EqualiserFilter(.lowShelf, 30_000, gain: 6, .q(1)), sampleRate: 44_100)
    #expect(abs(shelf.decibels(at: 1_000, sampleRate: 44_100) - 6) < 1e-9)
  }

  @Test func `every filter within the limits is stable at every rate`() {
    let widths: [EqualiserFilter.Width] = [.q(0.05), .q(100), .octaves(0.01), .octaves(10), .q(0), .q(1e9), .q(.nan)]
    for kind in EqualiserFilter.Kind.allCases {
      for frequency in [0, 1, 20, 1_000, 21_999, 22_049.9, 100_000, .infinity, .nan] {
        for gain in [-30.0, 40, .nan] {
          for width in widths {
            for rate in [1, 8_000, 44_100, 768_000] {
              let biquad = Biquad(EqualiserFilter(kind, frequency, gain: gain, width), sampleRate: rate)
              // The triangle of stability.
              let isStable = abs(biquad.a2) < 1 && abs(biquad.a1) < 1 + biquad.a2
              #expect(isStable && biquad.b0.isFinite, "\(kind) \(frequency) \(gain) \(width) \(rate)")
            }
          }
        }
      }
    }
  }
}
