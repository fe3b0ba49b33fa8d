import MusicModel
import UnicodeText

/// A pattern as the tables hold words: what to look for, and where.
struct QueryWords {
  /// The columns of `words`, of which one must hold it.
  let columns: [String]
  /// " blue train ", or for a beginning " blue tra".
  let needle: String
  let kind: TextPattern.Kind

  /// `nil` for texts that are no words: paths and formats.
  init?(_ field: LibraryQuery.TextField, _ pattern: TextPattern) {
    switch field {
    case .anywhere: columns = ["title", "artist", "album", "album_artist", "genre", "composer"]
    case .title: columns = ["title"]
    case .artist: columns = ["artist", "album_artist"]
    case .album: columns = ["album"]
    case .albumArtist: columns = ["album_artist"]
    case .genre: columns = ["genre"]
    case .composer: columns = ["composer"]
    case .path, .format: return nil
    }
    let words = pattern.text.searchWords
    kind = pattern.kind
    needle = kind == .beginning && !words.isEmpty ? String(words.dropLast()) : words
  }

  /// Whether nothing is left to look for: then it is true of every track.
  var isEmpty: Bool { needle.isEmpty }

  /// The words, without spaces around them.
  var phrase: String { needle.split(separator: " ").joined(separator: " ") }
}
