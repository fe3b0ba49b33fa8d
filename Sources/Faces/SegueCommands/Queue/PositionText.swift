/// Positions as the user reads and writes them, counted from 1.
enum PositionText {
  /// "12-16", "3", "3,5,9-12" for positions from 0.
  static func text(_ positions: [Range<Int>]) -> String {
    positions.filter { !$0.isEmpty }.map { text($0) }.joined(separator: ",")
  }

  /// "12-16" or "3" for positions from 0.
  static func text(_ positions: Range<Int>) -> String {
    positions.count == 1
      ? "\(positions.lowerBound + 1)" : "\(positions.lowerBound + 1)-\(positions.upperBound)"
  }

  /// " at 12-16" for positions from 0; nothing where none are named.
  static func place(_ positions: Range<Int>?) -> String { positions.map { " at \(text($0))" } ?? "" }
}
