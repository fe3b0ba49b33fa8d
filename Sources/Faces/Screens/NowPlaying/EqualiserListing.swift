// SPDX-License-Identifier: GPL-3.0-or-later

import Equalising
package import PlayerPort
package import Terminal
import UnicodeText
package import UserSettings

/// Formats what the equaliser is set to as lines of text.
package enum EqualiserListing {
  /// Returns the lines in a style, at most `columns` cells wide; `nil` means any width.
  package static func lines(
    _ report: EqualiserReport, columns: Int?, _ style: OutputStyle = OutputStyle(), palette: Palette = .plain
  ) -> [String] {
    guard let shown = report.shown else { return [report.text.safeForTerminal] }
    let profile = shown.profile
    let preamp = "\(decibels(profile.effectivePreamp))\(profile.preamp == nil ? " (automatic)" : "")"
    let crossfeed = shown.name == report.chosen ? report.crossfeed?.rawValue : nil
    if style.isPlain {
      return ["profile: \(title(report))".safeForTerminal]
        + (crossfeed.map { ["crossfeed: \($0)"] } ?? []) + ["preamp: \(preamp)"]
        + profile.filters.enumerated().map { number, filter in
          "band \(number + 1): \(cells(number, filter).dropFirst().joined(separator: " "))"
        }
    }
    let table = Table(alignments: [.right, .left, .right, .right, .left], flexible: [])
    let curve = EqualiserCurve.lines(profile, columns: columns ?? 80, isASCII: style.isASCII)
    let lines =
      [""] + curve + [""] + (crossfeed.map { ["  crossfeed \($0)"] } ?? []) + ["  preamp \(preamp)"]
      + table.lines(profile.filters.enumerated().map { cells($0, $1) }, columns: nil).map { "  " + $0 }
    return [palette[.title].applied(to: truncated(title(report).safeForTerminal, columns))]
      + lines.map { truncated($0, columns) }
  }

  /// The name of the profile, and the outputs to which it belongs.
  private static func title(_ report: EqualiserReport) -> String {
    guard let shown = report.shown else { return "" }
    var words = [shown.name]
    let outputs = report.profiles.first { $0.name == shown.name }?.outputs ?? []
    if !outputs.isEmpty { words.append("on \(outputs.joined(separator: ", "))") }
    if shown.name == report.chosen, report.isBypassed { words.append("(bypassed)") }
    return words.joined(separator: " ")
  }

  private static func cells(_ number: Int, _ filter: EqualiserFilter) -> [String] {
    [
      "\(number + 1)", filter.kind.rawValue, "\(EqualiserWriter.number(filter.frequency)) Hz",
      filter.kind.hasGain ? decibels(filter.gain) : "", filter.width.text,
    ]
  }

  /// Returns a gain such as "+2.5 dB", rounded to tenths.
  static func decibels(_ gain: Double) -> String {
    let rounded = (gain * 10).rounded() / 10
    return "\(rounded > 0 ? "+" : "")\(EqualiserWriter.number(rounded)) dB"
  }

  private static func truncated(_ line: String, _ columns: Int?) -> String {
    columns.map { line.truncated(toCells: $0) } ?? line
  }
}
