import AudioCore
import MusicModel
import UnicodeText

/// The levels of two channels as lines: a bar up to the mean, its thin end up to the peak, and the peak in decibels.
enum MeterLines {
  /// What the left end of a bar stands for, in dB below full scale.
  private static let floor = -60.0
  private static let numberCells = 6

  /// The lines for so many cells; of silence where nothing is heard.
  static func lines(_ levels: SoundLevels?, cells: Int) -> [String] {
    [
      line("L", rms: levels?.rms.left ?? 0, peak: levels?.peak.left ?? 0, cells: cells),
      line("R", rms: levels?.rms.right ?? 0, peak: levels?.peak.right ?? 0, cells: cells),
    ]
  }

  private static func line(_ name: String, rms: Float, peak: Float, cells: Int) -> String {
    let room = max(0, cells - name.count - numberCells - 2)
    let mean = min(room, Int(share(rms) * Double(room)))
    let top = min(room, max(mean, Int(share(peak) * Double(room))))
    let bar =
      String(repeating: "━", count: mean)
      + String(repeating: "┄", count: top - mean)
      + String(repeating: " ", count: room - top)
    return "\(name) \(bar) \(number(peak).padded(toCells: numberCells, .right))"
  }

  /// The share of the bar that a level fills, from 0 to 1.
  private static func share(_ level: Float) -> Double {
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
