// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
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
    case .page(let view, let offset, let limit):
      let (offset, limit) = (max(0, offset), max(0, min(limit, Self.searchLimit)))
      return .page(try page(of: view, library, offset, limit))
    case .letter(let text, let view):
      guard let letter = text.first else { return .position(nil) }
      return .position(try position(of: letter, in: view, library))
    case .text(let text, let view, let row, let backward):
      return .position(try position(of: text, in: view, library, after: row, backward: backward))
    case .rating(let path): return .rating(present(library)?.rating(of: Track(path: path.path, title: "")))
    case .albumPath(let id):
      let index = try index(library)
      let album = try Self.reading { () throws(LibraryError) in try index.album(id) }
      return .path((album?.tracks.first?.path).map { PathText($0) })
    case .origin(let target): return .origin(try origin(of: target, library))
    case .information(let name): return .information(try information(of: name, library))
    case .tracks(let music):
      let found = try find(music, adds: true).collection.tracks
      return .tracks(found.prefix(PlayerLists.trackLimit).map { TrackRow($0) })
    }
  }

  private func origin(of target: ListTarget, _ library: LibraryChoice?) throws(PlayerError) -> TrackOrigin? {
    let track: Track
    switch target {
    case .track(_, let path), .file(let path, _): track = Track(path: path.path, title: "")
    case .item(let id):
      let queue = parts.queue.queue
      guard let position = queue.position(of: PlayQueue.Item.ID(rawValue: id)) else { throw .missing }
      track = queue.items[position].track
    case .album, .artist, .genre, .year, .playlist, .directory, .output: return nil
    }
    let index = try index(library)
    let origin = try Self.reading { () throws(LibraryError) in
      try index.browse(isQuick: true) { browser -> TrackOrigin? in
        var id: Int64?
        if case .track(let known, _) = target { id = known }
        if id == nil { id = try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) } }
        guard let id, let found = try browser.origin(ofTrack: id) else { return nil }
        return TrackOrigin(
          album: found.album, albumTitle: found.title, artists: found.artists, albumArtists: found.albumArtists)
      }
    }
    return origin ?? nil
  }

  func page(
    of view: ListView, _ library: LibraryChoice?, _ offset: Int, _ limit: Int, hasMarks: Bool = true
  ) throws(PlayerError) -> ListPage {
    switch view.content {
    case .queue: return queuePage(view, library, offset, limit, hasMarks: hasMarks)
    case .outputs: return ListPage(view.arranged(outputs), offset, limit)
    case .playlists: return ListPage(view.arranged(try playlists(library).rows()), offset, limit)
    case .playlist(let name):
      if let lists = try smartLists(name, library) {
        return try lists.page(
          try lists.ids(of: view, ofSmartPlaylist: name), offset: offset, limit: limit, hasMarks: hasMarks)
      }
      let (rows, tracks) = try entries(of: name, view, library)
      var page = ListPage(rows, offset, limit)
      if hasMarks { page.rows = marked(page.rows, tracks, library) }
      return page
    case .albums, .album, .artists, .songs, .genres, .years, .directory, .search:
      return try lists(library).page(of: view, offset: offset, limit: limit, hasMarks: hasMarks)
    }
  }

  /// Returns the lists of the library with the playlist `name`, if it is a smart one; otherwise `nil`.
  func smartLists(_ name: String, _ library: LibraryChoice?) throws(PlayerError) -> LibraryLists? {
    guard try playlists(library).isSmart(name) else { return nil }
    return try lists(library)
  }

  /// Returns the rows of a playlist, narrowed and in order, and the tracks to which their targets refer by number.
  func entries(
    of name: String, _ view: ListView, _ library: LibraryChoice?
  ) throws(PlayerError) -> (rows: [ListRow], tracks: TrackList) {
    let (rows, tracks) = try playlists(library).rows(of: name)
    return (view.arranged(view.needsMarks ? marked(rows, tracks, library) : rows), tracks)
  }

  private func marked(_ rows: [ListRow], _ tracks: TrackList, _ library: LibraryChoice?) -> [ListRow] {
    present(library)?.marked(rows) { position in
      guard case .file(_, let number) = rows[position].target else { return nil }
      return tracks[number]
    } ?? rows
  }

  private func queuePage(
    _ view: ListView, _ library: LibraryChoice?, _ offset: Int, _ limit: Int, hasMarks: Bool
  ) -> ListPage {
    let (queue, state) = (parts.queue.queue, parts.playback.state)
    let positions = RowFilter(view.filter).map { filteredQueue.positions(in: queue, $0) }
    let count = positions?.count ?? queue.items.count
    let (end, overflows) = offset.addingReportingOverflow(limit)
    let items = (min(offset, count)..<min(overflows ? count : end, count)).map { row in
      let item = queue.items[positions.map { $0[row] } ?? row]
      return (item: item, track: item.track.described(by: state.sourceText(of: item)))
    }
    let rows = items.map { item, track in
      var row = ListRow(.item(item.id.rawValue), track)
      row.isMissing = item.isMissing
      row.isRefill = item.isRefill ? true : nil
      return row
    }
    let lists = hasMarks ? present(library) : nil
    var page = ListPage(offset: offset, rows: lists?.marked(rows) { items[$0].track } ?? rows, count: count)
    if positions == nil {
      let summary = QueueSummary(queue)
      page.durations = QueueDurations(
        all: .seconds(summary.seconds), remaining: summary.secondsLeft.map { .seconds($0) + queue.elapsed })
    }
    return page
  }

  private func position(
    of letter: Character, in view: ListView, _ library: LibraryChoice?
  ) throws(PlayerError) -> Int? {
    switch view.content {
    case .queue, .outputs: return nil
    case .playlists, .playlist:
      return view.position(of: letter, in: try page(of: view, library, 0, .max, hasMarks: false).rows)
    case .albums, .album, .artists, .songs, .genres, .years, .directory, .search:
      return try lists(library).position(of: letter, in: view)
    }
  }

  private func position(
    of text: String, in view: ListView, _ library: LibraryChoice?, after row: Int, backward: Bool
  ) throws(PlayerError) -> Int? {
    let wanted = text.foldedForMatching
    let step = view.content.isReadWhole ? Self.searchLimit : Self.searchStep
    guard !wanted.isEmpty else { return nil }
    var (count, offset) = (Self.searchLimit, 0)
    var matches: [Int] = []
    while offset < count {
      defer { offset += step }
      let page = try page(of: view, library, offset, step, hasMarks: false)
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
  func lists(_ choice: LibraryChoice?) throws(PlayerError) -> LibraryLists {
    LibraryLists(index: try index(choice), known: knownLists(choice))
  }

  /// Returns the lists of the library that `choice` means; `nil` if it has no index, or that cannot be read.
  private func present(_ choice: LibraryChoice?) -> LibraryLists? {
    presentIndex(choice).map { LibraryLists(index: $0, known: knownLists(choice)) }
  }
}

extension ListContent {
  /// Whether the rows are all read, however few are wanted.
  fileprivate var isReadWhole: Bool {
    switch self {
    case .playlists, .playlist, .album, .directory, .years, .search, .outputs: true
    case .queue, .albums, .artists, .songs, .genres: false
    }
  }
}
