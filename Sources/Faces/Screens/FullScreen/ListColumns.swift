// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// The columns of a list.
struct ListColumns {
  /// A column, and the cells that it takes.
  struct Column {
    let kind: ListColumn
    let columns: Range<Int>
    var alignment: CellAlignment { kind.alignment }
    var role: Palette.Role? { kind.role }
  }

  private(set) var all: [Column] = []

  /// Creates the columns of a list in an area of `width`: those that the user has chosen or, without any, those of the
  /// list, of which the less important ones are left out if there is little room. The value by which the list is sorted
  /// is among them.
  init(_ view: ListView, width: Int, chosen: [ListColumn.Choice]? = nil) {
    var shown = chosen ?? Self.ownColumns(view.content, width: width)
    if let column = view.order?.column, !shown.contains(where: { $0.column == column }), width >= 60,
      let cells = column.defaultCells
    {
      let index = shown.firstIndex { $0.column == .rating || $0.column == .time } ?? shown.endIndex
      shown.insert(ListColumn.Choice(column, cells: cells), at: index)
    }
    let fixed = shown.reduce(0) { $0 + ($1.cells ?? 0) } + 2 * max(0, shown.count - 1)
    let shares = max(1, shown.reduce(0) { $0 + $1.share })
    var rest = max(0, width - 4 - fixed)
    let unit = Double(rest) / Double(shares)
    var start = 3
    for (index, choice) in shown.enumerated() {
      var cells = choice.cells ?? 0
      if choice.share > 0 {
        let isLastFlexible = !shown[(index + 1)...].contains { $0.share > 0 }
        cells = isLastFlexible ? rest : min(rest, Int((Double(choice.share) * unit).rounded()))
        rest -= cells
      }
      all.append(Column(kind: choice.column, columns: start..<start + cells))
      start += cells + 2
    }
  }

  private static let defaults = ListColumn.defaults.compactMapValues(ListColumn.choices)

  private static func ownColumns(_ content: ListContent, width: Int) -> [ListColumn.Choice] {
    let columns: [ListColumn.Choice] =
      switch content {
      case .artists, .genres, .years, .playlists: [.init(.title, share: 4), .init(.detail, cells: 22)]
      case .outputs: [.init(.title, share: 4), .init(.artist, share: 8)]
      default: defaults[content.kindName] ?? []
      }
    let shown = columns.filter { choice in
      switch choice.column {
      case .album: width >= 80
      case .rating, .number: width >= 50
      case .artist: width >= 40
      case .detail: width >= (choice.cells ?? 0 < 6 ? 30 : 40)
      case .time: width >= 20
      case .title, .year, .added, .plays, .skips, .played: true
      }
    }
    // Few tracks need more than five cells for their time.
    return shown.map { $0.column == .time && width < 50 ? .init(.time, cells: width < 30 ? 4 : 5) : $0 }
  }
}

extension ListOrder {
  /// The column with the value by which the list is sorted; `nil` if every list shows it, or if there is none.
  fileprivate var column: ListColumn? {
    switch key {
    case .year: .year
    case .added: .added
    case .plays: .plays
    case .skips: .skips
    case .played: .played
    case .rating: .rating
    case .name, .artist, .duration, .random: nil
    }
  }
}

extension ListColumn {
  func text(of row: ListRow, number: Int) -> String {
    switch self {
    case .number: "\(number + 1)"
    case .title: row.isContainer && row.target.isDirectory ? row.title + "/" : row.title
    case .artist: row.artist
    case .album: row.album
    case .year: row.year.map { "\($0)" } ?? ""
    case .added: Self.day(row.added)
    case .played: Self.day(row.lastPlayed)
    case .plays: row.plays.map { "\($0)" } ?? ""
    case .skips: row.skips.map { "\($0)" } ?? ""
    case .detail: row.detail
    case .rating: Self.stars(row.rating) + (row.isLiked == true ? "♥" : "")
    case .time: row.isMissing ? "missing" : row.duration.map { TimeText.text($0) } ?? ""
    }
  }

  /// Returns the heading of the column in a list.
  func heading(in content: ListContent) -> String {
    switch (self, content) {
    case (.number, _), (.detail, .album): "#"
    case (.title, .albums): "Album"
    case (.title, .artists): "Artist"
    case (.title, .genres): "Genre"
    case (.title, .years): "Year"
    case (.title, .playlists): "Playlist"
    case (.title, .outputs): "Output"
    case (.title, .directory): "Name"
    case (.title, _): "Title"
    case (.artist, .outputs): ""
    case (.artist, _): "Artist"
    case (.album, _): "Album"
    case (.year, _), (.detail, .albums): "Year"
    case (.added, _): "Added"
    case (.plays, _): "Plays"
    case (.skips, _): "Skips"
    case (.played, _): "Played"
    case (.detail, _): ""
    case (.rating, _): "Rating"
    case (.time, _): "Time"
    }
  }

  /// Returns the day of a time in seconds since 1970, or an empty text.
  private static func day(_ time: Int64?) -> String {
    time.flatMap { LocalTime(secondsSince1970: $0)?.day.text } ?? ""
  }

  static func stars(_ rating: Int?) -> String {
    guard let rating, rating > 0 else { return "" }
    let stars = min(5, (rating + 1) / 2)
    return String(repeating: "★", count: stars) + String(repeating: "☆", count: 5 - stars)
  }

  fileprivate var alignment: CellAlignment {
    switch self {
    case .number, .detail, .time, .year, .plays, .skips, .added, .played: .right
    case .title, .artist, .album, .rating: .left
    }
  }

  fileprivate var role: Palette.Role? {
    switch self {
    case .title: nil
    case .artist: .artist
    case .number, .album, .detail, .time, .year, .plays, .skips, .added, .played: .faint
    case .rating: .mark
    }
  }
}

extension ListTarget {
  fileprivate var isDirectory: Bool { if case .directory = self { true } else { false } }
}
