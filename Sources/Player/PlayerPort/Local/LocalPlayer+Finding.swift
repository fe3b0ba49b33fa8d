// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import Platform
import PlayerFlow
import SystemPackage
import Tagging
import UnicodeText

/// What the names and rows in requests mean.
extension LocalPlayer {
  /// Returns the tracks that `music` means. Blocks while files and the index are read.
  ///
  /// - Parameter adds: Whether the tracks are added to others. A number in a listing of tracks, or a title, then means
  ///   only that track, and otherwise also the tracks around it.
  func find(_ music: MusicRequest, adds: Bool) throws(PlayerError) -> FoundMusic {
    switch music.name {
    case .typed(let texts): return try find(texts, adds: adds, finder(music.library))
    case .words(let words):
      let finder = finder(music.library)
      let found = try words.inContext { words throws(PlayerError) in try finder.find(words: words) }
      return FoundMusic(words.map(\.text).joined(separator: " "), found, adds: adds)
    case .playlist(let name, let track):
      let finder = finder(music.library)
      finder.library.prepare()
      let found = try name.withContext { name throws(PlayerError) in try finder.find(playlist: name, track: track) }
      return FoundMusic(name.text, found, adds: adds)
    case .uri(let uri):
      var found = try finder(music.library).find(album: uri, track: nil)
      if adds, found.isTrack { found = found.onlyTrack }
      return FoundMusic(collection: found.collection, start: found.item)
    case .rows(let rows, let start): return try find(rows, startingAt: start, in: music.library)
    case .tracks(let known): return FoundMusic(collection: known.collection)
    }
  }

  /// Returns the tracks that each of `texts` means or, if they are the words of one title, that title.
  private func find(_ texts: [TypedText], adds: Bool, _ finder: CollectionFinder) throws(PlayerError) -> FoundMusic {
    if let title = try finder.findTitle(texts.map(\.text)) {
      return FoundMusic(texts.map(\.text).joined(separator: " "), title, adds: adds)
    }
    var results: [FoundMusic] = []
    for text in texts {
      do throws(PlayerError) {
        let found = try text.withContext { text throws(PlayerError) in try finder.find(album: text, track: nil) }
        results.append(FoundMusic(text.text, found, adds: adds))
      } catch {
        // Words that mean nothing on their own may be those of one title.
        let whole = texts.map(\.text).joined(separator: " ")
        guard texts.count > 1, error.status == .notFound || error.status == .ambiguous,
          let found = try? texts.inContext({ _ throws(PlayerError) in
            try finder.find(album: whole, track: nil, isThorough: false)
          })
        else { throw error }
        return FoundMusic(whole, found, adds: adds)
      }
    }
    guard results.count != 1 else { return results[0] }
    var result = FoundMusic()
    result.problems = results.flatMap(\.problems)
    result.matches = results.flatMap(\.matches)
    result.collection = TrackCollection(
      title: Self.title(results.map(\.collection.title)), tracks: results.flatMap { Array($0.collection.tracks) })
    return result
  }

  private static func title(_ titles: [String]) -> String {
    titles.count > 3
      ? titles.prefix(2).joined(separator: ", ") + " and \(titles.count - 2) more"
      : titles.joined(separator: ", ")
  }

  private func find(
    _ rows: [MusicRequest.MusicRow], startingAt start: MusicRequest.StartTrack?, in choice: LibraryChoice?
  ) throws(PlayerError) -> FoundMusic {
    if rows.count == 1, case .list(let view) = rows[0] {
      let found = try tracks(of: view, choice)
      return FoundMusic(collection: found.collection, start: try self.start(of: found, start, choice))
    }
    var tracks: [Track] = []
    var titles: [String] = []
    for row in rows {
      let found = try collection(row, choice)
      tracks += found.tracks
      titles.append(found.title)
    }
    let title = titles.count > 3 ? "\(titles[0]) and \(titles.count - 1) more" : titles.joined(separator: ", ")
    let found = ListedTracks(collection: TrackCollection(title: title, tracks: tracks))
    return FoundMusic(collection: found.collection, start: try self.start(of: found, start, choice))
  }

  /// Returns the index of the track to start with; 0 if it is not among the tracks.
  private func start(
    of found: ListedTracks, _ start: MusicRequest.StartTrack?, _ choice: LibraryChoice?
  ) throws(PlayerError) -> Int {
    let tracks = found.collection.tracks
    let number: Int? =
      switch start {
      case nil: nil
      case .number(let row): found.index(ofRow: row)
      case .track(let id):
        try collection(.track(id), choice).tracks.first.flatMap { first in
          tracks.firstIndex { $0.path == first.path && $0.segment == first.segment }
        }
      }
    return number.flatMap { tracks.indices.contains($0) ? $0 : nil } ?? 0
  }

  /// Returns the tracks for which a row stands; none if they no longer exist.
  func collection(
    _ row: MusicRequest.MusicRow, _ choice: LibraryChoice?
  ) throws(PlayerError) -> TrackCollection {
    switch row {
    case .album(let id):
      return try finder(choice).library.refreshedAlbum(id)?.collection ?? TrackCollection(title: "", tracks: [])
    case .artist(let name):
      return TrackCollection(title: name, tracks: try finder(choice).library.tracks(byArtist: name))
    case .genre(let name):
      let query = LibraryQuery.text(.genre, TextPattern(name, kind: .exact))
      return TrackCollection(title: name, tracks: try finder(choice).library.tracks(matching: query))
    case .year(let year):
      let query = LibraryQuery.number(.year, QueryRange(from: year, to: year))
      return TrackCollection(title: "\(year)", tracks: try finder(choice).library.tracks(matching: query))
    case .item(let id):
      let queue = parts.queue.queue
      let track = queue.position(of: PlayQueue.Item.ID(rawValue: id)).map { queue.items[$0].track }
      return TrackCollection(title: track?.title ?? "", tracks: [track].compactMap(\.self))
    case .track(let id):
      let index = try index(choice)
      let found = try Self.reading { () throws(LibraryError) in
        try index.browse(isQuick: true) { browser in try browser.tracks([id]).first?.track }
      }
      let track = found ?? nil
      return TrackCollection(title: track?.title ?? "", tracks: [track].compactMap(\.self))
    case .file(let path):
      let index = try index(choice)
      let known = index.tracks(at: [(path.path, nil)]).first ?? nil
      let track: Track
      do throws(LibraryProblem) {
        track = if let known { known } else { try index.unindexedTrack(at: path.path) }
      } catch {
        throw PlayerError(.nothingPlayable, "\(error)")
      }
      return TrackCollection(title: track.title, tracks: [track])
    case .list(let view): return try tracks(of: view, choice).collection
    case .playlist(let name):
      let loaded = try playlists(choice).load(name)
      return TrackCollection(title: loaded.collection.title, tracks: Array(loaded.collection.tracks))
    case .directory(let path):
      let index = try index(choice)
      let directory = path.path.isAbsolute ? path.path : index.roots.absolute(path.path)
      return TrackCollection(
        title: path.path.lastComponent?.string ?? "", tracks: directory.map { index.tracks(below: $0) } ?? [])
    }
  }
}

extension LocalPlayer.FoundMusic {
  /// Creates the tracks that `name` has found; only the track, if it has found one, and the tracks are added to others.
  fileprivate init(_ name: String, _ found: CollectionFinder.Found, adds: Bool) {
    let found = adds && found.isTrack ? found.onlyTrack : found
    self.init(
      collection: found.collection, start: found.item, problems: found.problems.map { "skipped \($0)" },
      matches: [MusicMatch(name, found.collection)])
  }
}

extension [TypedText] {
  /// Calls `body` with the texts, in a context in which they mean the same as where they were typed.
  func inContext<Result>(_ body: ([String]) throws(PlayerError) -> Result) throws(PlayerError) -> Result {
    let texts = map(\.text)
    guard let first else { return try body(texts) }
    return try first.withContext { _ throws(PlayerError) in try body(texts) }
  }
}

extension MusicMatch {
  init(_ name: String, _ collection: TrackCollection) {
    var last: FilePath?
    var files: [PathText] = []
    for track in collection.tracks where track.path != last {
      files.append(PathText(track.path))
      last = track.path
    }
    self.init(name: name, title: collection.title, count: collection.tracks.count, files: files)
  }
}
