// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

/// A track to be grouped, with the values that matter for grouping. Directories, titles, names and IDs are represented
/// by their numbers in a ``GroupingSource``.
struct AlbumCandidate: Sendable {
  /// The index of the track in ``GroupingSource/tracks``.
  let index: Int
  /// The directory of the track's album.
  let directory: Int
  let title: Int
  let titleKey: Int
  /// Whether the album title comes from a tag, and not from the directory.
  let isTitled: Bool
  /// The folded name of the track's first artist, without guests; `nil` if unknown.
  let artist: Int?
  /// The album artists as written in the tags; `nil` if there are none.
  let shownAlbumArtist: Int?
  /// The folded names of the album artists; `nil` if there are none.
  let albumArtist: Int?
  /// The MusicBrainz album ID; `nil` if there is none.
  let release: Int?
  /// The disc number, from the track's tags or, if they have none, from the album title or the directory.
  var disc: Int?
  var number: Int?
  /// The format of the file, which is given by its suffix.
  let format: UInt64
  let isCompilation: Bool
  /// Whether the track number was taken from the file name, and so must be removed from the title.
  var isNumberedByName = false

  /// The album artist or, if there is none, the track artist.
  var creditedArtist: Int? { albumArtist ?? artist }

  /// The disc and track number. Two tracks with the same position count as the same track of an album.
  var position: Position? { number.map { Position(disc: disc ?? 1, number: $0) } }

  struct Position: Hashable, Sendable {
    let disc: Int
    let number: Int
  }
}

extension String {
  /// The folded form of the text, or the text itself if folding leaves nothing.
  var matchingKey: String {
    let folded = foldedForMatching
    return folded.isEmpty ? self : folded
  }

  /// The artist's name without guests, which follow "feat." in any spelling, such as "(Ft. Somebody)" or
  /// "feat.Somebody".
  var withoutGuests: String {
    guard utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "f") }) else { return self }
    let words = split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
    let guestIndex = words.dropFirst().firstIndex {
      let word = $0.drop { $0 == "(" || $0 == "[" }.lowercased()
      return ["feat", "ft", "featuring"].contains(word) || ["feat.", "ft."].contains { word.hasPrefix($0) }
    }
    guard let guestIndex else { return self }
    return words[..<guestIndex].joined(separator: " ")
  }

  /// Whether a folded artist name means various artists.
  var isVariousArtists: Bool {
    ["various artists", "various", "va", "v.a.", "v/a", "various artist"].contains(self)
  }
}
