// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel

/// The type of an object that can have stickers.
enum StickerType: Equatable {
  case song
  case playlist
  /// The songs that match a filter; clients use it for albums.
  case filter
  /// The value of a tag, such as the name of an album.
  case tag(SongTag)

  /// The tags whose values can have stickers.
  private static let tags: [SongTag] = [
    .title, .album, .artist, .albumArtist, .genre, .composer, .performer, .conductor, .work, .ensemble, .location,
    .label,
  ]

  static let all = [song, playlist, filter] + tags.map { tag($0) }

  /// Parses the name of a type; that of a tag may be in upper or lower case.
  init(_ text: String) throws(ProtocolError) {
    guard
      let type = Self.all.first(where: { type in
        if case .tag = type { type.name.lowercased() == text.lowercased() } else { type.name == text }
      })
    else { throw ProtocolError(.argument, "unknown sticker domain \"\(text)\"") }
    self = type
  }

  var name: String {
    switch self {
    case .song: "song"
    case .playlist: "playlist"
    case .filter: "filter"
    case .tag(let tag): tag.rawValue
    }
  }

  /// Returns the object of this type that `uri` names.
  ///
  /// - Parameter mustExist: Whether to throw if the playlist does not exist, or if no song matches the filter or the
  ///   tag. A song must always exist.
  func object(
    _ uri: String, _ context: CommandContext, mustExist: Bool = true
  ) throws(ProtocolError) -> StickeredObject {
    switch self {
    case .song:
      let target = try? LibraryTracks(context).resolve(uri)
      guard case .tracks(let ids) = target, let id = ids.first, ids.count == 1 else {
        throw ProtocolError(.noExist, "No such song")
      }
      return .track(id)
    case .playlist:
      if mustExist {
        guard try PlaylistAccess(context).all().contains(where: { $0.name == uri }) else {
          throw ProtocolError(.noExist, "no such playlist: \"\(uri)\"")
        }
      }
    case .filter:
      var parser = FilterParser(ignoresCase: false)
      let filter = try parser.parse([uri])
      if mustExist, try !matches(filter, context) {
        throw ProtocolError(.noExist, "no matches found: \"\(uri)\"")
      }
    case .tag(let tag):
      let filter = TrackFilter.text(.field(tag.field), .equals, uri, ignoresCase: false, ignoresDiacritics: false)
      let isMatched = uri.isEmpty ? false : try matches(filter, context)
      if mustExist, !isMatched {
        throw ProtocolError(.noExist, "no such \(name): \"\(uri)\"")
      }
    }
    return .other(type: name, name: uri)
  }

  private func matches(_ filter: TrackFilter, _ context: CommandContext) throws(ProtocolError) -> Bool {
    let ids = try context.library.index.browsing { try $0.trackIDs(filter, limit: 1) }
    return ids?.isEmpty == false
  }
}

/// The order of the answer to `sticker find`.
struct StickerOrder {
  private enum Key {
    case uri, value, number
  }

  private let key: Key
  private let isDescending: Bool

  /// Parses the value of the option `sort`.
  init(_ text: String) throws(ProtocolError) {
    isDescending = text.hasPrefix("-")
    switch isDescending ? String(text.dropFirst()) : text {
    case "uri": key = .uri
    case "value": key = .value
    case "value_int": key = .number
    default: throw ProtocolError(.argument, "Unknown sort type")
    }
  }

  /// Returns `found`, which is sorted by URI, in this order.
  func sorted<Element>(_ found: [Element], by value: (Element) -> String) -> [Element] {
    switch key {
    case .uri: isDescending ? found.reversed() : found
    case .value: sorted(found, byKey: value)
    case .number: sorted(found, byKey: { Int64(value($0)) ?? 0 })
    }
  }

  /// Sorts by a key; elements with equal keys keep their order.
  private func sorted<Element, Value: Comparable>(_ found: [Element], byKey key: (Element) -> Value) -> [Element] {
    let keys = found.map(key)
    let positions = found.indices.sorted { left, right in
      if keys[left] == keys[right] { return left < right }
      return (keys[left] < keys[right]) != isDescending
    }
    return positions.map { found[$0] }
  }
}

extension ProtocolRange {
  /// Returns the elements in the range.
  func part<Element>(of elements: [Element]) -> ArraySlice<Element> {
    elements.dropFirst(start).prefix(max(0, (end ?? .max) - start))
  }
}
