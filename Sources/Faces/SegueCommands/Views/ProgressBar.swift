/// How much of something is done, as a line of a given width.
enum ProgressBar {
  /// A bar of `cells` cells, of which `share` (0 to 1) is full; empty where the share is unknown.
  static func text(share: Double?, cells: Int) -> String {
    guard cells > 0 else { return "" }
    let clamped = min(max(share ?? 0, 0), 1)
    let full = Int((clamped.isNaN ? 0 : clamped) * Double(cells))
    return String(repeating: "━", count: full)
      + String(repeating: "─", count: cells - full)
  }
}
