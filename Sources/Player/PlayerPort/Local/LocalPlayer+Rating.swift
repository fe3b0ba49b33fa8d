// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import PlayerFlow
import SystemPackage
import Tagging
import UnicodeText

/// What users note of tracks: ratings and likes.
extension LocalPlayer {
  /// Notes what a user thinks of tracks.
  func rate(
    _ rated: [NamedTrack], _ mark: TrackMark, _ choice: LibraryChoice?
  ) throws(PlayerError) -> RatedTracks {
    if case .rating(let halves) = mark, !HalfStars.range.contains(halves) {
      throw PlayerError(.usage, "invalid rating: use 0 to 5 stars, in steps of 0.5")
    }
    let index = try index(choice)
    var changes: [ChangeJournal.Rating] = []
    defer {
      let action = if case .rating = mark { "rate" } else { "like" }
      let name = "\(action) \(ItemCount.text(changes.count, "track"))"
      if !changes.isEmpty { journal.add(name, .ratings(changes, choice), at: parts.queue.queue.stepCount) }
    }
    let ids = try ids(of: rated, index, choice)
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
      try tellMarks(changes, index)
      let first = try index.browse(isQuick: true) { try $0.tracks(Array(ids.prefix(1))).first?.track } ?? nil
      publisher.add(.rating(of: ids.count, noted, first: first))
      return RatedTracks(count: ids.count, title: first?.title ?? "", mark: noted)
    }
  }

  /// Tells ``Parts/didMark`` what was noted of tracks.
  func tellMarks(_ changes: [ChangeJournal.Rating], _ index: any BrowsableLibrary) throws(LibraryError) {
    guard let didMark = parts.didMark else { return }
    for change in changes {
      let mark: TrackMark =
        change.name == Sticker.like
        ? .liked(change.after == "2") : .rating(change.after.flatMap { Int($0) } ?? 0)
      let tracks = try index.browse(isQuick: true) { try $0.tracks([change.track]).map(\.track) } ?? []
      didMark(tracks, mark)
    }
  }

  /// Returns the IDs of tracks in a library.
  ///
  /// - Throws: ``PlayerError`` if none of them is in the library.
  private func ids(
    of rated: [NamedTrack], _ index: any BrowsableLibrary, _ choice: LibraryChoice?
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
      case .typed(let words):
        let finder = finder(choice)
        tracks.append(try words.inContext { words throws(PlayerError) in try finder.track(words) })
      }
    }
    ids += try Self.reading { [tracks] () throws(LibraryError) in
      try index.browse(isQuick: true) { browser in
        try tracks.compactMap { track in
          try index.roots.relative(track.path).flatMap { try browser.id(of: track, at: $0) }
        }
      } ?? []
    }
    guard !ids.isEmpty else { throw PlayerError(.notFound, "only tracks in the library can be rated") }
    return ids
  }
}

extension PlayerEvent {
  /// Returns the event that `mark` was noted of `count` tracks.
  static func rating(of count: Int, _ mark: TrackMark, first: Track?) -> PlayerEvent {
    var event = PlayerEvent(.rating)
    event.count = count
    event.song = first.map { PlayerStatus.Song($0, duration: $0.duration) }
    switch mark {
    case .rating(let halves): event.rating = halves
    case .liked(let isLiked): event.liked = isLiked
    case .toggleLiked: break
    }
    return event
  }
}

extension TrackMark {
  /// The sticker in which it is noted; the value is `nil` if the sticker is removed.
  fileprivate var sticker: (name: String, value: String?) {
    switch self {
    case .rating(let halves): (Sticker.rating, halves == 0 ? nil : "\(halves)")
    case .liked(let isLiked): (Sticker.like, isLiked ? "2" : nil)
    case .toggleLiked: (Sticker.like, nil)
    }
  }
}
