// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import UnicodeText

/// Answers queries about a ``SampleIndex`` by comparing its values one by one.
final class NaiveReader {
  let sample: SampleIndex
  let libraries: Set<Int64>
  private var words: [String: [Substring]] = [:]
  private var trackKeys: [LibraryOrder.Key: [Int64: Key]] = [:]
  private var albumKeys: [LibraryOrder.Key: [Int64: Key]] = [:]

  init(sample: SampleIndex, libraries: Set<Int64>) {
    self.sample = sample
    self.libraries = libraries
  }

  private func words(_ text: String) -> [Substring] {
    if let cached = words[text] { return cached }
    let result = text.searchWords.split(separator: " ")
    words[text] = result
    return result
  }

  func album(_ track: SampleIndex.Track) -> SampleIndex.Album { sample.albums[Int(track.album - 1)] }

  func tracks(_ query: LibraryQuery, _ order: LibraryOrder) -> [Int64] {
    if order.key.isMark {
      return byMark(tracks(query, LibraryOrder(.title)), order) { id in [sample.tracks[Int(id - 1)]] }
    }
    let found = sample.tracks.filter { libraries.contains($0.library) && matches($0, query) }
    let keys = keys(ofTracksBy: order.key)
    let sorted = found.sorted { left, right in
      if [.album, .artist, .year].contains(order.key), left.album == right.album {
        return left.position < right.position
      }
      return isBefore(keys[left.id], keys[right.id], order)
    }
    let isUnknown: (SampleIndex.Track) -> Bool = {
      order.key == .year && self.album($0).year == nil || order.key == .duration && $0.duration == nil
    }
    return (sorted.filter { !isUnknown($0) } + sorted.filter(isUnknown)).map(\.id)
  }

  /// Returns `ids` in the order of a mark, which has the values of the tracks of each; those without it come last.
  private func byMark(
    _ ids: [Int64], _ order: LibraryOrder, ofAlbums: Bool = false, _ tracks: (Int64) -> [SampleIndex.Track]
  ) -> [Int64] {
    let names: [LibraryOrder.Key: String] = [
      .rating: Sticker.rating, .albumRating: Sticker.albumRating, .plays: Sticker.playCount,
      .skips: Sticker.skipCount, .played: Sticker.lastPlayed,
    ]
    func values(_ id: Int64, _ name: String?) -> [Double] {
      tracks(id).compactMap { $0.stickers[name ?? ""].flatMap(Double.init) }.filter { $0 > 0 }
    }
    let values = ids.map { id -> Double? in
      let ofAlbum = ofAlbums && order.key == .rating ? values(id, Sticker.albumRating) : []
      let values = ofAlbum.isEmpty ? values(id, names[order.key]) : ofAlbum
      if values.isEmpty { return nil }
      let sum = values.reduce(0, +)
      return switch order.key {
      case .rating, .albumRating: sum / Double(values.count)
      case .played: values.max()
      default: sum
      }
    }
    let valued = ids.indices.filter { values[$0] != nil }.sorted { left, right in
      let (one, other) = (values[left] ?? 0, values[right] ?? 0)
      return one == other ? left < right : (one < other) != order.isDescending
    }
    return valued.map { ids[$0] } + ids.indices.filter { values[$0] == nil }.map { ids[$0] }
  }

  func albums(_ query: LibraryQuery, _ order: LibraryOrder) -> [Int64] {
    if order.key.isMark {
      return byMark(albums(query, LibraryOrder(.artist)), order, ofAlbums: true) { id in
        sample.tracks.filter { $0.album == id }
      }
    }
    let ids = Set(tracks(query, LibraryOrder()).map { sample.tracks[Int($0 - 1)].album })
    let found = sample.albums.filter { ids.contains($0.id) }
    let keys = keys(ofAlbumsBy: order.key)
    let sorted = found.sorted { isBefore(keys[$0.id], keys[$1.id], order) }
    let isUnknown: (SampleIndex.Album) -> Bool = { order.key == .year && $0.year == nil }
    return (sorted.filter { !isUnknown($0) } + sorted.filter(isUnknown)).map(\.id)
  }

  private typealias Key = [(number: Int, text: [UInt8])]

  private func keys(ofTracksBy key: LibraryOrder.Key) -> [Int64: Key] {
    if let cached = trackKeys[key] { return cached }
    let result = Dictionary(sample.tracks.map { ($0.id, self.key($0, key)) }) { first, _ in first }
    trackKeys[key] = result
    return result
  }

  private func keys(ofAlbumsBy key: LibraryOrder.Key) -> [Int64: Key] {
    if let cached = albumKeys[key] { return cached }
    let result = Dictionary(sample.albums.map { ($0.id, self.key($0, key)) }) { first, _ in first }
    albumKeys[key] = result
    return result
  }

  private func key(_ track: SampleIndex.Track, _ key: LibraryOrder.Key) -> Key {
    switch key {
    case .album, .artist, .year, .rating, .albumRating, .plays, .skips, .played: self.key(album(track), key)
    case .title: [(0, Array(track.title.foldedForMatching.utf8)), (Int(track.id), [])]
    case .added: [(Int(track.added), []), (Int(track.id), [])]
    case .duration: [(track.duration ?? 0, []), (Int(track.id), [])]
    }
  }

  private func key(_ album: SampleIndex.Album, _ key: LibraryOrder.Key) -> Key {
    let last: Key = [(0, Array(SampleIndex.sortKey(of: album).utf8)), (Int(album.id), [])]
    let tracks = sample.tracks.filter { $0.album == album.id }
    switch key {
    case .album, .artist, .rating, .albumRating, .plays, .skips, .played: return last
    case .year: return [(album.year ?? 0, [])] + last
    case .title: return [(0, Array(album.title.foldedForMatching.utf8)), (Int(album.id), [])]
    case .added: return [(tracks.map { Int($0.added) }.min() ?? 0, [])] + last
    case .duration: return [(tracks.reduce(0) { $0 + ($1.duration ?? 0) }, [])] + last
    }
  }

  private func isBefore(_ left: Key?, _ right: Key?, _ order: LibraryOrder) -> Bool {
    guard let left, let right else { return false }
    return order.isDescending ? isBefore(right, left) : isBefore(left, right)
  }

  private func isBefore(_ left: Key, _ right: Key) -> Bool {
    for (left, right) in zip(left, right) {
      if left.number != right.number { return left.number < right.number }
      if left.text != right.text { return left.text.lexicographicallyPrecedes(right.text) }
    }
    return false
  }

  func matches(_ track: SampleIndex.Track, _ query: LibraryQuery) -> Bool {
    switch query {
    case .everything: true
    case .playlist: false
    case .tracks(let ids): ids.contains(track.id)
    case .not(let inner): !matches(track, inner)
    case .all(let parts): parts.allSatisfy { matches(track, $0) }
    case .any(let parts): parts.contains { matches(track, $0) }
    case .text(let field, let pattern): matches(track, field, pattern)
    case .number(let field, let range): number(track, field).map { contains(range, $0) } ?? false
    case .date(let field, let range):
      dates(track, field).contains {
        contains(QueryRange(from: range.lower?.firstDay, to: range.upper?.lastDay), Int($0) / 86_400)
      }
    }
  }

  private func contains(_ range: QueryRange<Int>, _ value: Int) -> Bool {
    value >= range.lower ?? .min && value <= range.upper ?? .max
  }

  private func number(_ track: SampleIndex.Track, _ field: LibraryQuery.NumberField) -> Int? {
    switch field {
    case .year: track.year
    case .originalYear: track.dates.original ?? track.year
    case .released: track.dates.release ?? (track.dates.original == nil ? track.year : nil)
    case .track: track.number
    case .disc: nil
    case .duration: track.duration.map { $0 / 1000 }
    case .rate: 44_100
    case .bits: track.bits
    case .channels: 2
    case .rating: number(track, Sticker.rating)
    case .albumRating: number(track, Sticker.albumRating)
    case .liked: number(track, Sticker.like) == 2 ? 1 : 0
    case .plays: number(track, Sticker.playCount)
    case .skips: number(track, Sticker.skipCount)
    }
  }

  /// Returns the number in a sticker of a track; 0 if it has none.
  private func number(_ track: SampleIndex.Track, _ sticker: String) -> Int {
    track.stickers[sticker].flatMap { Int($0) } ?? 0
  }

  private func dates(_ track: SampleIndex.Track, _ field: LibraryQuery.DateField) -> [Int64] {
    switch field {
    case .added: [track.added]
    case .played: [track.stickers[Sticker.lastPlayed].flatMap { Int64($0) }].compactMap(\.self)
    case .skipped: [track.stickers[Sticker.lastSkipped].flatMap { Int64($0) }].compactMap(\.self)
    case .listened: track.plays
    }
  }

  private func matches(
    _ track: SampleIndex.Track, _ field: LibraryQuery.TextField, _ pattern: TextPattern
  ) -> Bool {
    let values: [String]
    switch field {
    case .anywhere:
      values =
        [track.title, album(track).title] + track.artists + track.albumArtists + track.genres
        + track.composers
    case .shown: values = [track.title, album(track).title] + track.artists
    case .title: values = [track.title]
    case .artist: values = track.artists + track.albumArtists
    case .album: values = [album(track).title]
    case .albumArtist: values = track.albumArtists
    case .genre: values = track.genres
    case .composer: values = track.composers
    case .format:
      return pattern.kind == .beginning ? track.format.hasPrefix(pattern.text) : track.format == pattern.text
    case .path:
      let path = track.directory.isEmpty ? track.name : "\(track.directory)/\(track.name)"
      let wanted = String(pattern.text.drop { $0 == "/" })
      guard pattern.kind == .exact else { return path.hasPrefix(wanted) }
      let name = wanted.hasSuffix("/") ? String(wanted.dropLast()) : wanted
      return path == name || path.hasPrefix(name + "/")
    }
    let wanted = words(pattern.text)
    return wanted.isEmpty
      || values.contains { value in
        let words = self.words(value)
        if pattern.kind == .exact { return words == wanted }
        return words.indices.contains { start in
          let part = words[start...].prefix(wanted.count)
          guard part.count == wanted.count, part.dropLast() == wanted.dropLast() else { return false }
          guard let last = part.last, let end = wanted.last else { return false }
          return pattern.kind == .words ? last == end : last.hasPrefix(end)
        }
      }
  }
}
