import MusicModel

/// By what an album is found by way of its tracks: most of them give the same names, which are made into words once.
struct AlbumNames {
  private let title: String
  private let sortTitle: String?
  private let artists: [IndexName]
  private let artistWords: String
  private var last: (title: String?, words: String)?

  /// The names of `album`; its artists one by one, as the tags that name them do.
  init(_ album: Album, maker: inout TrackRecordMaker) {
    title = album.title
    sortTitle = album.sortTitle
    guard let artist = album.artist else {
      artists = []
      artistWords = ""
      return
    }
    let names =
      album.tracks.first { $0.albumArtists.joined(separator: ", ") == artist }?.albumArtists
      ?? album.tracks.first { $0.artists.joined(separator: ", ") == artist }?.artists ?? [artist]
    artists = maker.indexNames(names, sort: names.count == 1 ? album.sortArtist : nil)
    artistWords = artists.words
  }

  /// The words of the album's title, of its sort name, and of the title by which a track's tags call it.
  mutating func words(with tagged: String?, maker: inout TrackRecordMaker) -> String {
    if let last, last.title == tagged { return last.words }
    let words = maker.indexNames([title, tagged, sortTitle].compactMap { $0 }, sort: nil).words
    last = (tagged, words)
    return words
  }

  /// The album's artists with those that a track's tags call so, and their words.
  func artists(with tagged: [IndexName]) -> (names: [IndexName], words: String) {
    if artists.isEmpty { return (tagged, tagged.words) }
    let others = tagged.filter { other in !artists.contains { $0.key == other.key } }
    if others.isEmpty { return (artists, artistWords) }
    let names = artists + others
    return (names, names.words)
  }
}
