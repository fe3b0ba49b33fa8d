// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// Crossfeed for headphones, after Benjamin Bauer: each ear also hears the low tones of the other channel, quieter and
/// a little later, as it does from loudspeakers. The levels are those of libbs2b.
public enum Crossfeed: String, Sendable, Hashable, Codable, CaseIterable {
  /// 700 Hz, 4.5 dB: like loudspeakers 3 m away, 30 degrees to each side.
  case standard = "default"
  /// 700 Hz, 6 dB: like the circuit of Chu Moy.
  case chuMoy = "chu-moy"
  /// 650 Hz, 9.5 dB: like the circuit of Jan Meier, the least noticeable.
  case meier

  /// The frequency above which hardly anything reaches the other ear, in Hz.
  var frequency: Double {
    switch self {
    case .standard, .chuMoy: 700
    case .meier: 650
    }
  }

  /// How much louder low tones are at the ear of their channel than at the other one, in dB.
  var separation: Double {
    switch self {
    case .standard: 4.5
    case .chuMoy: 6
    case .meier: 9.5
    }
  }
}

/// The two filters of first order of a crossfeed, at one sample rate: a low pass for the other ear, and a high shelf
/// for the ear of the channel, which makes up for it. The gain of low tones that are in both channels is 1.
struct CrossfeedFilters: BitwiseCopyable {
  /// `near[n] = near0 x[n] + near1 x[n-1] + nearPole near[n-1]`
  let (near0, near1, nearPole): (Double, Double, Double)
  /// `far[n] = far0 x[n] + farPole far[n-1]`
  let (far0, farPole): (Double, Double)

  init(_ crossfeed: Crossfeed, sampleRate: Int) {
    let farDecibels = -3 - crossfeed.separation * 5 / 6
    let far = 10.0.raised(to: farDecibels / 20)
    // How much the shelf takes from low tones.
    let cut = 1 - 10.0.raised(to: crossfeed.separation / 6 / 20 - 3.0 / 20)
    let shelf = crossfeed.frequency * 2.0.raised(to: (farDecibels - 20 * cut.decimalLogarithm) / 12)
    let pole = { (frequency: Double) in (-2 * Double.pi * frequency / Double(sampleRate)).exponential }
    let gain = 1 / (1 - cut + far)
    farPole = pole(crossfeed.frequency)
    nearPole = pole(shelf)
    far0 = gain * far * (1 - farPole)
    near0 = gain * (1 - cut * (1 - nearPole))
    near1 = -gain * nearPole
  }
}
