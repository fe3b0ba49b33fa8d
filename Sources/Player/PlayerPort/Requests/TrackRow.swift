// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import Platform

/// A track with what listings and views show of it, in a form that can be sent to another process.
package struct TrackRow: Codable, Sendable, Equatable {
  private var path: PathText
  private var title: String
  private var artists: [String]?
  private var album: String?
  private var albumArtists: [String]?
  private var genres: [String]?
  private var composers: [String]?
  private var number: [Int?]?
  private var disc: [Int?]?
  private var date: [Int?]?
  private var compilation: Bool?
  private var seconds: Double?
  private var segment: [Int?]?
  private var audio: [Int?]?
  /// The artists, the album artists and the track number as they are shown, where that is not as they are found.
  private var artistCredit: String?
  private var albumArtistCredit: String?
  private var writtenNumber: String?
  /// Whether the file is missing; `nil` if it is not.
  private var missing: Bool?

  package init(_ track: Track, isMissing: Bool = false) {
    path = PathText(track.path)
    title = track.title
    artists = track.artists.nilIfEmpty
    album = track.album
    albumArtists = track.albumArtists.nilIfEmpty
    genres = track.genres.nilIfEmpty
    composers = track.composers.nilIfEmpty
    number = track.number.map { [$0.number, $0.total] }
    disc = track.disc.map { [$0.number, $0.total] }
    date = track.date.map { [$0.year, $0.month, $0.day] }
    compilation = track.isCompilation ? true : nil
    seconds = track.duration.map { $0 / .seconds(1) }
    segment = track.segment.map { [$0.start, $0.end] }
    audio = track.audio.map { [$0.sampleRate, $0.channels, $0.bitDepth] }
    artistCredit = track.additionalTags.first(.artistCredit)
    albumArtistCredit = track.additionalTags.first(.albumArtistCredit)
    writtenNumber = track.additionalTags.first(.writtenNumber)
    missing = isMissing ? true : nil
  }

  /// Whether the file of the track is missing.
  package var isMissing: Bool { missing ?? false }

  /// The track, without the tags that nobody is shown.
  package var track: Track {
    var track = Track(path: path.path, title: title)
    track.artists = artists ?? []
    track.album = album
    track.albumArtists = albumArtists ?? []
    track.genres = genres ?? []
    track.composers = composers ?? []
    track.number = number.flatMap(Self.ordinal)
    track.disc = disc.flatMap(Self.ordinal)
    track.date = date.flatMap { date in
      Self.value(date, 0).flatMap { ReleaseDate(year: $0, month: Self.value(date, 1), day: Self.value(date, 2)) }
    }
    track.isCompilation = compilation ?? false
    track.duration = seconds.flatMap { $0 >= 0 && $0 < 1e9 ? .seconds($0) : nil }
    track.segment = segment.flatMap { segment in
      Self.value(segment, 0).flatMap { TrackSegment(start: $0, end: Self.value(segment, 1)) }
    }
    track.audio = audio.flatMap { audio in
      guard let rate = Self.value(audio, 0), let channels = Self.value(audio, 1) else { return nil }
      return AudioSummary(sampleRate: rate, channels: channels, bitDepth: Self.value(audio, 2))
    }
    let shownForms: [(AdditionalTags.Kind, String?)] = [
      (.artistCredit, artistCredit), (.albumArtistCredit, albumArtistCredit), (.writtenNumber, writtenNumber),
    ]
    track.additionalTags = AdditionalTags(
      shownForms.compactMap { kind, text in text.map { AdditionalTags.Value(kind, $0) } })
    return track
  }

  private static func ordinal(_ values: [Int?]) -> Ordinal? {
    value(values, 0).map { Ordinal($0, of: value(values, 1)) }
  }

  private static func value(_ values: [Int?], _ index: Int) -> Int? {
    values.indices.contains(index) ? values[index] : nil
  }
}

extension Array {
  fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
