// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
public import MusicModel
public import SystemPackage
import Tagging

/// A filter for tracks that compares exact text, as the protocols of other players define it.
///
/// A `LibraryQuery` compares words as people do; a filter compares characters.
public indirect enum TrackFilter: Sendable, Hashable {
  /// The text of a track that is compared.
  public enum Subject: Sendable, Hashable {
    /// The field, or its fallback if the track does not have it.
    case field(TrackTag)
    case anyField
    /// The file's path, relative to the library's directory.
    case file
    /// A field that no track has.
    case absentField
  }

  /// The way in which a value is compared with the text.
  public enum Comparison: Sendable, Hashable {
    /// A value equals the text.
    case equals
    /// A value contains the text.
    case contains
    /// A value begins with the text.
    case begins
    /// A part of a value matches the text, which is a Perl-compatible regular expression. An invalid expression matches
    /// nothing.
    case matches
  }

  /// Matches every track.
  case everything
  /// Matches tracks for which a value of the subject passes the comparison with the text. Empty text equals a missing
  /// field. Diacritics can be ignored only if case is ignored as well.
  case text(Subject, Comparison, String, ignoresCase: Bool, ignoresDiacritics: Bool = false)
  /// Matches the tracks in the file at this path, or inside the directory at this path, at any depth. The path is
  /// relative to the library's directory.
  case within(FilePath)
  /// Matches the tracks in the file at this path, which is relative to the library's directory.
  case file(FilePath)
  /// Matches tracks whose file was modified at this time or later, in nanoseconds since 1970.
  case modified(since: Int64)
  /// Matches tracks that were added at this time or later, in seconds since 1970.
  case added(since: Int64)
  /// Matches tracks with this sample rate in Hz, this bit depth (0 for none) and this number of channels. Values that
  /// are `nil` are not compared.
  case format(rate: Int?, bits: Int?, channels: Int?)
  /// Matches items of a queue with at least this priority. A track of the library has priority 0.
  case priority(atLeast: Int)
  /// Matches the tracks that the given filter does not match.
  case not(TrackFilter)
  /// Matches the tracks that match all of these filters.
  case all([TrackFilter])
}

/// The sort order of the tracks that match a filter.
public struct TrackOrder: Sendable, Hashable {
  /// A sort key. Tracks with equal keys are sorted by ``library``.
  public enum Key: Sendable, Hashable {
    /// Artist, date, album, disc and number: the order in which albums are listed.
    case library
    /// The field, or its fallback if a track does not have it.
    case field(TrackTag)
    /// The file's modification time.
    case modified
    /// The time when the track was added.
    case added
  }

  /// The sort key.
  public var key: Key
  /// Whether the order is descending.
  public var isDescending: Bool

  /// Creates the order by `key`.
  public init(_ key: Key = .library, isDescending: Bool = false) {
    self.key = key
    self.isDescending = isDescending
  }

  /// The ORDER BY terms for rows of `track` and `album`, as SQL.
  var sql: String {
    let direction = isDescending ? " DESC" : ""
    let firstTerm: String
    switch key {
    case .library: return "album.sort\(direction), album.id\(direction), track.place\(direction)"
    case .field(.title): firstTerm = "track.title_sort"
    case .field(let field): firstTerm = field.numberColumn ?? "\(field.columnWithFallback) COLLATE NOCASE"
    case .modified: firstTerm = "track.mtime"
    case .added: firstTerm = "track.added"
    }
    return "\(firstTerm)\(direction), album.sort, album.id, track.place"
  }
}

/// A text field of a track in the index, which may have several values.
public enum TrackTag: Sendable, Hashable {
  /// The track's artists.
  case artist
  /// The sort name of the artists.
  case artistSort
  /// The album's title.
  case album
  /// The sort name of the album.
  case albumSort
  /// The album's artists.
  case albumArtist
  /// The sort name of the album's artists.
  case albumArtistSort
  /// The track's title.
  case title
  /// The sort name of the title.
  case titleSort
  /// The track number, as it is shown.
  case track
  /// The genres.
  case genre
  /// The date that is shown, in ISO 8601, as precise as it is known.
  case date
  /// The date when the edition was released, in ISO 8601.
  case releaseDate
  case composer
  /// The disc number.
  case disc
  /// The release's MusicBrainz identifier.
  case musicBrainzAlbumID
  case additional(AdditionalTags.Kind)

  /// The SQL function `segue_tags`, which returns the values of one kind in the column `tags`, or all values if the
  /// kind is NULL.
  static let sqlFunction = DatabaseFunction("segue_tags", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]) else { return nil }
    let kind = UInt8.fromDatabaseValue(values[1]).flatMap(AdditionalTags.Kind.init)
    let found = AdditionalTags(json: text).values.filter { kind == nil || $0.kind == kind }
    return found.isEmpty ? nil : found.map(\.text).joined(separator: "\u{1F}")
  }

  /// The SQL function `segue_year`, which returns the year of the first value of one kind in the column `tags`; NULL if
  /// there is none.
  static let yearFunction = DatabaseFunction("segue_year", argumentCount: 2, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]),
      let kind = UInt8.fromDatabaseValue(values[1]).flatMap(AdditionalTags.Kind.init)
    else { return nil }
    return AdditionalTags(json: text)[kind].lazy.compactMap { ReleaseDate(tag: $0) }.first?.year
  }

  /// The year of the tags of this kind, which are dates, as an SQL expression on a row of `track`.
  static func year(_ kind: AdditionalTags.Kind) -> String {
    "(CASE WHEN \(kind.isInTags) THEN segue_year(track.tags, \(kind.rawValue)) END)"
  }

  /// The text fields that have columns of their own.
  static let textFields: [TrackTag] = [
    .artist, .artistSort, .album, .albumSort, .albumArtist, .albumArtistSort, .title, .titleSort, .genre, .composer,
    .musicBrainzAlbumID,
  ]

  /// The fields whose values are numbers or consist of numbers.
  static let numberFields: [TrackTag] = [.track, .disc, .releaseDate]

  /// The field as an SQL expression on a row of `track`: its values, separated by U+001F, or NULL if there are none.
  var column: String {
    switch self {
    case .artist: "track.artists"
    case .artistSort: "track.sort_artist"
    case .album: "track.album_title"
    case .albumSort: "track.sort_album"
    case .albumArtist: "track.album_artists"
    case .albumArtistSort: "track.sort_album_artist"
    case .title: "track.title"
    case .titleSort: "track.sort_title"
    case .track: "coalesce(\(TrackTag.additional(.writtenNumber).column), CAST(track.number AS TEXT))"
    case .genre: "track.genres"
    case .date:
      """
      (CASE WHEN track.year IS NOT NULL THEN printf('%04d', track.year) \
      || CASE WHEN track.month > 0 THEN printf('-%02d', track.month) ELSE '' END \
      || CASE WHEN track.month > 0 AND track.day > 0 THEN printf('-%02d', track.day) ELSE '' END END)
      """
    case .releaseDate: "coalesce(\(TrackTag.additional(.releaseDate).column), \(TrackTag.date.column))"
    case .composer: "track.composers"
    case .disc: "CAST(track.disc AS TEXT)"
    case .musicBrainzAlbumID: "track.release"
    case .additional(let kind):
      "(CASE WHEN \(kind.isInTags) THEN segue_tags(track.tags, \(kind.rawValue)) END)"
    }
  }

  /// The fields to use instead if a track does not have this one. The first of them that the track has is used.
  public var fallbacks: [TrackTag] {
    switch self {
    case .artistSort, .albumArtist: [.artist]
    case .albumSort: [.album]
    case .albumArtistSort: [.albumArtist, .artistSort, .artist]
    case .titleSort: [.title]
    default: []
    }
  }

  /// The field, or the first of its fallbacks that a track has, as an SQL expression.
  var columnWithFallback: String {
    if fallbacks.isEmpty { return column }
    return "coalesce(\(([self] + fallbacks).map(\.column).joined(separator: ", ")))"
  }

  /// The numeric column to sort by; `nil` unless the field is a number.
  var numberColumn: String? {
    switch self {
    case .track: "track.number"
    case .disc: "track.disc"
    default: nil
    }
  }
}

extension AdditionalTags.Kind {
  /// The SQL condition that a track may have a tag of this kind. It avoids parsing `tags` for most tracks, which have
  /// no such tag.
  package var isInTags: String {
    "(track.tags IS NOT NULL AND (\(names.map { "instr(track.tags, '\"\($0)\":[') > 0" }.joined(separator: " OR "))))"
  }
}
