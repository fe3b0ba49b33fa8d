// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging
import UnicodeText

/// The questions about lists. Each is answered on the thread that asks it.
extension LocalPlayer {
  /// The number of rows that are read at a time when text is searched in a list.
  private static let searchStep = 512
  /// The maximum number of rows that are searched for text.
  private static let searchLimit = 100_000

  package func answer(_ request: ListRequest) throws(PlayerError) -> ListAnswer {
    let library = request.library
    switch request.question {
    case .page(let content, let offset, let limit):
      let (offset, limit) = (max(0, offset), max(0, min(limit, Self.searchLimit)))
      return .page(try page(of: content, library, offset, limit))
    case .letter(let text, let content):
      guard let letter = text.first else { return .position(nil) }
      return .position(try lists(library).position(of: letter, in: content))
    case .text(let text, let content, let row, let backward):
      return .position(try position(of: text, in: content, library, after: row, backward: backward))
    case .rating(let path): return .rating(present(library)?.rating(of: Track(path: path.path, title: "")))
    case .albumPath(let id):
      let index = try index(library)
      let album = try Self.reading { () throws(LibraryError) in try index.album(id) }
      return .path((album?.tracks.first?.path).map { PathText($0) })
    }
  }

  private func page(
    of content: ListContent, _ library: LibraryChoice?, _ offset: Int, _ limit: Int
  ) throws(PlayerError) -> ListPage {
    switch content {
    case .queue: try queuePage(library, offset, limit)
    case .outputs: ListPage(outputs, offset, limit)
    case .playlists: ListPage(try playlists(library).rows(), offset, limit)
    case .playlist(let name): ListPage(try playlists(library).rows(of: name), offset, limit)
    case .albums, .album, .artists, .songs, .genres, .years, .directory, .search:
      try lists(library).page(of: content, offset: offset, limit: limit)
    }
  }

  private func queuePage(_ library: LibraryChoice?, _ offset: Int, _ limit: Int) throws(PlayerError) -> ListPage {
    let (end, overflows) = offset.addingReportingOverflow(limit)
    let page = try queue(offset..<(overflows ? .max : end))
    let lists = present(library)
    let rows = page.rows.map { item in
      var row = ListRow(.item(item.id), item.track, rating: lists?.rating(of: item.track))
      row.isMissing = item.isMissing
      return row
    }
    return ListPage(offset: offset, rows: rows, count: page.summary.count)
  }

  private var outputs: [ListRow] {
    let status = snapshot.status
    let isOn = status.isOutputEnabled ?? true
    return [
      ListRow(
        .output(status.output?.name ?? ""), title: status.output?.name ?? "no output is open",
        artist: isOn ? "on" : "off")
    ]
  }

  private func position(
    of text: String, in content: ListContent, _ library: LibraryChoice?, after row: Int, backward: Bool
  ) throws(PlayerError) -> Int? {
    let wanted = text.foldedForMatching
    let step = content.isReadWhole ? Self.searchLimit : Self.searchStep
    guard !wanted.isEmpty else { return nil }
    var (count, offset) = (Self.searchLimit, 0)
    var matches: [Int] = []
    while offset < count {
      defer { offset += step }
      let page = try page(of: content, library, offset, step)
      count = min(page.count, count)
      for (index, found) in page.rows.enumerated()
      where [found.title, found.artist, found.album].contains(where: { $0.foldedForMatching.contains(wanted) }) {
        matches.append(offset + index)
      }
      if !backward, let last = matches.last, last > row { break }
    }
    return backward
      ? matches.last { $0 < row } ?? matches.last : matches.first { $0 > row } ?? matches.first
  }

  /// Returns the lists of the library that `choice` means. Creates its index if there is none.
  private func lists(_ choice: LibraryChoice?) throws(PlayerError) -> LibraryLists {
    LibraryLists(index: try index(choice), counts: counts(choice))
  }

  /// Returns the lists of the library that `choice` means; `nil` if it has no index, or that cannot be read.
  private func present(_ choice: LibraryChoice?) -> LibraryLists? {
    presentIndex(choice).map { LibraryLists(index: $0, counts: counts(choice)) }
  }
}

extension ListContent {
  /// Whether the rows are all read, however few are wanted.
  fileprivate var isReadWhole: Bool {
    switch self {
    case .playlists, .playlist, .album, .directory, .years, .outputs: true
    case .queue, .albums, .artists, .songs, .genres, .search: false
    }
  }
}
