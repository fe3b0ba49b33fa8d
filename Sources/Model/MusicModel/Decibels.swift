// SPDX-License-Identifier: GPL-3.0-or-later

/// Conversions between amplitude factors and decibels; 20 dB correspond to a factor of 10.
public enum Decibels {
  private static let log2Of10 = 3.321928094887362347870319429489390
  private static let ln2 = 0.693147180559945309417232121458177

  /// Returns the amplitude factor for a gain in decibels: exactly 1 for 0 dB, otherwise within 1e-14 of the exact
  /// value.
  ///
  /// Values beyond ±1,000 dB are clamped to that range; NaN returns NaN.
  public static func factor(_ decibels: Double) -> Double {
    guard !decibels.isNaN else { return .nan }
    let exponent = min(max(decibels, -1_000), 1_000) / 20 * log2Of10
    let whole = exponent.rounded()
    // The power series of e^x, for x from -ln 2 / 2 to ln 2 / 2.
    let x = (exponent - whole) * ln2
    var sum = 1.0
    for divisor in stride(from: 17.0, through: 1, by: -1) { sum = 1 + sum * x / divisor }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
  }

  /// Returns the level of an amplitude factor in decibels: minus infinity for 0, NaN for a negative factor or NaN.
  public static func level(_ factor: Double) -> Double {
    guard factor > 0 else { return factor == 0 ? -.infinity : .nan }
    guard factor.isFinite else { return .infinity }
    // The logarithm of the significand, which is from 1 to 2, computed with the series of the inverse hyperbolic
    // tangent.
    let significand = factor.significand
    let z = (significand - 1) / (significand + 1)
    var sum = 0.0
    for divisor in stride(from: 41.0, through: 1, by: -2) { sum = sum * z * z + 1 / divisor }
    let log2 = Double(factor.exponent) + 2 * z * sum / ln2
    return log2 * 20 / log2Of10
  }

  /// Returns `decibels` as text, with a sign and one decimal: "-7.2 dB", "+0.5 dB", "0.0 dB".
  public static func text(_ decibels: Double) -> String {
    guard decibels.isFinite, abs(decibels) < 1e6 else { return "\(decibels) dB" }
    let tenths = Int((abs(decibels) * 10).rounded())
    let sign = tenths == 0 ? "" : decibels < 0 ? "-" : "+"
    return "\(sign)\(tenths / 10).\(tenths % 10) dB"
  }
}
