// SPDX-License-Identifier: GPL-3.0-or-later

import AudioCore
import MusicModel
import PlayerFlow
import Terminal
import UnicodeText

/// The level meter: one line per channel, with a bar that is thick up to the RMS level and thin up to the peak, and the
/// peak in decibels.
enum MeterLines {
  /// The level at the left end of a bar, in decibels relative to full scale.
  private static let floor = -60.0
  private static let numberCells = 6

  /// Returns the two lines for a width of `cells`. If `levels` is `nil`, silence is shown.
  static func lines(_ levels: SoundLevels?, cells: Int) -> [String] {
    [
      line("L", rms: levels?.rms.left ?? 0, peak: levels?.peak.left ?? 0, cells: cells),
      line("R", rms: levels?.rms.right ?? 0, peak: levels?.peak.right ?? 0, cells: cells),
    ]
  }

  private static func line(_ name: String, rms: Float, peak: Float, cells: Int) -> String {
    let barCells = max(0, cells - name.count - numberCells - 2)
    let rmsCells = min(barCells, Int(fraction(rms) * Double(barCells)))
    let peakCells = min(barCells, max(rmsCells, Int(fraction(peak) * Double(barCells))))
    let bar =
      String(repeating: "━", count: rmsCells)
      + String(repeating: "┄", count: peakCells - rmsCells)
      + String(repeating: " ", count: barCells - peakCells)
    return "\(name) \(bar) \(number(peak).padded(toCells: numberCells, .right))"
  }

  /// Returns the fraction of the bar that a level fills, from 0 to 1.
  private static func fraction(_ level: Float) -> Double {
    guard level > 0, level.isFinite else { return 0 }
    return min(max((Decibels.level(Double(level)) - floor) / -floor, 0), 1)
  }

  private static func number(_ level: Float) -> String {
    guard level > 0, level.isFinite else { return "-" }
    let tenths = (Decibels.level(Double(level)) * 10).rounded()
    guard tenths > floor * 10 else { return "-" }
    return "\(tenths / 10)"
  }
}
