// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// A digital filter of second order, at one sample rate: `y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2
/// y[n-2]`.
public struct Biquad: Sendable, Hashable, BitwiseCopyable {
  public var b0 = 1.0
  public var b1 = 0.0
  public var b2 = 0.0
  public var a1 = 0.0
  public var a2 = 0.0

  /// A filter that changes nothing.
  public static let identity = Biquad()

  /// Half of the natural logarithm of 2.
  private static let halfOfLog2 = 0.346_573_590_279_972_65

  private init() {}

  /// Computes a filter for a sample rate in Hz, by the formulas of the Audio EQ Cookbook.
  ///
  /// At a rate whose half is not above its frequency, a filter is left out, except that all of the audio is below a low
  /// shelf: it becomes a gain.
  public init(_ filter: EqualiserFilter, sampleRate: Int) {
    let amplitude = 10.0.raised(to: filter.gain / 40)
    guard filter.frequency < 0.5 * Double(sampleRate) else {
      if filter.kind == .lowShelf { b0 = amplitude * amplitude }
      return
    }
    let omega = 2 * Double.pi * filter.frequency / Double(sampleRate)
    let (sine, cosine) = (omega.sine, omega.cosine)
    let alpha =
      switch filter.width {
      case .q(let q): sine / (2 * q)
      // Close to half of the sample rate, the sine is tiny: the limit is far beyond what is audible.
      case .octaves(let octaves): sine * min(20, Self.halfOfLog2 * octaves * omega / sine).hyperbolicSine
      }
    let a0: Double
    switch filter.kind {
    case .peak:
      (b0, b1, b2) = (1 + alpha * amplitude, -2 * cosine, 1 - alpha * amplitude)
      (a0, a1, a2) = (1 + alpha / amplitude, -2 * cosine, 1 - alpha / amplitude)
    case .lowShelf, .highShelf:
      // A high shelf is a low shelf with the sign of the cosine changed.
      let sign = filter.kind == .lowShelf ? 1.0 : -1.0
      let (sum, difference) = (amplitude + 1, (amplitude - 1) * sign * cosine)
      let (other, slope) = ((amplitude - 1) * sign, 2 * amplitude.squareRoot() * alpha)
      b0 = amplitude * (sum - difference + slope)
      b1 = 2 * amplitude * (other - sum * cosine)
      b2 = amplitude * (sum - difference - slope)
      a0 = sum + difference + slope
      a1 = -2 * (other + sum * cosine)
      a2 = sum + difference - slope
    case .lowPass:
      (b0, b1, b2) = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    case .highPass:
      (b0, b1, b2) = ((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    case .notch:
      (b0, b1, b2) = (1, -2 * cosine, 1)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    case .bandPass:
      (b0, b1, b2) = (alpha, 0, -alpha)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    case .allPass:
      (b0, b1, b2) = (1 - alpha, -2 * cosine, 1 + alpha)
      (a0, a1, a2) = (1 + alpha, -2 * cosine, 1 - alpha)
    }
    (b0, b1, b2, a1, a2) = (b0 / a0, b1 / a0, b2 / a0, a1 / a0, a2 / a0)
  }

  /// Returns the gain of a sine of this frequency, in dB: at least -200.
  public func decibels(at frequency: Double, sampleRate: Int) -> Double {
    // Written in the squared sine of half of the angle, which loses no precision at low frequencies.
    let half = (Double.pi * frequency / Double(sampleRate)).sine
    let phi = half * half
    let above = Self.power(b0, b1, b2, phi)
    let below = Self.power(1, a1, a2, phi)
    return max(-200, 10 * max(1e-30, above / max(1e-300, below)).decimalLogarithm)
  }

  private static func power(_ c0: Double, _ c1: Double, _ c2: Double, _ phi: Double) -> Double {
    let sum = c0 + c1 + c2
    return max(0, sum * sum - 4 * (c0 * c1 + 4 * c0 * c2 + c1 * c2) * phi + 16 * c0 * c2 * phi * phi)
  }
}

/// The frequency response of a profile.
extension EqualiserProfile {
  /// The sample rates for which the automatic preamp leaves room, in Hz, so that it is the same at all rates.
  private static let peakRates = [44_100, 48_000, 96_000, 192_000]

  /// Returns the gain of a sine of this frequency by the filters, without the preamp, in dB.
  public func decibels(at frequency: Double, sampleRate: Int = 96_000) -> Double {
    filters.reduce(0) { $0 + Biquad($1, sampleRate: sampleRate).decibels(at: frequency, sampleRate: sampleRate) }
  }

  /// The highest gain of the filters at any frequency, in dB; not below 0, the gain at 0 Hz of most curves.
  public var peak: Double {
    Self.peakRates.reduce(0) { peak, rate in
      let biquads = filters.map { Biquad($0, sampleRate: rate) }
      // Between two of the points, the response of the narrowest filter could be missed, but not at its own frequency.
      let grid = (0...600).map { 10 * 2.0.raised(to: Double($0) / 55) } + filters.map(\.frequency)
      return grid.lazy.filter { $0 < 0.5 * Double(rate) }.reduce(peak) { peak, frequency in
        max(peak, biquads.reduce(0) { $0 + $1.decibels(at: frequency, sampleRate: rate) })
      }
    }
  }

  /// The gain that is applied before the filters, in dB.
  public var effectivePreamp: Double { preamp ?? -peak }

  /// Whether the profile leaves samples unchanged.
  public var isFlat: Bool { (preamp ?? 0) == 0 && filters.allSatisfy { $0.kind.hasGain && $0.gain == 0 } }
}
