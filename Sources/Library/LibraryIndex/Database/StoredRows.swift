// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
import GRDB
package import MusicModel
import Platform
import SystemPackage
import Tagging

/// A row of the index, whose columns are read by number. A value of another type is read as `nil`.
protocol StoredRow {
  func text(_ index: Int) -> String?
  func long(_ index: Int) -> Int64?
  /// Returns the number in a column, or `nil` if it contains no finite number.
  func number(_ index: Int) -> Double?
  /// Returns the bytes in a column, or an empty array if it contains none.
  func bytes(_ index: Int) -> [UInt8]
}

extension StoredRow {
  /// Returns the values in a text column, which separates them by U+001F.
  func texts(_ index: Int) -> [String] {
    guard let text = text(index), !text.isEmpty else { return [] }
    // Usually there is one value, and splitting a string into characters is slow.
    return text.utf8.contains(0x1F) ? text.split(separator: "\u{1F}").map { String($0) } : [text]
  }

  func integer(_ index: Int) -> Int? { long(index).flatMap { Int(exactly: $0) } }

  /// Returns the date in three columns (year, month and day) from `index` on, or `nil` if there is none.
  func date(_ index: Int) -> ReleaseDate? {
    integer(index).flatMap { ReleaseDate(year: $0, month: integer(index + 1), day: integer(index + 2)) }
  }
}

extension Row: StoredRow {
  /// Returns the text in a column, or `nil` if it contains none.
  package func text(_ index: Int) -> String? { String.fromDatabaseValue(self[index]) }

  /// Returns the integer in a column, or `nil` if it contains none.
  package func long(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self[index]) }

  func number(_ index: Int) -> Double? {
    Double.fromDatabaseValue(self[index]).flatMap { $0.isFinite ? $0 : nil }
  }

  func bytes(_ index: Int) -> [UInt8] { Data.fromDatabaseValue(self[index]).map { Array($0) } ?? [] }
}

/// The current row of an ``IndexStatement``.
struct StatementRow: StoredRow {
  let statement: IndexStatement

  func text(_ index: Int) -> String? { statement.optionalText(Int32(index)) }

  func long(_ index: Int) -> Int64? { statement.optionalInteger(Int32(index)) }

  func number(_ index: Int) -> Double? { statement.optionalNumber(Int32(index)) }

  func bytes(_ index: Int) -> [UInt8] { statement.bytes(Int32(index)) }
}

extension IndexStatement {
  /// The track in the current row, which must have the columns of ``StoredTrack``.
  package var track: Track { StoredTrack.entry(StatementRow(statement: self)).track }
}

/// Reads rows of the table `track` as tracks. Values of the wrong type, which another program may have written, are
/// ignored.
package enum StoredTrack {
  /// The columns to select from `track` and ``tables``.
  package static let columns = """
    track.id, library.root, directory.path, track.name, track.title, track.artists, track.album_title, track.album_artists, \
    track.genres, track.composers, track.number, track.number_total, track.disc, track.disc_total, \
    track.year, track.month, track.day, track.is_compilation, track.sort_title, track.sort_artist, track.sort_album, \
    track.sort_album_artist, track.track_gain, track.track_peak, track.album_gain, track.album_peak, track.release, \
    track.duration, track.rate, track.channels, track.bits, track.album, track.added, track.segment, track.segment_end, \
    track.tags
    """

  static let tables = """
    CROSS JOIN directory ON directory.id = track.directory CROSS JOIN library ON library.id = track.library
    """

  /// Returns the track entry in a row with these ``columns``.
  static func entry(_ row: some StoredRow) -> TrackEntry {
    var track = Track(
      path: path(row.bytes(1), row.bytes(2), row.bytes(3)), title: row.text(4) ?? "")
    track.segment = row.integer(33).flatMap { TrackSegment(start: $0, end: row.integer(34)) }
    track.artists = row.texts(5)
    track.album = row.text(6)
    track.albumArtists = row.texts(7)
    track.genres = row.texts(8)
    track.composers = row.texts(9)
    track.number = row.integer(10).map { Ordinal($0, of: row.integer(11)) }
    track.disc = row.integer(12).map { Ordinal($0, of: row.integer(13)) }
    track.date = row.date(14)
    track.isCompilation = row.integer(17) == 1
    track.sortNames.title = row.text(18)
    track.sortNames.artist = row.text(19)
    track.sortNames.album = row.text(20)
    track.sortNames.albumArtist = row.text(21)
    track.replayGain = ReplayGainTags(
      trackGain: row.number(22), trackPeak: row.number(23), albumGain: row.number(24),
      albumPeak: row.number(25))
    track.musicBrainzAlbumID = row.text(26)
    track.duration = row.integer(27).map { .milliseconds($0) }
    if let rate = row.integer(28), let channels = row.integer(29) {
      track.audio = AudioSummary(sampleRate: rate, channels: channels, bitDepth: row.integer(30))
    }
    if let tags = row.text(35) { track.additionalTags = AdditionalTags(json: tags) }
    return TrackEntry(
      id: row.long(0) ?? 0, track: track, albumID: row.long(31), added: row.long(32) ?? 0)
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
  static func entry(_ row: some StoredRow) -> AlbumEntry {
    AlbumEntry(
      id: row.long(0) ?? 0, title: row.text(1) ?? "", artist: row.text(2), date: row.date(3),
      isCompilation: row.integer(6) == 1, trackCount: row.integer(7) ?? 0,
      duration: .milliseconds(row.integer(8) ?? 0), added: row.long(9) ?? 0)
  }
}
