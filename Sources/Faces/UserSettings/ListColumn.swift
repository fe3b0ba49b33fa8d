// SPDX-License-Identifier: GPL-3.0-or-later

/// A column of a list on the full screen, as the table `[columns]` names it.
package enum ListColumn: String, CaseIterable, Sendable {
  case number, title, artist, album, year, added, plays, skips, played, detail, rating, time

  /// A column with the width that the user has chosen.
  package struct Choice: Equatable, Sendable {
    package let column: ListColumn
    /// The number of cells; `nil` if the column shares what the others leave.
    package let cells: Int?
    /// The share of what columns without a fixed width leave; 0 for those with one.
    package let share: Int

    package init(_ column: ListColumn, cells: Int) {
      (self.column, self.cells, share) = (column, cells, 0)
    }

    package init(_ column: ListColumn, share: Int) {
      (self.column, cells, self.share) = (column, nil, share)
    }
  }

  /// The columns of lists for which the user has chosen none, by the names of these.
  package static let defaults = [
    "queue": "number title*5 artist*3 album*3 rating time",
    "albums": "title*4 artist*3 detail time",
    "album": "detail:5 title*4 artist*3 rating time",
    "songs": "title*5 artist*3 album*3 rating time",
    "playlist": "number title*5 artist*3 album*3 rating time",
    "directory": "title*5 artist*3 rating time",
    "search": "detail title*5 artist*3 album*3 rating time",
  ]

  /// The number of cells of the column, unless it shares what others leave.
  package var defaultCells: Int? {
    switch self {
    case .title, .artist, .album: nil
    case .number, .year, .plays, .skips: 5
    case .detail, .rating: 6
    case .time: 7
    case .added, .played: 10
    }
  }

  /// Returns the columns that a text names, from left to right: words such as `title`, `artist:20` (cells) and
  /// `album*2` (a share of what is left). Returns `nil` if it names none, or one that there is not.
  package static func choices(_ text: String) -> [Choice]? {
    let words = text.split(whereSeparator: \.isWhitespace)
    let choices = words.compactMap { choice(String($0)) }
    return choices.isEmpty || choices.count != words.count ? nil : choices
  }

  private static func choice(_ word: String) -> Choice? {
    let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == ":" || $0 == "*" }
    guard let column = parts.first.flatMap({ ListColumn(rawValue: String($0)) }) else { return nil }
    guard parts.count == 2 else {
      return column.defaultCells.map { Choice(column, cells: $0) } ?? Choice(column, share: column == .title ? 4 : 3)
    }
    guard let number = Int(parts[1]), (1...200).contains(number) else { return nil }
    return word.contains("*") ? Choice(column, share: number) : Choice(column, cells: number)
  }
}
