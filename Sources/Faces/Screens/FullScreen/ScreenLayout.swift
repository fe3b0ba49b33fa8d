// SPDX-License-Identifier: GPL-3.0-or-later

import Platform

/// Where the parts of a full screen are, for the size of a terminal. Rows and columns are counted from 0. On small
/// terminals, the list remains, and other parts are left out.
struct ScreenLayout: Equatable, Sendable {
  let size: TerminalSize

  /// The row with the names of the screens; `nil` if there is no room for it.
  var tabRow: Int? { size.rows >= 8 ? 0 : nil }
  /// The row with the title of the list; `nil` if there is no room for it.
  var titleRow: Int? { size.rows >= 8 ? 1 : size.rows >= 4 ? 0 : nil }
  /// The rows of the list, or of what else the screen shows.
  var listRows: Range<Int> {
    let first = (titleRow ?? -1) + 1
    return first..<max(first + 1, playerRow ?? size.rows)
  }
  /// The number of rows of the list.
  var listHeight: Int { listRows.count }
  /// The row with the title of what is playing; `nil` if there is no room for it.
  var playerRow: Int? { size.rows >= 5 ? size.rows - (size.rows >= 7 ? 3 : 2) : nil }
  /// The row with the progress of the track; `nil` if there is no room for it.
  var progressRow: Int? { size.rows >= 7 ? size.rows - 2 : nil }
  /// The row for messages, prompts and hints. On a small terminal, it shows the title of what is playing, unless there
  /// is something to say.
  var messageRow: Int { size.rows - 1 }

  /// The columns of the bar in the row with the progress.
  var barColumns: Range<Int> {
    let left = size.columns >= 30 ? 9 : 1
    let right = size.columns >= 60 ? size.columns - 26 : size.columns >= 30 ? size.columns - 9 : size.columns - 1
    return left..<max(left, right)
  }

  /// Returns the fraction of the track that a cell of the bar stands for; `nil` if the cell is not in the bar.
  func progressFraction(row: Int, column: Int) -> Double? {
    guard row == progressRow, barColumns.contains(column) else { return nil }
    return (Double(column - barColumns.lowerBound) + 0.5) / Double(barColumns.count)
  }
}
