import UnicodeText

/// What is searched of a track.
struct TrackWords: Sendable, Hashable {
  var title: String
  var artist: String
  var album: String
  var albumArtist: String
  var genre: String
  var composer: String

  /// What a title is found by, of which `title` are the words.
  static func words(ofTitle title: String, sortTitle: String?) -> String {
    let edge = "\u{1F}"
    guard let sort = sortTitle?.searchWords, !sort.isEmpty, sort != title else {
      return title.isEmpty ? "" : edge + title + edge
    }
    return title.isEmpty ? edge + sort + edge : edge + title + edge + sort + edge
  }
}
