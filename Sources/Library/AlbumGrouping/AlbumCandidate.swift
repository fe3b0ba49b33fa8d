import UnicodeText

/// A track on its way into an album, with what it is grouped by; names are numbers of a ``GroupingSource``.
struct AlbumCandidate: Sendable {
  /// Which of the tracks it is.
  let index: Int
  /// The directory of its album.
  let directory: Int
  /// The title of its album.
  let title: Int
  /// The same, folded.
  let titleKey: Int
  /// Whether a tag gave the title.
  let isTitled: Bool
  /// The first of the track's artists without guests; folded.
  let artist: Int?
  /// The album's artists as its tags name them.
  let shownAlbumArtist: Int?
  /// The same, folded.
  let albumArtist: Int?
  /// The MusicBrainz id.
  let release: Int?
  /// The disc: its own, or that of the title or directory.
  var disc: Int?
  /// The number on the disc.
  var number: Int?
  /// The format of the file.
  let format: UInt64
  /// The flag.
  let isCompilation: Bool
  /// Whether the number is that before the file's name, which is no part of the title then.
  var isNumberedByName = false

  /// The artist that it counts for: the album's, or else the track's.
  var creditedArtist: Int? { albumArtist ?? artist }

  /// The place by which two tracks are the same one of an album.
  var place: Place? { number.map { Place(disc: disc ?? 1, number: $0) } }

  /// A number on a disc.
  struct Place: Hashable, Sendable {
    let disc: Int
    let number: Int
  }
}

extension String {
  /// The folded form, or the text itself where nothing is left of it.
  var matchingKey: String {
    let folded = foldedForMatching
    return folded.isEmpty ? self : folded
  }

  /// The artist without "feat. somebody", however that is written: "(Ft. Somebody)", "feat.Somebody".
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

  /// Whether a folded artist stands for many.
  var isVariousArtists: Bool {
    ["various artists", "various", "va", "v.a.", "v/a", "various artist"].contains(self)
  }
}
