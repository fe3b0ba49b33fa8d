import MusicModel
import UnicodeText

/// The bytes by which the index sorts.
enum IndexSortKey {
  /// The key of a title or a sort name.
  static func of(_ text: String) -> [UInt8] { NaturalSortKey(text).bytes }

  /// The key of a name: an article before it does not count.
  static func of(name: String) -> [UInt8] { of(name.withoutArticle) }

  /// The key of an album: artist, date, title. Unknown artists and dates come last.
  static func of(_ album: Album) -> [UInt8] {
    var key: [UInt8] = []
    if let artist = album.sortArtist {
      key = of(artist)
    } else if let artist = album.artist {
      key = of(name: artist)
    }
    if key.isEmpty { key = [0xFF] }
    key.append(0)
    if let date = album.date {
      key += [UInt8(clamping: date.year >> 8), UInt8(truncatingIfNeeded: date.year)]
      key += [UInt8(clamping: date.month ?? 0), UInt8(clamping: date.day ?? 0)]
    } else {
      key.append(0xFF)
    }
    return key + titleKey(of: album)
  }

  /// The key of an album's title.
  static func titleKey(of album: Album) -> [UInt8] {
    album.sortTitle.map { of($0) } ?? of(name: album.title)
  }
}
