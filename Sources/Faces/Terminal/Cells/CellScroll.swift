// SPDX-License-Identifier: GPL-3.0-or-later

import CoverDrawing
import Platform

/// A block of rows that a terminal scrolls, so that most of what has moved need not be written again.
struct CellScroll: Equatable {
  /// The number of changed rows, and of changed cells in each of them, by which the distance is found.
  private static let sampleSize = 8

  /// The rows of the block.
  let rows: Range<Int>
  /// The number of rows by which they are scrolled up; negative if they are scrolled down.
  let distance: Int

  /// Finds the block after which a terminal that shows `old` is closest to `new`; `nil` if nothing seems to have moved.
  /// Rows with pictures are not scrolled.
  ///
  /// - Parameter changed: The rows that differ.
  init?(from old: CellGrid, to new: CellGrid, changed: [Int]) {
    let all = 0..<new.size.rows
    guard changed.count > 2, let first = changed.first, let last = changed.last else { return nil }
    let samples = changed.spread(Self.sampleSize).flatMap { row in
      (0..<new.size.columns).filter { new[row, $0] != old[row, $0] && new[row, $0] != .blank }
        .spread(Self.sampleSize).map { (row: row, column: $0) }
    }
    let distances = (1...last - first).flatMap { [$0, -$0] }
    let matches = distances.map { distance in
      samples.count { all.contains($0.row + distance) && old[$0.row + distance, $0.column] == new[$0.row, $0.column] }
    }
    guard let most = matches.max(), most > samples.count / 4, let index = matches.firstIndex(of: most) else {
      return nil
    }
    distance = distances[index]
    let pictures = (old.pictures + new.pictures).map { $0.row..<$0.row + $0.picture.rows }
    // The successive rows that win most cells.
    var (best, end) = (0, all.lowerBound..<all.lowerBound)
    var (gain, start) = (0, all.lowerBound)
    for row in all {
      gain +=
        all.contains(row + distance) ? old.matches(row + distance, new, row) - old.matches(row, new, row) : .min / 2
      if gain <= 0 { (gain, start) = (0, row + 1) }
      if gain > best { (best, end) = (gain, start..<row + 1) }
    }
    rows = min(end.lowerBound, end.lowerBound + distance)..<max(end.upperBound, end.upperBound + distance)
    guard best > 0, !pictures.contains(where: { $0.overlaps(rows) }) else { return nil }
  }
}

extension CellGrid {
  /// Returns the number of cells of a row that are equal to those of a row in `other`.
  fileprivate func matches(_ row: Int, _ other: CellGrid, _ otherRow: Int) -> Int {
    zip(cells(ofRow: row), other.cells(ofRow: otherRow)).count { $0 == $1 }
  }
}

extension [Int] {
  /// Returns at most `limit` of the numbers, evenly spread.
  fileprivate func spread(_ limit: Int) -> [Int] {
    count <= limit ? self : (0..<limit).map { self[$0 * count / limit] }
  }
}
