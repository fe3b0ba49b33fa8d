// SPDX-License-Identifier: GPL-3.0-or-later

/// How far a name is from what was typed, for "did you mean".
public enum Likeness {
  /// The names that are most like `query`, best first: indices into `names`, at most `limit`.
  ///
  /// A name is like it where it, or its beginning, differs by no more than a third of the query's letters; a
  /// query of one or two letters is like nothing. Texts are folded; of long ones the first 64 scalars count.
  public static func nearest(to query: String, in names: [String], limit: Int = 3) -> [Int] {
    let wanted = Array(query.unicodeScalars.prefix(64))
    guard wanted.count >= 3 else { return [] }
    let most = wanted.count / 3
    return names.enumerated().compactMap { index, name -> (distance: Int, index: Int)? in
      let distance = distance(wanted, Array(name.unicodeScalars.prefix(64)))
      return distance <= most ? (distance, index) : nil
    }
    .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
    .prefix(limit).map(\.index)
  }

  /// The fewest letters to insert, drop, replace, or swap with their neighbour, to make `query` of `name`, or, as
  /// if it were one letter further off, of a beginning of it.
  static func distance(_ query: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...query.count)
    var nearestBeginning = Int.max
    for (row, letter) in name.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(query.count + 1)
      for (column, wanted) in query.enumerated() {
        var cost = min(last[column] + (letter == wanted ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == query[column - 1], name[row - 1] == wanted {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
      nearestBeginning = min(nearestBeginning, last[query.count])
    }
    let whole = last[query.count]
    return nearestBeginning < whole ? min(whole, nearestBeginning + 1) : whole
  }
}
