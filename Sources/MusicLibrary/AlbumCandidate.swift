import MusicModel
import UnicodeText

/// A track on its way into an album, with what it is grouped by.
struct AlbumCandidate: Sendable {
  /// The track, its disc filled in.
  var track: Track
  /// The title of its album.
  var title: String
  /// Whether a tag gave the title.
  var isTitled: Bool
  /// The artist that it counts for: the album's, or the first of the track's without guests; folded.
  let artistKey: String?
  /// The album's artists as its tags name them; folded.
  let albumArtistKey: String?

  /// A candidate for the album `title`.
  init(track: Track, title: String, isTitled: Bool) {
    self.track = track
    self.title = title
    self.isTitled = isTitled
    let albumArtist = track.albumArtists.joined(separator: ", ")
    albumArtistKey = albumArtist.isEmpty ? nil : albumArtist.matchingKey
    artistKey = albumArtistKey ?? track.artists.first.map { $0.withoutGuests.matchingKey }
  }

  /// The place by which two tracks are the same one of an album.
  var place: Place? { track.number.map { Place(disc: track.disc?.number ?? 1, number: $0.number) } }

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

  /// The artist without "feat. somebody".
  var withoutGuests: String {
    guard contains("f") || contains("F") else { return self }
    let words = split(separator: " ", omittingEmptySubsequences: false)
    let guests = words.dropFirst().firstIndex {
      let word = $0.drop { $0 == "(" || $0 == "[" }.lowercased()
      return ["feat.", "feat", "ft.", "ft", "featuring"].contains(word)
    }
    guard let guests else { return self }
    return words[..<guests].joined(separator: " ")
  }

  /// Whether a folded artist stands for many.
  var isVariousArtists: Bool {
    ["various artists", "various", "va", "v.a.", "v/a", "various artist"].contains(self)
  }
}
