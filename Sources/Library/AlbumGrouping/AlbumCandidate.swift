// SPDX-License-Identifier: GPL-3.0-or-later

import UnicodeText

/// A track to be grouped, with the values that matter for it. Names are represented by their numbers in a
/// ``GroupingSource``.
struct AlbumCandidate: Sendable {
  /// The index of the track.
  let index: Int
  /// The directory of its album.
  let directory: Int
  /// The title of its album.
  let title: Int
  /// The title of its album, folded.
  let titleKey: Int
  /// Whether the title comes from a tag.
  let isTitled: Bool
  /// The first artist of the track without guests, folded.
  let artist: Int?
  /// The album artists as tagged.
  let shownAlbumArtist: Int?
  /// The album artists, folded.
  let albumArtist: Int?
  /// The MusicBrainz album id.
  let release: Int?
  /// The disc number: its own, or that of the title or directory.
  var disc: Int?
  /// The track number.
  var number: Int?
  /// The format of the file.
  let format: UInt64
  /// Whether the compilation flag is set.
  let isCompilation: Bool
  /// Whether the track number was taken from the file name, and so is not part of the title.
  var isNumberedByName = false

  /// The album artist, or else the track artist.
  var creditedArtist: Int? { albumArtist ?? artist }

  /// The disc and track number, by which two tracks count as the same one of an album.
  var place: Place? { number.map { Place(disc: disc ?? 1, number: $0) } }

  /// A track number on a disc.
  struct Place: Hashable, Sendable {
    let disc: Int
    let number: Int
  }
}

extension String {
  /// The folded form, or the text itself if folding leaves nothing.
  var matchingKey: String {
    let folded = foldedForMatching
    return folded.isEmpty ? self : folded
  }

  /// The artist without "feat. somebody" in any spelling, such as "(Ft. Somebody)" or "feat.Somebody".
  var withoutGuests: String {
    guard utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "f") }) else { return self }
    let words = split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace)
    let guests = words.dropFirst().firstIndex {
      let word = $0.drop { $0 == "(" || $0 == "[" }.lowercased()
      return ["feat", "ft", "featuring"].contains(word) || ["feat.", "ft."].contains { word.hasPrefix($0) }
    }
    guard let guests else { return self }
    return words[..<guests].joined(separator: " ")
  }

  /// Whether a folded artist name means various artists.
  var isVariousArtists: Bool {
    ["various artists", "various", "va", "v.a.", "v/a", "various artist"].contains(self)
  }
}
