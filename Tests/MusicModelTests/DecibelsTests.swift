import Foundation
import MusicModel
import Testing

@Suite struct DecibelsTests {
  @Test func `factors and levels are those of the C library`() {
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

  @Test func `what has no level says so`() {
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
  func `levels are written with a sign and one decimal`(decibels: Double, text: String) {
    #expect(Decibels.text(decibels) == text)
  }
}
