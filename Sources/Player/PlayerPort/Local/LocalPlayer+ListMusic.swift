// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage

/// The tracks for which a whole list stands.
extension LocalPlayer {
  /// The tracks of a list in the order of its rows.
  struct ListedTracks {
    var collection: TrackCollection
    /// The index of the first track of each row, or of the row after it that has one; `nil` if each row is a track.
    var starts: [Int]?

    /// Returns the index of the track of a row, or of the first one.
    func index(ofRow row: Int) -> Int? {
      guard let starts else { return row }
      return starts.indices.contains(row) ? starts[row] : nil
    }
  }

  /// Returns all tracks of the rows of a list, in their order. Directories within a directory, and the artists and
  /// albums among the results of a search, are left out. A list of the outputs or of playlists has no tracks.
  func tracks(of view: ListView, _ choice: LibraryChoice?) throws(PlayerError) -> ListedTracks {
    let title = try title(of: view.content, choice)
    switch view.content {
    case .queue:
      let (queue, ids) = (parts.queue.queue, try page(of: view, choice, 0, .max, hasMarks: false).rows.map(\.target))
      let tracks = ids.lazy.compactMap { target -> Track? in
        guard case .item(let id) = target else { return nil }
        return queue.position(of: PlayQueue.Item.ID(rawValue: id)).map { queue.items[$0].track }
      }
      return ListedTracks(collection: TrackCollection(title: title, tracks: TrackList(tracks)))
    case .playlist(let name):
      if let lists = try smartLists(name, choice) {
        let ids = try lists.ids(of: view, ofSmartPlaylist: name)
        return ListedTracks(collection: TrackCollection(title: title, tracks: try tracks(ids, choice)))
      }
      let (rows, entries) = try entries(of: name, view, choice)
      let tracks = rows.lazy.compactMap { row -> Track? in
        guard case .file(_, let number) = row.target else { return nil }
        return entries[number]
      }
      return ListedTracks(collection: TrackCollection(title: title, tracks: TrackList(tracks)))
    case .outputs, .playlists: return ListedTracks(collection: TrackCollection(title: title, tracks: []))
    case .songs(let query):
      let ids = try lists(choice).ids(of: view, .tracks, query)
      return ListedTracks(collection: TrackCollection(title: title, tracks: try tracks(ids, choice)))
    case .album, .directory, .search, .albums, .artists, .genres, .years:
      let rows = try page(of: view, choice, 0, .max, hasMarks: false).rows
      let (ids, starts) = try trackIDs(of: rows, in: view.content, choice)
      return ListedTracks(collection: TrackCollection(title: title, tracks: try tracks(ids, choice)), starts: starts)
    }
  }

  /// Returns the IDs of the tracks of rows, each once, and the index of the first track of each row.
  private func trackIDs(
    of rows: [ListRow], in content: ListContent, _ choice: LibraryChoice?
  ) throws(PlayerError) -> (ids: [Int64], starts: [Int]) {
    let index = try index(choice)
    let query = try Self.reading { () throws(LibraryError) in try index.resolved(content.query) }
    let found = try Self.reading { () throws(LibraryError) in
      try index.browse(isQuick: false) { browser in
        // Which tracks of a row match is asked for all rows at once.
        let matching =
          query == .everything ? nil : Set(try browser.ids(of: .tracks, matching: query, order: .key(LibraryOrder())))
        var (ids, starts): ([Int64], [Int]) = ([], [])
        var seen: Set<Int64> = []
        for row in rows {
          starts.append(ids.count)
          for id in try browser.trackIDs(of: row.target, in: content)
          where matching?.contains(id) ?? true && seen.insert(id).inserted { ids.append(id) }
        }
        return (ids, starts)
      }
    }
    return found ?? ([], [])
  }

  /// Returns the tracks with these IDs that exist.
  private func tracks(_ ids: [Int64], _ choice: LibraryChoice?) throws(PlayerError) -> TrackList {
    let index = try index(choice)
    return try Self.reading { () throws(LibraryError) in try index.tracks(withIDs: ids) }
  }

  /// Returns the name of a list, as the title of its tracks.
  private func title(of content: ListContent, _ choice: LibraryChoice?) throws(PlayerError) -> String {
    switch content {
    case .queue: return parts.queue.queue.title
    case .album(let id):
      let index = try index(choice)
      return try Self.reading { () throws(LibraryError) in
        try index.browse(isQuick: true) { try $0.albums([id]).first?.title }
      }.flatMap { $0 } ?? ""
    case .playlist(let name): return name
    case .directory(let path): return path.path.lastComponent?.string ?? "Music"
    case .search(let text, _): return text
    case .songs(.everything): return "all songs"
    case .albums(.everything): return "all albums"
    case .artists(.everything): return "all artists"
    case .genres(.everything): return "all genres"
    case .years(.everything): return "all years"
    case .songs(let query), .albums(let query), .artists(let query), .genres(let query), .years(let query):
      return query.description
    case .playlists, .outputs: return ""
    }
  }
}

extension ListContent {
  /// The query that the tracks of the rows match.
  fileprivate var query: LibraryQuery {
    if case .years(let query) = self { query } else { listing?.1 ?? .everything }
  }
}

extension TrackBrowser {
  /// Returns the IDs of the tracks for which a row of a list stands, in the order in which they are played.
  fileprivate func trackIDs(of target: ListTarget, in content: ListContent) throws -> [Int64] {
    switch (target, content) {
    case (.track(let id, _), _): [id]
    // The artists and albums among the results of a search are not its songs.
    case (_, .search): []
    case (.album(let id), _): try trackIDs(ofAlbum: id)
    case (.artist(let name), _): try ids(of: .tracks, matching: .text(.artist, TextPattern(name, kind: .exact)))
    case (.genre(let name), _): try ids(of: .tracks, matching: .text(.genre, TextPattern(name, kind: .exact)))
    case (.year(let year), _): try ids(of: .tracks, matching: .number(.year, QueryRange(from: year, to: year)))
    case (.item, _), (.file, _), (.playlist, _), (.directory, _), (.output, _): []
    }
  }

  private func ids(of listing: LibraryListing, matching query: LibraryQuery) throws -> [Int64] {
    try ids(of: listing, matching: query, order: .key(LibraryOrder()))
  }
}
