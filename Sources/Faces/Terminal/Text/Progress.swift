// SPDX-License-Identifier: GPL-3.0-or-later

/// A progress bar.
package enum ProgressBar {
  /// Returns a bar of `cells` cells, filled to the fraction `share` (0 to 1); empty if that is unknown.
  package static func text(share: Double?, cells: Int) -> String {
    guard cells > 0 else { return "" }
    let clamped = min(max(share ?? 0, 0), 1)
    let full = Int((clamped.isNaN ? 0 : clamped) * Double(cells))
    return String(repeating: "━", count: full)
      + String(repeating: "─", count: cells - full)
  }
}

/// Decides when progress is printed as a line: every 10 percent, but at most once a second, and at least every 5
/// seconds.
package struct PlainProgress {
  private static let step = 10
  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.seconds(5)

  private var toldShare = 0
  private var toldTime = Duration.zero

  /// Creates the state before any report.
  package init() {}

  /// Returns whether a line is due when `share` (0 to 1, if known) is done after this time; if so, it counts as
  /// printed.
  package mutating func isDue(share: Double?, after elapsed: Duration) -> Bool {
    let percent = share.map { Int(min(max($0.isNaN ? 0 : $0, 0), 1) * 100) }
    // Another scan has begun.
    if elapsed < toldTime { self = PlainProgress() }
    let waited = elapsed - toldTime
    let isFurther = percent.map { $0 / Self.step > toldShare / Self.step } ?? false
    guard waited >= Self.longest || (isFurther && waited >= Self.shortest) else { return false }
    toldTime = elapsed
    toldShare = percent ?? toldShare
    return true
  }
}
