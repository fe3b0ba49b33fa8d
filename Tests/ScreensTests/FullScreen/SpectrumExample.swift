// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import PlayerPort
import UserSettings

@testable import Screens

/// A spectrum for the captures: loud in the bass, with hills.
enum SpectrumExample {
  /// Returns a spectrum with as many bands as `model` shows.
  static func spectrum(on model: FullScreenModel) -> Spectrum? {
    guard let area = model.area(of: .spectrum) else { return nil }
    let count = FullScreenDrawing.spectrum(in: area, .bars).bandCount
    let bands = (0..<count).map { band in
      let hill = Float(band * 97 % 31) / 31
      return max(0, 0.85 - Float(band) / Float(count) * 0.8 + hill * 0.15)
    }
    return Spectrum(bands: bands, peaks: bands.map { min(1, $0 + 0.1) })
  }
}

extension FullScreenDrawing.Player {
  /// Shows a spectrum, as if it were that of the sound.
  mutating func show(_ spectrum: Spectrum?) { sound = spectrum.map { SoundFrame(spectrum: $0) } }
}
