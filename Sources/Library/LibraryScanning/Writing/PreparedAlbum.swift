// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import LibraryIndex
import MusicModel
import UnicodeText

/// An album of tracks that were read together. It can be written if no other track's grouping depends on them.
struct PreparedAlbum: Sendable {
  let record: AlbumRecord
  /// The tracks in playing order, each with its index among the tracks that were read together.
  let tracks: [(index: Int, track: PreparedTrack)]

  static func albums(of records: [TrackRecord], maker: inout TrackRecordMaker) -> [PreparedAlbum] {
    var albums: [PreparedAlbum] = []
    for (album, indexes) in AlbumGrouping.grouped(records.map(\.track)) {
      var names = AlbumNames(album, maker: &maker)
      var tracks: [(index: Int, track: PreparedTrack)] = []
      tracks.reserveCapacity(indexes.count)
      for (track, index) in zip(album.tracks, indexes) {
        let shown = ShownFields(track)
        tracks.append((index, PreparedTrack(records[index], shown: shown, in: &names, maker: &maker)))
      }
      albums.append(PreparedAlbum(record: AlbumRecord(album), tracks: tracks))
    }
    return albums
  }
}

/// The values of a track that depend on its album.
struct PreparedTrack: Sendable {
  let shown: ShownFields
  let words: TrackWords
  let names: TrackNames

  init(
    _ record: TrackRecord, shown: ShownFields, in album: inout AlbumNames, maker: inout TrackRecordMaker
  ) {
    self.shown = shown
    let albumArtists = album.artists(with: record.albumArtists)
    words = Self.words(
      record, shown, album: album.words(with: record.track.album, maker: &maker),
      albumArtist: albumArtists.words)
    names = TrackNames(artists: record.artists, albumArtists: albumArtists.names, genres: record.genres)
  }

  /// Creates the values of a track that stays in its former album until its group is decided.
  init(_ record: TrackRecord, in former: FormerTrack) {
    // If the tags have not changed, grouping will derive the same values again.
    let tagged = ShownFields(record.track)
    shown = tagged == former.tagged ? former.shown : tagged
    words = Self.words(
      record, shown, album: former.words.album, albumArtist: former.words.albumArtist)
    names = TrackNames(
      artists: record.artists, albumArtists: [], genres: record.genres,
      formerAlbumArtists: former.words.albumArtist)
  }

  /// Returns the search words of a track in an album with the words `album` and `albumArtist`.
  private static func words(
    _ record: TrackRecord, _ shown: ShownFields, album: String, albumArtist: String
  ) -> TrackWords {
    TrackWords(
      title: TrackWords.words(
        ofTitle: record.titleWords(of: shown), sortTitle: record.track.sortNames.title),
      artist: record.artistWords, album: album, albumArtist: albumArtist, genre: record.genreWords,
      composer: record.composerWords)
  }
}

/// A part of a first scan: tracks that were read together, and their albums.
struct ReadPart {
  /// The range of the tracks among those to be written.
  let tracks: Range<Int>
  /// The albums of the tracks, which are valid if nothing else depends on the tracks; `nil` if none were prepared.
  let albums: [PreparedAlbum]?
}

/// The values of an album's row that come from the tags of its tracks.
struct AlbumRecord: Sendable {
  let title: String
  let artist: String?
  let titleKey: String
  let artistKey: String
  let sortTitleKey: String?
  let sortArtistKey: String?
  var sort: [UInt8]
  let titleSort: [UInt8]
  let date: ReleaseDate?
  let isCompilation: Bool

  init(_ album: Album) {
    title = album.title
    artist = album.artist
    titleKey = album.title.searchWords
    artistKey = (album.artist ?? "").searchWords
    sortTitleKey = (album.sortTitle?.searchWords).flatMap { $0.isEmpty ? nil : $0 }
    sortArtistKey = (album.sortArtist?.searchWords).flatMap { $0.isEmpty ? nil : $0 }
    sort = AlbumOrder.sortKey(of: album)
    titleSort = AlbumOrder.titleKey(of: album)
    date = album.date
    isCompilation = album.isCompilation
  }
}

/// The values of an album's row in the index.
struct NewAlbum {
  /// The columns of the table `album`.
  static let columns = [
    "id", "library", "title", "artist", "title_key", "artist_key", "sort_title_key", "sort_artist_key",
    "sort",
    "title_sort", "year", "month", "day", "is_compilation", "track_count", "duration", "added",
  ]

  let id: Int64
  var record: AlbumRecord
  /// The time when each track was added, in seconds since 1970, and the track's duration in milliseconds.
  let tracks: [(added: Int64, duration: Int64?)]

  /// Binds the values of the album's row, in the order of the columns.
  func bind(to values: some ColumnValues, library: Int64) {
    values.bind(id)
    values.bind(library)
    values.bind(record.title)
    values.bind(record.artist)
    values.bind(record.titleKey)
    values.bind(record.artistKey)
    values.bind(record.sortTitleKey)
    values.bind(record.sortArtistKey)
    values.bind(record.sort)
    values.bind(record.titleSort)
    values.bind(record.date?.year)
    values.bind(record.date?.month)
    values.bind(record.date?.day)
    values.bind(record.isCompilation)
    values.bind(tracks.count)
    values.bind(tracks.reduce(0 as Int64) { $0.addingReportingOverflow($1.duration ?? 0).partialValue })
    values.bind(tracks.lazy.map(\.added).min())
  }
}

/// The names by which the tracks of an album are found. Most of the tracks have the same names, so the search words of
/// the names are computed only once.
struct AlbumNames {
  private let title: String
  private let sortTitle: String?
  private let artists: [IndexName]
  private let artistWords: String
  /// The search words of the artists as the album credits them.
  private let creditKey: String
  private var last: (title: String?, words: String)?

  /// Creates the names of `album`. Several artists are separate names if the tags of a track list them one by one.
  init(_ album: Album, maker: inout TrackRecordMaker) {
    title = album.title
    sortTitle = album.sortTitle
    guard let artist = album.artist else {
      artists = []
      artistWords = ""
      creditKey = ""
      return
    }
    let names =
      Self.names(in: album, \.albumArtists) { $0.albumArtistCredit == artist }
      ?? Self.names(in: album, \.artists) { $0.artistCredit == artist }
      ?? Self.names(in: album, \.artists) { $0.artists.joined(separator: ", ") == artist } ?? [artist]
    creditKey = names == [artist] ? "" : artist.searchWords
    artists = maker.indexNames(names, sort: names.count == 1 ? album.sortArtist : nil)
    artistWords = artists.words
  }

  /// Returns the names in one of the tracks that credit the album's artist, if possible one that lists them one by one.
  private static func names(
    in album: Album, _ names: (Track) -> [String], _ isCredited: (Track) -> Bool
  ) -> [String]? {
    let found = album.tracks.lazy.filter(isCredited).map(names)
    return found.first { $0 != album.artist.map { [$0] } } ?? found.first
  }

  /// Returns the search words of the album's title, of its sort title, and of the album title in a track's tags.
  mutating func words(with tagged: String?, maker: inout TrackRecordMaker) -> String {
    if let last, last.title == tagged { return last.words }
    let words = maker.indexNames([title, tagged, sortTitle].compactMap { $0 }, sort: nil).words
    last = (tagged, words)
    return words
  }

  /// Returns the album's artists together with those in a track's tags, and the search words of all of them.
  func artists(with tagged: [IndexName]) -> (names: [IndexName], words: String) {
    if artists.isEmpty { return (tagged, tagged.words) }
    // A track may have only the credit where others list the artists one by one.
    let others = tagged.filter { other in
      other.key != creditKey && !artists.contains { $0.key == other.key }
    }
    if others.isEmpty { return (artists, artistWords) }
    let names = artists + others
    return (names, names.words)
  }
}

/// The search words of a track, by field.
struct TrackWords: Sendable, Hashable {
  var title: String
  var artist: String
  var album: String
  var albumArtist: String
  var genre: String
  var composer: String

  /// Returns the search words of a title and its sort title, given the search words of the title.
  static func words(ofTitle title: String, sortTitle: String?) -> String {
    let separator = "\u{1F}"
    guard let sort = sortTitle?.searchWords, !sort.isEmpty, sort != title else {
      return title.isEmpty ? "" : separator + title + separator
    }
    return title.isEmpty ? separator + sort + separator : separator + title + separator + sort + separator
  }
}
