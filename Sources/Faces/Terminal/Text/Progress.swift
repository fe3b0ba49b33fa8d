/// How much of something is done, as a line of a given width.
package enum ProgressBar {
  /// A bar of `cells` cells, of which `share` (0 to 1) is full; empty where the share is unknown.
  package static func text(share: Double?, cells: Int) -> String {
    guard cells > 0 else { return "" }
    let clamped = min(max(share ?? 0, 0), 1)
    let full = Int((clamped.isNaN ? 0 : clamped) * Double(cells))
    return String(repeating: "━", count: full)
      + String(repeating: "─", count: cells - full)
  }
}

/// When progress is told in lines: every 10 percent, but at most once a second, and else every 5 seconds.
package struct PlainProgress {
  private static let step = 10
  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.seconds(5)

  private var toldShare = 0
  private var toldTime = Duration.zero

  /// Nothing was reported yet.
  package init() {}

  /// Whether a line is due where `share` (0 to 1, as far as that is known) is done after so long; from now on it counts
  /// as told.
  package mutating func isDue(share: Double?, after elapsed: Duration) -> Bool {
    let percent = share.map { Int(min(max($0.isNaN ? 0 : $0, 0), 1) * 100) }
    // Another reading has begun.
    if elapsed < toldTime { self = PlainProgress() }
    let waited = elapsed - toldTime
    let isFurther = percent.map { $0 / Self.step > toldShare / Self.step } ?? false
    guard waited >= Self.longest || (isFurther && waited >= Self.shortest) else { return false }
    toldTime = elapsed
    toldShare = percent ?? toldShare
    return true
  }
}
