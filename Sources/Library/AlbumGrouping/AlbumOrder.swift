// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// The order in which albums are listed: by artist, then date, then title.
///
/// Sort names are used instead of names. Without a sort name, a leading "The", "A" or "An" is ignored. Articles of
/// other languages are not ignored, because "Die", "La", "Los" and the like also begin English names ("Die Another
/// Day", "La La Land", "Los Angeles"); where they are articles, sort names can say so. Names are compared by collation
/// key (see ``CollationKey``), and artists whose names match count as one. Albums without a known artist come last, and
/// an artist's albums without a date come after the others. Remaining ties are decided by the path of the first track.
public enum AlbumOrder {
  /// Returns the albums sorted by artist, then date, then title.
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

  /// Returns the key by which an album is sorted, except for ties. Keys are compared byte by byte.
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

  /// Returns the key by which an album is sorted by title. It contains no zero byte.
  public static func titleKey(of album: Album) -> [UInt8] {
    nameKey(album.title, sortName: album.sortTitle)
  }

  /// Returns the key by which an album is sorted by artist. Artists whose names match have the same key, and a missing
  /// artist has the key that comes last. It contains no zero byte.
  public static func artistKey(of album: Album) -> [UInt8] {
    guard let artist = album.artist else { return album.sortArtist.map { artistKey($0, sortName: $0) } ?? [.max] }
    return artistKey(artist, sortName: album.sortArtist)
  }

  /// Returns the key by which the albums of an artist are sorted: that of the sort name or, if there is none, of the
  /// name. It contains no zero byte.
  package static func artistKey(_ name: String, sortName: String?) -> [UInt8] {
    CollationKey(matching: sortName ?? name.withoutArticle).bytes
  }

  /// Returns the key by which a track is sorted by title. It contains no zero byte.
  public static func titleKey(of track: Track) -> [UInt8] {
    nameKey(track.title, sortName: track.sortNames.title)
  }

  /// Returns the key by which a name, such as that of an artist or a genre, is sorted: that of the sort name or, if
  /// there is none, of the name without a leading article. It contains no zero byte.
  public static func nameKey(_ name: String, sortName: String? = nil) -> [UInt8] {
    CollationKey(sortName ?? name.withoutArticle).bytes
  }
}

extension String {
  /// The name without a leading "The", "A" or "An".
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
  var bytes: [UInt8] { systemBytes }

  /// Whether the bytes of this path sort before those of `other`.
  func isOrdered(before other: FilePath) -> Bool {
    bytes.lexicographicallyPrecedes(other.bytes)
  }
}
