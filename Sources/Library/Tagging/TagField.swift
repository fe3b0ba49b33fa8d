// SPDX-License-Identifier: GPL-3.0-or-later

/// A tag field that the library knows, identified by TagLib's name for it.
enum TagField: UInt8, CaseIterable {
  case title, titleSort, artist, artists, artistSort, album, albumSort
  case albumArtist, albumArtistSpaced, albumArtistUnderscored, albumArtists, albumArtistSort
  case genre, composer, trackNumber, track, trackTotal, totalTracks, discNumber, disc, discTotal, totalDiscs
  case date, year, releaseDate, originalDate, originalYear, compilation
  case trackGain, trackPeak, albumGain, albumPeak, r128TrackGain, r128AlbumGain
  case musicBrainzAlbumID, cueSheet

  /// TagLib's name for the field, in upper case.
  var name: String {
    switch self {
    case .title: "TITLE"
    case .titleSort: "TITLESORT"
    case .artist: "ARTIST"
    case .artists: "ARTISTS"
    case .artistSort: "ARTISTSORT"
    case .album: "ALBUM"
    case .albumSort: "ALBUMSORT"
    case .albumArtist: "ALBUMARTIST"
    case .albumArtistSpaced: "ALBUM ARTIST"
    case .albumArtistUnderscored: "ALBUM_ARTIST"
    case .albumArtists: "ALBUMARTISTS"
    case .albumArtistSort: "ALBUMARTISTSORT"
    case .genre: "GENRE"
    case .composer: "COMPOSER"
    case .trackNumber: "TRACKNUMBER"
    case .track: "TRACK"
    case .trackTotal: "TRACKTOTAL"
    case .totalTracks: "TOTALTRACKS"
    case .discNumber: "DISCNUMBER"
    case .disc: "DISC"
    case .discTotal: "DISCTOTAL"
    case .totalDiscs: "TOTALDISCS"
    case .date: "DATE"
    case .year: "YEAR"
    case .releaseDate: "RELEASEDATE"
    case .originalDate: "ORIGINALDATE"
    case .originalYear: "ORIGINALYEAR"
    case .compilation: "COMPILATION"
    case .trackGain: "REPLAYGAIN_TRACK_GAIN"
    case .trackPeak: "REPLAYGAIN_TRACK_PEAK"
    case .albumGain: "REPLAYGAIN_ALBUM_GAIN"
    case .albumPeak: "REPLAYGAIN_ALBUM_PEAK"
    case .r128TrackGain: "R128_TRACK_GAIN"
    case .r128AlbumGain: "R128_ALBUM_GAIN"
    case .musicBrainzAlbumID: "MUSICBRAINZ_ALBUMID"
    case .cueSheet: "CUESHEET"
    }
  }

  /// Whether the index has a column for the field, so that it need not be stored under its name.
  var hasColumn: Bool {
    switch self {
    case .artists, .albumArtistSpaced, .albumArtistUnderscored, .albumArtists, .track, .totalTracks, .disc,
      .totalDiscs, .year, .releaseDate, .originalDate, .originalYear, .cueSheet:
      false
    default: true
    }
  }

  /// Creates the field with this name, which must be in upper case, or returns `nil` if it is not known.
  init?(name: String) {
    let text = name.utf8
    guard text.count < Self.byLength.count,
      let found = Self.byLength[text.count].first(where: { $0.name.utf8.elementsEqual(text) })
    else { return nil }
    self = found.field
  }

  /// Other names that programs give to fields.
  private static let otherNames: [(name: String, field: TagField)] = [
    ("ORIGINAL DATE", .originalDate), ("ORIGINAL_DATE", .originalDate), ("ORIGINALRELEASEDATE", .originalDate),
    ("ORIGINAL RELEASE DATE", .originalDate), ("ORIGINALRELEASETIME", .originalDate), ("ORIGYEAR", .originalYear),
    ("ORIGINAL YEAR", .originalYear), ("ORIGINAL_YEAR", .originalYear), ("ORIGINALRELEASEYEAR", .originalYear),
    ("ORIGINAL RELEASE YEAR", .originalYear), ("RELEASE DATE", .releaseDate), ("RELEASE_DATE", .releaseDate),
    ("ALBUM ARTISTS", .albumArtists), ("ALBUM_ARTISTS", .albumArtists),
  ]

  /// The fields with their names, by the length of the names; there are only a few for each length.
  private static let byLength: [[(name: String, field: TagField)]] =
    (allCases.map { ($0.name, $0) } + otherNames).reduce(into: Array(repeating: [], count: 24)) {
      $0[$1.name.utf8.count].append($1)
    }
}

struct TagFieldSet: Equatable {
  private var bits: UInt64 = 0

  func contains(_ field: TagField) -> Bool { bits & (1 << UInt64(field.rawValue)) != 0 }

  mutating func insert(_ field: TagField) { bits |= 1 << UInt64(field.rawValue) }
}
