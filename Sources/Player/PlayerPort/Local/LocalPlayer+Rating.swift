// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging
import UnicodeText

/// What users note of tracks and albums: ratings and likes.
extension LocalPlayer {
  /// Notes what a user thinks of tracks, or of their albums.
  func rate(
    _ rated: [NamedTrack], _ mark: TrackMark, _ choice: LibraryChoice?
  ) throws(PlayerError) -> RatedTracks {
    switch mark {
    case .rating(let halves), .albumRating(let halves):
      guard HalfStars.range.contains(halves) else {
        throw PlayerError(.usage, "invalid rating: use 0 to 5 stars, in steps of 0.5")
      }
    case .liked, .toggleLiked: break
    }
    let index = try index(choice)
    var changes: [ChangeJournal.Rating] = []
    defer {
      let change = ChangeJournal.Change.ratings(changes, choice)
      if !changes.isEmpty { journal.add(mark.change(of: changes.count), change, at: parts.queue.queue.stepCount) }
    }
    let ids = try mark.isOfAlbums ? tracksOfAlbums(of: rated, index, choice) : ids(of: rated, index, choice)
    return try Self.reading { () throws(LibraryError) in
      let marks = try index.marks(ofTracks: ids)
      let noted: TrackMark =
        if case .toggleLiked = mark { .liked(!ids.allSatisfy { marks[$0]?.isLiked == true }) } else { mark }
      let sticker = noted.sticker
      for id in ids {
        let before = try index.sticker(sticker.name, of: id)
        guard before != sticker.value else { continue }
        try index.setSticker(sticker.name, to: sticker.value, of: id)
        changes.append(ChangeJournal.Rating(track: id, name: sticker.name, before: before, after: sticker.value))
      }
      try notifyOfMarks(changes, index)
      let first = try index.browse(isQuick: true) { try $0.tracks(Array(ids.prefix(1))).first?.track } ?? nil
      publisher.add(.rating(of: ids.count, noted, first: first))
      let title = noted.isOfAlbums ? try index.titles(ofAlbumsOf: ids.prefix(1)).first : first?.title
      return RatedTracks(count: ids.count, title: title ?? "", mark: noted)
    }
  }

  /// Notifies ``Parts/didMark`` of the marks of tracks.
  func notifyOfMarks(_ changes: [ChangeJournal.Rating], _ index: any BrowsableLibrary) throws(LibraryError) {
    guard let didMark = parts.didMark else { return }
    for change in changes {
      let mark = TrackMark(sticker: change.name, value: change.after)
      let tracks = try index.browse(isQuick: true) { try $0.tracks([change.track]).map(\.track) } ?? []
      didMark(tracks, mark)
    }
  }

  /// Returns the ID of a track of each album to which tracks in a library belong.
  ///
  /// - Throws: ``PlayerError`` if there is none, or if what the user has typed means several.
  private func tracksOfAlbums(
    of rated: [NamedTrack], _ index: any BrowsableLibrary, _ choice: LibraryChoice?
  ) throws(PlayerError) -> [Int64] {
    let ids = try ids(of: rated, ofAlbums: true, index, choice)
    let tracks = try Self.reading { () throws(LibraryError) in
      try index.browse(isQuick: true) { try $0.firstOfAlbums(ids) } ?? []
    }
    if case .typed(let words)? = rated.first, tracks.count > 1 {
      let titles = try Self.reading { () throws(LibraryError) in try index.titles(ofAlbumsOf: tracks.prefix(20)) }
      throw PlayerError(
        .ambiguous,
        "\"\(words.map(\.text).joined(separator: " ").brief)\" means \(tracks.count) albums: name one of them",
        choices: titles)
    }
    return tracks
  }

  /// Returns the IDs of tracks in a library.
  ///
  /// - Parameter ofAlbums: Whether what the user has typed may mean several tracks, such as an album.
  /// - Throws: ``PlayerError`` if none of them is in the library.
  private func ids(
    of rated: [NamedTrack], ofAlbums: Bool = false, _ index: any BrowsableLibrary, _ choice: LibraryChoice?
  ) throws(PlayerError) -> [Int64] {
    let queue = parts.queue.queue
    var (ids, tracks): ([Int64], [Track]) = ([], [])
    for track in rated {
      switch track {
      case .current: tracks += [queue.current?.track].compactMap(\.self)
      case .item(let id):
        tracks += [queue.position(of: PlayQueue.Item.ID(rawValue: id)).map { queue.items[$0].track }].compactMap(\.self)
      case .track(let id): ids.append(id)
      case .file(let path): tracks.append(Track(path: path.path, title: ""))
      case .album(let id):
        ids += try Self.reading { () throws(LibraryError) in
          try index.browse(isQuick: true) { try $0.trackIDs(ofAlbum: id) } ?? []
        }
      case .typed(let words):
        let finder = finder(choice)
        tracks += try words.inContext { words throws(PlayerError) in
          if !ofAlbums { return [try finder.track(words)] }
          let found = try finder.find(words: words)
          return found.isTrack ? [found.collection.tracks[found.item]] : Array(found.collection.tracks)
        }
      }
    }
    ids += try Self.reading { [tracks] () throws(LibraryError) in
      try index.browse(isQuick: true) { browser in
        try tracks.compactMap { track in
          try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
        }
      } ?? []
    }
    guard !ids.isEmpty else {
      throw PlayerError(.notFound, "only \(ofAlbums ? "albums" : "tracks") in the library can be rated")
    }
    return ids
  }
}

extension PlayerEvent {
  /// Returns the event that `mark` was noted of `count` tracks or albums.
  static func rating(of count: Int, _ mark: TrackMark, first: Track?) -> PlayerEvent {
    var event = PlayerEvent(.rating)
    event.count = count
    event.song = first.map { PlayerStatus.Song($0, duration: $0.duration) }
    switch mark {
    case .rating(let halves): event.rating = halves
    case .albumRating(let halves): event.albumRating = halves
    case .liked(let isLiked): event.liked = isLiked
    case .toggleLiked: break
    }
    return event
  }
}

extension TrackMark {
  /// Creates what the value of a sticker notes of a track or its album; a missing sticker has no value.
  init(sticker name: String, value: String?) {
    let number = value.flatMap { Int($0) } ?? 0
    let halves = min(max(number, HalfStars.range.lowerBound), HalfStars.range.upperBound)
    switch name {
    case Sticker.like: self = .liked(number == 2)
    case Sticker.albumRating: self = .albumRating(halves)
    default: self = .rating(halves)
    }
  }

  /// The name of the change of this many tracks or albums.
  func change(of count: Int) -> String {
    switch self {
    case .rating: "rate \(ItemCount.text(count, "track"))"
    case .albumRating: "rate \(ItemCount.text(count, "album"))"
    case .liked, .toggleLiked: "like \(ItemCount.text(count, "track"))"
    }
  }

  /// The sticker in which it is noted; the value is `nil` if the sticker is removed.
  fileprivate var sticker: (name: String, value: String?) {
    switch self {
    case .rating(let halves): (Sticker.rating, halves == 0 ? nil : "\(halves)")
    case .albumRating(let halves): (Sticker.albumRating, halves == 0 ? nil : "\(halves)")
    case .liked(let isLiked): (Sticker.like, isLiked ? "2" : nil)
    case .toggleLiked: (Sticker.like, nil)
    }
  }
}

extension BrowsableLibrary {
  /// Returns the titles of the albums to which these tracks belong.
  fileprivate func titles(ofAlbumsOf tracks: some Sequence<Int64>) throws(LibraryError) -> [String] {
    try browse(isQuick: true) { browser in try tracks.compactMap { try browser.origin(ofTrack: $0)?.title } } ?? []
  }
}
