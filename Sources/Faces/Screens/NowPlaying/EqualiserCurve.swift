// SPDX-License-Identifier: GPL-3.0-or-later

package import Equalising
import Platform
import UnicodeText

/// Draws the frequency response of a profile with characters.
package enum EqualiserCurve {
  /// The frequencies at the ends of the curve, in Hz.
  private static let (first, last) = (20.0, 20_000.0)
  /// The marked frequencies, in Hz, with their names.
  private static let marks: [(frequency: Double, name: String)] = [
    (20, "20"), (50, "50"), (100, "100"), (200, "200"), (500, "500"), (1_000, "1k"), (2_000, "2k"), (5_000, "5k"),
    (10_000, "10k"), (20_000, "20k"),
  ]
  /// The number of cells before the curve, and the numbers of columns of the curve itself.
  private static let margin = 7
  private static let widths = 24...72

  /// The width of the narrowest drawing, in cells.
  static let minimumColumns = margin + widths.lowerBound

  /// Returns the lines of a drawing that is at most `columns` cells wide and `rows` lines high, with the scales.
  package static func lines(_ profile: EqualiserProfile, columns: Int, rows: Int = 12, isASCII: Bool = false)
    -> [String]
  {
    let width = min(max(columns - margin, widths.lowerBound), widths.upperBound)
    let gains = (0..<width).map { column in
      profile.decibels(at: first * (last / first).raised(to: Double(column) / Double(width - 1)))
    }
    // The scale has steps of whole decibels, an even number of them, and 0 dB on a line.
    let half = max(2, (rows - 2) / 2)
    let reach = max(3, gains.map(abs).max() ?? 0)
    let step = (reach / Double(half)).rounded(.up)
    let lines = (-half...half).reversed().map { line -> String in
      let label = Int(Double(line) * step)
      let text = (label > 0 ? "+\(label)" : "\(label)").padded(toCells: 4, .right)
      var cells = gains.indices.map { column in cell(gains, column, line, step, isASCII: isASCII) }
      while cells.last == " " { cells.removeLast() }
      return "\(text) \(isASCII ? "|" : "┤")\(cells.joined())"
    }
    return lines + [scale(width)]
  }

  /// Returns the character at a column on a line.
  private static func cell(_ gains: [Double], _ column: Int, _ line: Int, _ step: Double, isASCII: Bool) -> String {
    let row = { (gain: Double) in Int((gain / step).rounded()) }
    let here = row(gains[column])
    let before = row(gains[max(0, column - 1)])
    // A steep curve stays connected.
    let passes = before < here ? (before + 1...here).contains(line) : before > here && (here..<before).contains(line)
    if line == here || passes { return isASCII ? "*" : "█" }
    return line == 0 ? (isASCII ? "-" : "┄") : " "
  }

  private static func scale(_ width: Int) -> String {
    var text = ""
    for mark in marks {
      let position = (mark.frequency / first).binaryLogarithm / (last / first).binaryLogarithm * Double(width - 1)
      let column = margin - 1 + Int(position.rounded())
      guard column > text.count else { continue }
      text = text.padded(toCells: column) + mark.name
    }
    return text + " Hz"
  }
}
