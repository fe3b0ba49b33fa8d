// SPDX-License-Identifier: GPL-3.0-or-later

import PlayerPort
import Terminal
import UnicodeText
import UserSettings

/// The columns of a list.
struct ListColumns {
  /// What a column shows.
  enum Kind {
    case number
    case title
    case artist
    case album
    case detail
    case rating
    case time

    func text(of row: ListRow, number: Int) -> String {
      switch self {
      case .number: "\(number + 1)"
      case .title: row.isContainer && row.target.isDirectory ? row.title + "/" : row.title
      case .artist: row.artist
      case .album: row.album
      case .detail: row.detail
      case .rating: Self.stars(row.rating)
      case .time: row.isMissing ? "missing" : row.duration.map { TimeText.text($0) } ?? ""
      }
    }

    /// Returns the heading of the column in a list.
    func heading(in content: ListContent) -> String {
      switch (self, content) {
      case (.number, _): "#"
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
      case (.detail, .albums): "Year"
      case (.detail, .album): "#"
      case (.detail, _): ""
      case (.rating, _): "Rating"
      case (.time, _): "Time"
      }
    }

    static func stars(_ rating: Int?) -> String {
      guard let rating, rating > 0 else { return "" }
      let stars = min(5, (rating + 1) / 2)
      return String(repeating: "★", count: stars) + String(repeating: "☆", count: 5 - stars)
    }
  }

  /// A column, and the cells that it takes.
  struct Column {
    let kind: Kind
    let columns: Range<Int>
    let alignment: CellAlignment
    let role: Palette.Role?
  }

  private(set) var all: [Column] = []

  /// Creates the columns of a list in a terminal of `width`. Those of less importance are left out if it is narrow.
  init(_ content: ListContent, width: Int) {
    let fields: [(kind: Kind, cells: Int, share: Int)]
    let (isWide, isMedium) = (width >= 80, width >= 50)
    let (rating, time): ((Kind, Int, Int), (Kind, Int, Int)) = (
      (.rating, 6, 0), (.time, width >= 50 ? 7 : width >= 30 ? 5 : 4, 0)
    )
    switch content {
    case .queue, .playlist:
      fields = [(.number, 5, 0), (.title, 0, 4), (.artist, 0, 3), (.album, 0, 3), rating, time]
    case .search:
      fields = [(.detail, 6, 0), (.title, 0, 4), (.artist, 0, 3), (.album, 0, 3), rating, time]
    case .songs: fields = [(.title, 0, 4), (.artist, 0, 3), (.album, 0, 3), rating, time]
    case .album: fields = [(.detail, 5, 0), (.title, 0, 4), (.artist, 0, 3), rating, time]
    case .albums: fields = [(.title, 0, 4), (.artist, 0, 3), (.detail, 6, 0), time]
    case .directory: fields = [(.title, 0, 5), (.artist, 0, 3), rating, time]
    case .artists, .genres, .years, .playlists: fields = [(.title, 0, 1), (.detail, 22, 0)]
    case .outputs: fields = [(.title, 0, 1), (.artist, 0, 2)]
    }
    let shown = fields.filter { field in
      switch field.kind {
      case .album: isWide
      case .rating, .number: isMedium
      case .artist: width >= 40
      case .detail: width >= (field.cells < 6 ? 30 : 40)
      case .time: width >= 20
      case .title: true
      }
    }
    let fixed = shown.reduce(0) { $0 + $1.cells } + 2 * max(0, shown.count - 1)
    let shares = max(1, shown.reduce(0) { $0 + $1.share })
    var rest = max(0, width - 4 - fixed)
    let unit = Double(rest) / Double(shares)
    var start = 3
    for (index, field) in shown.enumerated() {
      var cells = field.cells
      if field.share > 0 {
        let isLastFlexible = !shown[(index + 1)...].contains { $0.share > 0 }
        cells = isLastFlexible ? rest : min(rest, Int((Double(field.share) * unit).rounded()))
        rest -= cells
      }
      all.append(
        Column(
          kind: field.kind, columns: start..<start + cells, alignment: field.kind.alignment, role: field.kind.role))
      start += cells + 2
    }
  }
}

extension ListColumns.Kind {
  fileprivate var alignment: CellAlignment {
    switch self {
    case .number, .detail, .time: .right
    case .title, .artist, .album, .rating: .left
    }
  }

  fileprivate var role: Palette.Role? {
    switch self {
    case .title: nil
    case .artist: .artist
    case .number, .album, .detail, .time: .faint
    case .rating: .mark
    }
  }
}

extension ListTarget {
  fileprivate var isDirectory: Bool { if case .directory = self { true } else { false } }
}
