// SPDX-License-Identifier: GPL-3.0-or-later

import LibraryIndex
import LibraryScanning
import MusicModel
import SystemPackage

/// The rating of an album as clients know it: the sticker `rating` of a filter that only the songs of one album match.
/// It is the user's rating of that album.
enum AlbumSticker {
  /// Returns a track of the only album that a filter names; `nil` if it names none, or several.
  static func track(_ expression: String, _ context: CommandContext) throws(ProtocolError) -> Int64? {
    var parser = FilterParser(ignoresCase: false)
    let filter = try parser.parse([expression])
    guard filter.namesAlbum else { return nil }
    return try context.library.index.browsing { try $0.trackOfOnlyAlbum(filter) } ?? nil
  }

  /// Returns the filters of the albums that have a rating, with the rating. The filters are in the form that clients
  /// use.
  ///
  /// - Parameter match: The condition on the rating; `nil` accepts any.
  static func ratings(
    in library: any BrowsableLibrary, _ match: StickerMatch?
  ) throws(LibraryError) -> [(object: String, value: String)] {
    let rated = try library.stickers(Sticker.albumRating, within: "", match)
    let values = Dictionary(rated.map { ($0.track, $0.value) }) { first, _ in first }
    return try library.browse(isQuick: false) { browser in
      try browser.tracks(browser.firstOfAlbums(rated.map(\.track))).compactMap { found in
        guard let filter = filter(ofAlbumOf: found.track), let value = values[found.id] else { return nil }
        return (filter, value)
      }
    } ?? []
  }

  /// Returns the filter for the album of a track; `nil` if the album has no name in the track's tags.
  private static func filter(ofAlbumOf track: Track) -> String? {
    guard let album = track.album else { return nil }
    let parts: [(tag: SongTag, value: String?)] = [
      (.albumArtist, track.albumArtists.first ?? track.artists.first), (.album, album),
      (.date, SongTag.date.values(of: track).first),
    ]
    let conditions = parts.compactMap { tag, value in value.map { "(\(tag.rawValue) == \($0.protocolQuoted))" } }
    return "(\(conditions.joined(separator: " AND ")))"
  }
}

extension TrackFilter {
  /// Whether the filter compares the title or the ID of an album, and otherwise only what its tracks have in common.
  fileprivate var namesAlbum: Bool {
    guard case .all(let parts) = self else { return namesAlbum(by: [.album, .musicBrainzAlbumID]) }
    let shared: [TrackTag] = [
      .album, .albumSort, .albumArtist, .albumArtistSort, .artist, .date, .releaseDate, .musicBrainzAlbumID,
      .additional(.originalDate), .additional(.label), .additional(.musicBrainzAlbumArtistID),
      .additional(.musicBrainzReleaseGroupID),
    ]
    return parts.contains(where: \.namesAlbum) && parts.allSatisfy { $0.namesAlbum || $0.namesAlbum(by: shared) }
  }

  /// Whether the filter compares the whole value of one of these tags with a text.
  private func namesAlbum(by tags: [TrackTag]) -> Bool {
    guard case .text(.field(let tag), .equals, let text, _, _) = self else { return false }
    return tags.contains(tag) && !text.isEmpty
  }
}
