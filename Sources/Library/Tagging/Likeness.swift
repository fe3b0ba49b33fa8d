// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the names that are most similar to what a user typed, for "did you mean".
public enum Likeness {
  /// Returns the names that are most similar to `query`, the best first, as at most `limit` indexes into `names`.
  ///
  /// A name is similar if it, or its beginning, differs from the query by at most a third of the query's letters. No
  /// name is similar to a query of one or two letters. Pass folded text; only the first 64 scalars are compared.
  public static func nearest(to query: String, in names: [String], limit: Int = 3) -> [Int] {
    let letters = Array(query.unicodeScalars.prefix(64))
    guard letters.count >= 3 else { return [] }
    let maximum = letters.count / 3
    return names.enumerated().compactMap { index, name -> (distance: Int, index: Int)? in
      let distance = distance(letters, Array(name.unicodeScalars.prefix(64)))
      return distance <= maximum ? (distance, index) : nil
    }
    .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
    .prefix(limit).map(\.index)
  }

  /// Returns the edit distance: the lowest number of letters to insert, delete, replace, or swap with their neighbours
  /// to turn one string into the other. The query may instead match the beginning of `name`, which counts as one more
  /// letter.
  static func distance(_ query: [Unicode.Scalar], _ name: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...query.count)
    var nearestBeginning = Int.max
    for (row, letter) in name.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(query.count + 1)
      for (column, queryLetter) in query.enumerated() {
        var cost = min(last[column] + (letter == queryLetter ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == query[column - 1], name[row - 1] == queryLetter {
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
