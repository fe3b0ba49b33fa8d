// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
import Screens
import Terminal
import Testing

@testable import PlayerPort

@Suite struct EqualiserListingTests {
  private static let profile = EqualiserProfile(
    filters: [
      EqualiserFilter(.lowShelf, 100, gain: 6, .q(0.7)), EqualiserFilter(.peak, 2_500, gain: -4.25, .octaves(1.5)),
      EqualiserFilter(.highPass, 20, .q(0.7)),
    ])

  private func report(_ profile: EqualiserProfile = profile, isBypassed: Bool = false) -> EqualiserReport {
    var report = EqualiserReport(output: "pulse", chosen: "Desk", isBypassed: isBypassed)
    report.profiles = [.init(name: "Desk", outputs: ["pulse"])]
    report.shown = .init(name: "Desk", profile: profile, approximationError: nil)
    return report
  }

  @Test func `a profile is listed with its curve`() {
    var style = OutputStyle()
    style.isASCII = true
    let lines = EqualiserListing.lines(report(isBypassed: true), columns: 60, style)
    #expect(lines.first == "Desk on pulse (bypassed)")
    #expect(lines.allSatisfy { $0.count <= 60 })
    #expect(
      lines.suffix(3).map { $0.split(separator: " ").joined(separator: " ") } == [
        "1 LSC 100 Hz +6 dB Q 0.7", "2 PK 2500 Hz -4.3 dB BW Oct 1.5", "3 HPQ 20 Hz Q 0.7",
      ])
    let preamp = lines.first { $0.contains("preamp") } ?? ""
    #expect(preamp.hasSuffix("dB (automatic)"))
  }

  @Test func `the curve is where its gains are`() throws {
    let flat = EqualiserCurve.lines(EqualiserProfile(), columns: 80, isASCII: true)
    let zero = try #require(flat.first { $0.hasPrefix("   0 |") })
    #expect(zero == "   0 |" + String(repeating: "*", count: 72))
    #expect(flat.last?.hasPrefix("      20") == true && flat.last?.contains("1k") == true)
    let shelf = EqualiserProfile(filters: [EqualiserFilter(.lowShelf, 200, gain: 6, .q(0.7))])
    let curve = EqualiserCurve.lines(shelf, columns: 80, isASCII: true)
    let top = try #require(curve.first { $0.hasPrefix("  +6 |") || $0.hasPrefix("  +5 |") })
    #expect(top.dropFirst(6).first == "*" && top.last == "*" && top.count < 40)
    #expect(curve.first { $0.hasPrefix("   0 |") }?.last == "*")
  }

  @Test func `in plain style, each band is a line`() {
    var style = OutputStyle()
    style.isPlain = true
    let lines = EqualiserListing.lines(
      report(EqualiserProfile(preamp: -3, filters: Self.profile.filters)), columns: nil, style)
    #expect(lines.prefix(3) == ["profile: Desk on pulse", "preamp: -3 dB", "band 1: LSC 100 Hz +6 dB Q 0.7"])
    var none = report()
    (none.chosen, none.shown) = (nil, nil)
    #expect(EqualiserListing.lines(none, columns: nil) == ["no equalizer on pulse"])
    none.crossfeeds = ["pulse": .chuMoy]
    #expect(EqualiserListing.lines(none, columns: nil) == ["crossfeed chu-moy"])
    var both = report(EqualiserProfile(preamp: -3, filters: Self.profile.filters))
    both.crossfeeds = ["pulse": .meier, "other": .standard]
    #expect(EqualiserListing.lines(both, columns: nil, style).contains("crossfeed: meier"))
    #expect(both.text == "equalizer: Desk, crossfeed meier")
  }
}
