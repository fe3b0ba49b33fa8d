// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import Testing

@Suite struct ReplayGainDecisionTests {
  typealias Mode = ReplayGainSettings.Mode

  private static let both = ReplayGainTags(trackGain: -3, trackPeak: 0.5, albumGain: -7.2, albumPeak: 0.9)
  private static let trackOnly = ReplayGainTags(trackGain: -3, trackPeak: 0.5)
  private static let albumOnly = ReplayGainTags(trackGain: nil, albumGain: -7.2, albumPeak: 0.9)
  private static let noTags = ReplayGainTags()

  @Test(
    arguments: [
      (.off, both, true, 0, "off"), (.track, both, true, -3, "track gain -3.0 dB"),
      (.album, both, false, -7.2, "album gain -7.2 dB"), (.auto, both, true, -7.2, "album gain -7.2 dB"),
      (.auto, both, false, -3, "track gain -3.0 dB"), (.album, trackOnly, true, -3, "track gain -3.0 dB"),
      (.auto, trackOnly, true, -3, "track gain -3.0 dB"),
      (.track, albumOnly, false, -7.2, "album gain -7.2 dB"),
      (.auto, albumOnly, false, -7.2, "album gain -7.2 dB"), (.track, noTags, true, -6, "fallback -6.0 dB"),
      (.off, noTags, true, 0, "off"),
    ] as [(Mode, ReplayGainTags, Bool, Double, String)])
  func `The mode selects a gain, and the other one is the fallback`(
    mode: Mode, tags: ReplayGainTags, inOrder: Bool, gain: Double, text: String
  ) {
    let decision = ReplayGainSettings(mode: mode).decision(for: tags, albumPlaysInOrder: inOrder)
    #expect(decision.gain == gain)
    #expect(abs(Double(decision.factor) / Decibels.factor(gain) - 1) < 1e-7)
    #expect(decision.description == text)
    #expect(!decision.needsLimiter)
  }

  @Test func `The preamp is added to measured gains, but not to the fallback`() {
    let settings = ReplayGainSettings(mode: .track, preamp: 2, fallbackGain: -9)
    let measured = settings.decision(for: Self.both, albumPlaysInOrder: false)
    #expect(measured.gain == -1 && measured.description == "track gain -3.0 dB, preamp +2.0 dB")
    #expect(settings.decision(for: Self.noTags, albumPlaysInOrder: false).gain == -9)
  }

  @Test(
    arguments: [-51.001, 51.001, .nan, .infinity, -.infinity, 1e300] as [Double])
  func `An implausible gain counts as missing`(gain: Double) {
    let settings = ReplayGainSettings(mode: .album)
    let tags = ReplayGainTags(trackGain: -3, albumGain: gain)
    #expect(settings.decision(for: tags, albumPlaysInOrder: true).gain == -3)
    let implausible = ReplayGainTags(trackGain: gain)
    #expect(settings.decision(for: implausible, albumPlaysInOrder: true).description == "fallback -6.0 dB")
  }

  @Test(arguments: [0, -1, 32_768, .nan, .infinity] as [Double])
  func `An implausible peak counts as unknown`(peak: Double) {
    let settings = ReplayGainSettings(mode: .track)
    let tags = ReplayGainTags(trackGain: 6, trackPeak: peak)
    let decision = settings.decision(for: tags, albumPlaysInOrder: false)
    #expect(decision.gain == 6)
    #expect(decision.needsLimiter)
  }

  @Test(arguments: [0.9, 1.0 / 3, 0.501187, 1.2, 7.3])
  func `A gain is lowered until the peak fits`(peak: Double) {
    let settings = ReplayGainSettings(mode: .track, preamp: 3)
    let tags = ReplayGainTags(trackGain: 20, trackPeak: peak)
    let decision = settings.decision(for: tags, albumPlaysInOrder: false)
    #expect(Double(decision.factor) * peak <= 1)
    #expect(Double(decision.factor) * peak > 0.999_999)
    #expect(abs(Decibels.factor(decision.gain) * peak - 1) < 1e-12)
    #expect(!decision.needsLimiter)
    #expect(decision.description.contains("lowered to "))
  }

  @Test func `All tracks of an album are lowered equally`() {
    let settings = ReplayGainSettings(mode: .album)
    let loud = ReplayGainTags(trackGain: 2, trackPeak: 0.9, albumGain: 4, albumPeak: 0.9)
    let soft = ReplayGainTags(trackGain: 9, trackPeak: 0.1, albumGain: 4, albumPeak: 0.9)
    let decisions = [loud, soft].map { settings.decision(for: $0, albumPlaysInOrder: true) }
    #expect(decisions[0].factor == decisions[1].factor)
    #expect(decisions[0].factor < Float(Decibels.factor(4)))
  }

  @Test func `An album's gain is not lowered for one track's peak, but limited`() {
    let settings = ReplayGainSettings(mode: .album)
    let tags = ReplayGainTags(trackGain: 4, trackPeak: 0.9, albumGain: 4)
    let decision = settings.decision(for: tags, albumPlaysInOrder: true)
    #expect(decision.gain == 4)
    #expect(decision.needsLimiter)
  }

  @Test(
    arguments: [
      (.limiter, 6, 0.9, true), (.limiter, 6, 0.4, false), (.limiter, -6, nil, true),
      (.limiter, -6, 0.9, false),
      (.peak, 6, nil, true), (.peak, -6, nil, false), (.none, 6, 0.9, false), (.none, 6, nil, false),
    ] as [(ReplayGainSettings.Clipping, Double, Double?, Bool)])
  func `A limiter is needed if peaks may exceed full scale`(
    clipping: ReplayGainSettings.Clipping, gain: Double, peak: Double?, needsLimiter: Bool
  ) {
    let settings = ReplayGainSettings(mode: .track, clipping: clipping)
    let tags = ReplayGainTags(trackGain: gain, trackPeak: peak)
    let decision = settings.decision(for: tags, albumPlaysInOrder: false)
    #expect(decision.needsLimiter == needsLimiter)
    #expect(decision.gain == gain)
  }

  @Test(arguments: Mode.allCases, ReplayGainSettings.Clipping.allCases)
  func `No settings or tags give an invalid factor`(
    mode: Mode, clipping: ReplayGainSettings.Clipping
  ) {
    let extremes: [Double] = [.nan, .infinity, -.infinity, -1e308, 1e308, 0, 51, -51, 0.000_001, 10]
    for preamp in extremes {
      for value in extremes {
        let settings = ReplayGainSettings(
          mode: mode, preamp: preamp, fallbackGain: value, clipping: clipping)
        let tags = ReplayGainTags(trackGain: value, trackPeak: value, albumGain: preamp, albumPeak: preamp)
        for tags in [tags, ReplayGainTags()] {
          let decision = settings.decision(for: tags, albumPlaysInOrder: true)
          #expect(decision.factor.isFinite && decision.factor > 0, "\(settings) \(tags)")
          #expect(decision.gain.isFinite)
        }
      }
    }
  }
}

@Suite struct DecibelsTests {
  @Test func `Factors and levels agree with the C library`() {
    for tenth in -1_500...1_500 {
      let decibels = Double(tenth) / 10
      let factor = Decibels.factor(decibels)
      let expected = pow(10, decibels / 20)
      #expect(abs(factor / expected - 1) < 1e-14, "\(decibels) dB")
      #expect(abs(Decibels.level(factor) - decibels) < 1e-12, "\(decibels) dB")
    }
  }

  @Test func `0 dB is a factor of exactly 1`() {
    #expect(Decibels.factor(0) == 1)
    #expect(Decibels.level(1) == 0)
  }

  @Test func `Values without a level give NaN or infinity`() {
    #expect(Decibels.level(0) == -.infinity)
    #expect(Decibels.level(.infinity) == .infinity)
    #expect(Decibels.level(-1).isNaN && Decibels.level(.nan).isNaN && Decibels.factor(.nan).isNaN)
    #expect(Decibels.factor(.infinity).isFinite && Decibels.factor(-.infinity) >= 0)
  }

  @Test(
    arguments: [
      (-7.24, "-7.2 dB"), (0.5, "+0.5 dB"), (0, "0.0 dB"), (-0.04, "0.0 dB"), (-12.96, "-13.0 dB"),
      (.nan, "nan dB"),
    ] as [(Double, String)])
  func `Levels are formatted with a sign and one decimal`(decibels: Double, text: String) {
    #expect(Decibels.text(decibels) == text)
  }
}
