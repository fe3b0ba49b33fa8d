// SPDX-License-Identifier: GPL-3.0-or-later

/// Draws a progress bar.
package enum ProgressBar {
  /// Returns a bar that is `cells` cells wide. It is filled up to `fraction`, which is from 0 to 1; if that is unknown
  /// (`nil`), the bar is empty.
  package static func text(fraction: Double?, cells: Int) -> String {
    guard cells > 0 else { return "" }
    let clamped = min(max(fraction ?? 0, 0), 1)
    let filledCells = Int((clamped.isNaN ? 0 : clamped) * Double(cells))
    return String(repeating: "━", count: filledCells)
      + String(repeating: "─", count: cells - filledCells)
  }
}

/// Decides when to print progress as a line of its own: at each further 10 percent, but not within a second of the last
/// line, and after 5 seconds in any case.
package struct PlainProgress {
  private static let step = 10
  private static let minimumInterval = Duration.seconds(1)
  private static let maximumInterval = Duration.seconds(5)

  private var reportedPercent = 0
  private var reportTime = Duration.zero

  /// Creates the state before the first line.
  package init() {}

  /// Returns whether a line is due, and if so, counts it as printed.
  ///
  /// - Parameters:
  ///   - fraction: The fraction that is done, from 0 to 1; `nil` if unknown.
  ///   - elapsed: The time since the operation began.
  package mutating func isDue(fraction: Double?, after elapsed: Duration) -> Bool {
    let percent = fraction.map { Int(min(max($0.isNaN ? 0 : $0, 0), 1) * 100) }
    // The time has gone back, so another operation has begun.
    if elapsed < reportTime { self = PlainProgress() }
    let interval = elapsed - reportTime
    let hasReachedStep = percent.map { $0 / Self.step > reportedPercent / Self.step } ?? false
    guard interval >= Self.maximumInterval || (hasReachedStep && interval >= Self.minimumInterval) else { return false }
    reportTime = elapsed
    reportedPercent = percent ?? reportedPercent
    return true
  }
}
