// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
package import MusicModel
import Platform
import SystemPackage
import Tagging

extension IndexStatement {
  /// Returns the values in a text column of the current row, which separates them by U+001F.
  func texts(_ column: Int32) -> [String] {
    guard let text = optionalText(column), !text.isEmpty else { return [] }
    // Usually there is one value, and splitting a string into characters is slow.
    return text.utf8.contains(0x1F) ? text.split(separator: "\u{1F}").map { String($0) } : [text]
  }

  /// Returns the integer in a column of the current row, or `nil` for NULL.
  func int(_ column: Int32) -> Int? { optionalInteger(column).flatMap { Int(exactly: $0) } }

  /// Returns the date in three columns (year, month and day) from `column` on, or `nil` if there is none.
  func date(_ column: Int32) -> ReleaseDate? {
    int(column).flatMap { ReleaseDate(year: $0, month: int(column + 1), day: int(column + 2)) }
  }

  /// The track in the current row, which must have the columns of ``StoredTrack``.
  package var track: Track { StoredTrack.entry(self).track }
}

extension Row {
  /// Returns the text in a column, or `nil` if it contains none.
  package func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }

  /// Returns the integer in a column, or `nil` if it contains none.
  package func long(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

  /// Returns the bytes in a column, or an empty array if it contains none.
  func bytes(_ index: Int) -> [UInt8] { Data.fromDatabaseValue(self[index]).map { Array($0) } ?? [] }
}

/// Reads rows of the table `track` as tracks.
package enum StoredTrack {
  /// The columns to select from `track` and ``tables``.
  package static let columns = columnsBeforeTags + ", track.tags"

  /// ``columns`` without the last one.
  package static let columnsBeforeTags = """
    track.id, library.root, directory.path, track.name, track.title, track.artists, track.album_title, track.album_artists, \
    track.genres, track.composers, track.number, track.number_total, track.disc, track.disc_total, \
    track.year, track.month, track.day, track.is_compilation, track.sort_title, track.sort_artist, track.sort_album, \
    track.sort_album_artist, track.track_gain, track.track_peak, track.album_gain, track.album_peak, track.release, \
    track.duration, track.rate, track.channels, track.bits, track.album, track.added, track.segment, track.segment_end
    """

  package static let tables = """
    CROSS JOIN directory ON directory.id = track.directory CROSS JOIN library ON library.id = track.library
    """

  /// Returns the track entry in a row with these ``columns``.
  package static func entry(_ row: IndexStatement) -> TrackEntry {
    var track = Track(
      path: path(row.bytes(1), row.bytes(2), row.bytes(3)), title: row.text(4))
    track.segment = row.int(33).flatMap { TrackSegment(start: $0, end: row.int(34)) }
    track.artists = row.texts(5)
    track.album = row.optionalText(6)
    track.albumArtists = row.texts(7)
    track.genres = row.texts(8)
    track.composers = row.texts(9)
    track.number = row.int(10).map { Ordinal($0, of: row.int(11)) }
    track.disc = row.int(12).map { Ordinal($0, of: row.int(13)) }
    track.date = row.date(14)
    track.isCompilation = row.int(17) == 1
    track.sortNames.title = row.optionalText(18)
    track.sortNames.artist = row.optionalText(19)
    track.sortNames.album = row.optionalText(20)
    track.sortNames.albumArtist = row.optionalText(21)
    track.replayGain = ReplayGainTags(
      trackGain: row.optionalNumber(22), trackPeak: row.optionalNumber(23), albumGain: row.optionalNumber(24),
      albumPeak: row.optionalNumber(25))
    track.musicBrainzAlbumID = row.optionalText(26)
    track.duration = row.int(27).map { .milliseconds($0) }
    if let rate = row.int(28), let channels = row.int(29) {
      track.audio = AudioSummary(sampleRate: rate, channels: channels, bitDepth: row.int(30))
    }
    if let tags = row.optionalText(35) { track.additionalTags = AdditionalTags(json: tags) }
    return TrackEntry(
      id: row.integer(0), track: track, albumID: row.optionalInteger(31), added: row.integer(32))
  }

  /// Joins path components, some of which may be empty.
  static func path(_ parts: [UInt8]...) -> FilePath {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count + 1 })
    for part in parts where !part.isEmpty {
      if let last = bytes.last, last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += part.prefix { $0 != 0 }
    }
    return FilePath(systemBytes: bytes)
  }
}

/// Reads rows of the table `album` as album entries.
enum StoredAlbum {
  static let columns = """
    album.id, album.title, album.artist, album.year, album.month, album.day, album.is_compilation, album.track_count, \
    album.duration, album.added
    """

  /// Returns the album entry in a row with these ``columns``.
  static func entry(_ row: IndexStatement) -> AlbumEntry {
    AlbumEntry(
      id: row.integer(0), title: row.text(1), artist: row.optionalText(2), date: row.date(3),
      isCompilation: row.int(6) == 1, trackCount: row.int(7) ?? 0,
      duration: .milliseconds(row.int(8) ?? 0), added: row.integer(9))
  }
}
