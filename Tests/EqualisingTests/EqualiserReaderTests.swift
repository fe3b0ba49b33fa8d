// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Testing

@Suite struct EqualiserReaderTests {
  @Test func `a file of AutoEq is read`() {
    let reading = EqualiserReader.read(
      """
      Preamp: -6.8 dB
      Filter 1: ON LSC Fc 105 Hz Gain 4.2 dB Q 0.70
      Filter 2: ON PK Fc 2186.5 Hz Gain -3.1 dB Q 1.41
      Filter 3: ON HSC Fc 10000 Hz Gain 2 dB Q 0.70
      """)
    #expect(reading.problems == [])
    #expect(
      reading.profile
        == EqualiserProfile(
          preamp: -6.8,
          filters: [
            EqualiserFilter(.lowShelf, 105, gain: 4.2, .q(0.7)), EqualiserFilter(.peak, 2_186.5, gain: -3.1, .q(1.41)),
            EqualiserFilter(.highShelf, 10_000, gain: 2, .q(0.7)),
          ]))
  }

  @Test(
    arguments: [
      ("Filter: ON PK Fc 100 Hz Gain 1 dB Q 2", EqualiserFilter(.peak, 100, gain: 1, .q(2))),
      ("filter 12 : on peq fc 100hz gain +1dB q 2", EqualiserFilter(.peak, 100, gain: 1, .q(2))),
      ("Filter 1: ON PK Fc 100 Hz Gain 1 dB BW Oct 0.5", EqualiserFilter(.peak, 100, gain: 1, .octaves(0.5))),
      ("\u{FEFF}Filter 1: ON LS Fc 100 Hz Gain 1 dB", EqualiserFilter(.lowShelf, 100, gain: 1, .q(0.5.squareRoot()))),
      ("Filter 1: ON HS Fc 100 Hz Gain 1 dB Q 1", EqualiserFilter(.highShelf, 100, gain: 1, .q(1))),
      ("Filter 1: ON LP Fc 100 Hz", EqualiserFilter(.lowPass, 100, .q(0.5.squareRoot()))),
      ("Filter 1: ON LPQ Fc 100 Hz Q 0.9", EqualiserFilter(.lowPass, 100, .q(0.9))),
      ("Filter 1: ON HP Fc 100 Hz", EqualiserFilter(.highPass, 100, .q(0.5.squareRoot()))),
      ("Filter 1: ON HPQ Fc 100 Hz Q 0.9", EqualiserFilter(.highPass, 100, .q(0.9))),
      ("Filter 1: ON NO Fc 100 Hz", EqualiserFilter(.notch, 100, .q(30))),
      ("Filter 1: ON BP Fc 100 Hz Q 3", EqualiserFilter(.bandPass, 100, .q(3))),
      ("Filter 1: ON AP Fc 100 Hz Q 3", EqualiserFilter(.allPass, 100, .q(3))),
    ]) func `every type of filter is read`(_ line: String, _ filter: EqualiserFilter)
  {
    let reading = EqualiserReader.read(line)
    #expect(reading.problems == [])
    #expect(reading.profile.filters == [filter])
  }

  @Test func `comments, empty lines and filters that are off are skipped, and preamps add up`() {
    let reading = EqualiserReader.read(
      "# Preamp: 3 dB\r\n\r\n  \nPreamp: -2 dB\nPreamp: -1.5\nFilter 1: OFF PK Fc x\nFilter 2: ON None\nChannel: all\n")
    #expect(reading.problems == [])
    #expect(reading.profile == EqualiserProfile(preamp: -3.5))
  }

  @Test(
    arguments: [
      ("nonsense", "no colon in \"nonsense\""), ("Delay: 3 ms", "\"Delay\" is not supported"),
      ("Preamp: loud", "the preamp cannot be \"loud\": use a number"), ("Preamp:", "the preamp has no value"),
      ("Preamp: nan dB", "the preamp cannot be \"nan\": use a number"),
      ("Preamp: 40 dB", "a preamp of 40.0 dB is out of range: use -60 to 30"),
      ("Filter 1: PK Fc 1 Hz", "a filter must be ON or OFF: \"PK Fc 1 Hz\""),
      ("Filter 1: ON", "the filter has no type"), ("Filter 1: ON XY Fc 1", "the filter type \"XY\" is not supported"),
      ("Filter 1: ON PK Gain 3 dB Q 1", "the filter has no frequency: Fc is missing"),
      ("Filter 1: ON PK Fc 100 Hz Q 1", "the filter has no gain: Gain is missing"),
      ("Filter 1: ON PK Fc 100 Hz Gain 1 dB", "the filter has no width: Q or BW is missing"),
      ("Filter 1: ON PK Fc 100 Hz Gain 40 dB Q 1", "Gain 40.0 is out of range: use -30 to 30 dB"),
      ("Filter 1: ON PK Fc 100 Hz Gain 1 dB Q 0", "Q 0.0 is out of range: use 0.05 to 100"),
      ("Filter 1: ON PK Fc 100 Hz Gain 1 dB Q 1e9", "Q 1000000000.0 is out of range: use 0.05 to 100"),
      ("Filter 1: ON PK Fc 0 Hz Gain 1 dB Q 1", "Fc 0.0 is out of range: use 1 to 100000 Hz"),
      ("Filter 1: ON PK Fc inf Hz Gain 1 dB Q 1", "Fc cannot be \"inf\": use a number"),
      ("Filter 1: ON PK Fc 1 Hz Gain 1 dB Q 1 Q 2", "Q is given twice"),
      ("Filter 1: ON PK Fc 1 Hz Gain 1 dB Q 1 BW Oct 1", "the filter has both Q and BW: use one of them"),
      ("Filter 1: ON PK Fc 1 Hz Gain 1 dB BW 1", "BW must be in octaves, as in BW Oct 0.5"),
      ("Filter 1: ON PK Fc 1 Hz Gain 1 dB Q 1 loud", "\"loud\" is not understood"),
      ("GraphicEQ: 20", "\"20\" is no frequency with a gain"), ("GraphicEQ:", "the curve has no points"),
      ("GraphicEQ: 20 99", "\"20 99\" is out of range: use 1 to 100000 Hz, and -60 to 30 dB"),
    ]) func `a line that is not understood is reported with its number`(_ line: String, _ reason: String)
  {
    let reading = EqualiserReader.read("Filter 1: ON PK Fc 50 Hz Gain 1 dB Q 1\n" + line)
    #expect(reading.problems.map(\.description) == ["line 2: \(reason)"])
    #expect(reading.profile.filters.count == 1)
  }

  @Test func `filters of single channels are left out, and reported once`() {
    let filter = "Filter: ON PK Fc 50 Hz Gain 1 dB Q 1\n"
    let reading = EqualiserReader.read("Channel: L\n\(filter)\(filter)Channel: all\n\(filter)")
    #expect(reading.profile.filters.count == 1)
    #expect(reading.problems.map(\.line) == [1])
  }

  @Test func `ten thousand filters are limited`() {
    let text = String(repeating: "Filter: ON PK Fc 50 Hz Gain 1 dB Q 1\n", count: 10_000)
    let reading = EqualiserReader.read(text)
    #expect(reading.profile.filters.count == EqualiserProfile.filterLimit)
    #expect(reading.problemCount == 10_000 - EqualiserProfile.filterLimit && reading.problems.count == 100)
  }

  @Test func `random lines never trap, and every one is a filter, a preamp or a problem`() {
    let words = [
      "Filter", "1", ":", "ON", "OFF", "PK", "LSC", "HP", "Fc", "Gain", "Q", "BW", "Oct", "1e308", "-1e308", "nan",
      "0x1p4",
      "1e-320", "20", "3", "dB", "Hz", "Preamp:", "GraphicEQ:", ";", "Channel:", "all", "#", "\u{202E}", "\0",
      "Filter:",
    ]
    var state: UInt32 = 7
    for _ in 0..<2_000 {
      let line = (0..<12).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return words[Int(state >> 16) % words.count]
      }.joined(separator: " ")
      let reading = EqualiserReader.read(line)
      #expect(reading.problemCount <= 1 && reading.profile.filters.count <= 32)
      #expect(reading.profile.filters.allSatisfy { Biquad($0, sampleRate: 44_100).b0.isFinite })
    }
  }

  @Test func `what is written is read again, and other lines are kept`() {
    let text =
      "# mine\nPreamp: -1 dB\nPreamp: -2 dB\nFilter 1: OFF PK Fc 1\nDelay: 3 ms\nFilter: ON PK Fc 50 Hz Gain 1 dB Q 1\n"
    let profile = EqualiserProfile(
      preamp: -2.5,
      filters: [EqualiserFilter(.lowShelf, 105.5, gain: 4.25, .q(0.7)), EqualiserFilter(.notch, 50, .octaves(0.1))])
    let written = EqualiserWriter.text(profile, replacing: text)
    #expect(
      written
        == "# mine\nFilter 1: OFF PK Fc 1\nDelay: 3 ms\nPreamp: -2.5 dB\n"
        + "Filter 1: ON LSC Fc 105.5 Hz Gain 4.25 dB Q 0.7\nFilter 2: ON NO Fc 50 Hz BW Oct 0.1\n")
    #expect(EqualiserReader.read(written).profile == profile)
  }

  @Test func `a graphic equaliser becomes filters, and the difference is known`() throws {
    let frequencies = [31.25, 62.5, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000]
    let gains = [6.0, 4, 2, 0, -2, 0, 1, 3, 5, 6]
    let points = zip(frequencies, gains).map { "\($0) \($1)" }.joined(separator: "; ")
    let reading = EqualiserReader.read("GraphicEQ: \(points)")
    #expect(reading.problems == [])
    let error = try #require(reading.approximationError)
    #expect(error < 0.5, "\(error)")
    // With the automatic preamp, the shape counts.
    let profile = reading.profile
    #expect(profile.preamp == nil)
    let level = profile.decibels(at: 1_000, sampleRate: 48_000)
    for (frequency, gain) in zip(frequencies, gains) {
      let decibels = profile.decibels(at: frequency, sampleRate: 48_000) - level
      // Both may be off by the error.
      #expect(abs(decibels - gain) <= 2 * error, "\(frequency) Hz: \(decibels)")
    }
    let low = EqualiserReader.read("GraphicEQ: 20 -8; 20000 -8").profile
    #expect(abs((low.preamp ?? 0) + 8) < 0.01)
  }
}
