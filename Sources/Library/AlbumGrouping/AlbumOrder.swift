public import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// The order in which albums are listed: by artist, then date, then title.
///
/// Sort names stand in for names; without one, a leading "The", "A" or "An" does not count. Articles of other languages
/// do: "Die", "La", "Los" and the like begin English names, too ("Die Another Day", "La La Land", "Los Angeles"), and
/// where they are articles, sort names say so. Names compare by their collation (see ``CollationKey``), artists that
/// match as one. Albums of no known artist come last, and of an artist's those without a date; a last tie is decided by
/// the path of the first track.
public enum AlbumOrder {
  /// The albums in that order.
  public static func sorted(_ albums: [Album]) -> [Album] {
    guard albums.count > 1 else { return albums }
    return albums.map { (key: sortKey(of: $0), album: $0) }.sorted { left, right in
      if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
      guard let path = left.album.tracks.first?.path, let other = right.album.tracks.first?.path else {
        return false
      }
      return path.isOrdered(before: other)
    }.map(\.album)
  }

  /// The key by which albums are in that order, but for the last tie: bytes that compare from the first.
  public static func sortKey(of album: Album) -> [UInt8] {
    var key = artistKey(of: album)
    key.append(0)
    if let date = album.date {
      key.append(UInt8(truncatingIfNeeded: date.year >> 8))
      key.append(UInt8(truncatingIfNeeded: date.year))
      key.append(UInt8(truncatingIfNeeded: date.month ?? 0))
      key.append(UInt8(truncatingIfNeeded: date.day ?? 0))
    } else {
      key.append(contentsOf: [.max, .max, .max, .max])
    }
    key.append(contentsOf: titleKey(of: album))
    return key
  }

  /// The key by which albums are ordered by title. No byte is 0.
  public static func titleKey(of album: Album) -> [UInt8] {
    nameKey(album.title, sortName: album.sortTitle)
  }

  /// The key by which albums are ordered by artist: artists that match have one, and no artist the last. No byte is 0.
  public static func artistKey(of album: Album) -> [UInt8] {
    guard let name = album.sortArtist ?? album.artist?.withoutArticle else { return [.max] }
    return CollationKey(matching: name).bytes
  }

  /// The key by which tracks are ordered by title. No byte is 0.
  public static func titleKey(of track: Track) -> [UInt8] {
    nameKey(track.title, sortName: track.sortNames.title)
  }

  /// The key by which names, such as those of artists and genres, are ordered: by the sort name where there is one, or
  /// else without the article. No byte is 0.
  public static func nameKey(_ name: String, sortName: String? = nil) -> [UInt8] {
    CollationKey(sortName ?? name.withoutArticle).bytes
  }
}

extension String {
  /// The name without "The", "A" or "An" before it.
  fileprivate var withoutArticle: String {
    guard let first = utf8.first, first | 0x20 == UInt8(ascii: "t") || first | 0x20 == UInt8(ascii: "a")
    else {
      return self
    }
    let lower = prefix(4).lowercased()
    for article in ["the ", "an ", "a "] where lower.hasPrefix(article) {
      let rest = dropFirst(article.count).drop { $0 == " " }
      return rest.isEmpty ? self : String(rest)
    }
    return self
  }
}

extension FilePath {
  /// The bytes of the path.
  var bytes: [UInt8] { systemBytes }

  /// Whether its bytes come before those of `other`.
  func isOrdered(before other: FilePath) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}
