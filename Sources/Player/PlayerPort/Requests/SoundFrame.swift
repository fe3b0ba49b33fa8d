// SPDX-License-Identifier: GPL-3.0-or-later

package import AudioCore
import FoundationEssentials

/// What a face shows of the sound that is audible at an instant.
package struct SoundFrame: Sendable, Equatable {
  /// The levels; `nil` if nothing is audible.
  package var levels: SoundLevels?
  /// The spectrum; `nil` if none was requested, or if the player cannot analyse sound.
  package var spectrum: Spectrum?

  package init(levels: SoundLevels? = nil, spectrum: Spectrum? = nil) {
    self.levels = levels
    self.spectrum = spectrum
  }

  /// Whether this frame shows silence.
  package var isSilent: Bool { levels == nil && spectrum?.isSilent != false }
}

/// The values of a spectrum are bytes, from 0 to 255: many of these frames are sent each second.
extension SoundFrame: Codable {
  private enum CodingKeys: String, CodingKey { case levels, bands, peaks }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let numbers = try values.decodeIfPresent([Float].self, forKey: .levels)
    if let numbers {
      guard numbers.count == 4 else {
        throw Swift.DecodingError.dataCorruptedError(forKey: .levels, in: values, debugDescription: "damaged levels")
      }
      levels = SoundLevels(
        peak: SoundLevels.Pair(left: numbers[0], right: numbers[1]),
        rms: SoundLevels.Pair(left: numbers[2], right: numbers[3]))
    }
    guard let bands = try values.decodeIfPresent(Data.self, forKey: .bands) else { return }
    let peaks = try values.decode(Data.self, forKey: .peaks)
    guard bands.count == peaks.count, (1...SpectrumAnalyser.bandLimit).contains(bands.count) else {
      throw Swift.DecodingError.dataCorruptedError(forKey: .bands, in: values, debugDescription: "damaged spectrum")
    }
    spectrum = Spectrum(bands: bands.map { Float($0) / 255 }, peaks: peaks.map { Float($0) / 255 })
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    if let levels {
      // JSON has no infinity.
      let numbers = [levels.peak.left, levels.peak.right, levels.rms.left, levels.rms.right]
      try values.encode(numbers.map { $0.isFinite ? $0 : 0 }, forKey: .levels)
    }
    try values.encodeIfPresent(spectrum.map { Self.bytes($0.bands) }, forKey: .bands)
    try values.encodeIfPresent(spectrum.map { Self.bytes($0.peaks) }, forKey: .peaks)
  }

  private static func bytes(_ values: [Float]) -> Data {
    Data(values.map { UInt8(max(0, min(255, ($0.isFinite ? $0 : 0) * 255 + 0.5))) })
  }
}
