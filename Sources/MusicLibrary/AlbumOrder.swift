public import MusicModel
import UnicodeText

/// The order in which albums are listed: by artist, then date, then title.
///
/// Sort names stand in for names; without one, a leading "The", "A" or "An" does not count. Names compare folded
/// and in natural order. Albums of no known artist come last, and of an artist's those without a date; a last
/// tie is decided by the path of the first track.
public enum AlbumOrder {
  /// The albums in that order.
  public static func sorted(_ albums: [Album]) -> [Album] {
    guard albums.count > 1 else { return albums }
    return albums.map { (key: Key($0), album: $0) }.sorted { $0.key < $1.key }.map(\.album)
  }

  private struct Key: Comparable {
    let artist: NaturalSortKey?
    let date: [Int]
    let title: NaturalSortKey
    let path: [UInt8]

    init(_ album: Album) {
      artist = (album.sortArtist ?? album.artist?.withoutArticle).map { NaturalSortKey($0.foldedForMatching) }
      date = album.date.map { [$0.year, $0.month ?? 0, $0.day ?? 0] } ?? [.max]
      title = NaturalSortKey((album.sortTitle ?? album.title.withoutArticle).foldedForMatching)
      path = album.tracks.first?.path.bytes ?? []
    }

    static func < (left: Key, right: Key) -> Bool {
      if left.artist != right.artist {
        guard let artist = left.artist else { return false }
        guard let other = right.artist else { return true }
        return artist < other
      }
      if left.date != right.date { return left.date.lexicographicallyPrecedes(right.date) }
      if left.title != right.title { return left.title < right.title }
      return left.path.lexicographicallyPrecedes(right.path)
    }
  }
}

extension String {
  /// The name without "The", "A" or "An" before it.
  var withoutArticle: String {
    let lower = prefix(4).lowercased()
    for article in ["the ", "an ", "a "] where lower.hasPrefix(article) {
      let rest = dropFirst(article.count).drop { $0 == " " }
      return rest.isEmpty ? self : String(rest)
    }
    return self
  }
}
