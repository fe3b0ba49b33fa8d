// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import FormatSniffing
import MusicModel
import Platform
import SystemPackage
import Tagging
import UnicodeText

/// The values of a track's row that come from its file alone.
final class TrackRecord: Sendable {
  /// The track as it is in the tags.
  let track: Track
  /// The group key: the folded title of the album, or the folded name of the directory.
  let groupKey: String
  /// The search words of the title in the tags.
  let titleWords: String
  /// The sort key of the title in the tags.
  let titleSort: [UInt8]
  /// The artists, without duplicates.
  let artists: [IndexName]
  /// The album artists, without duplicates.
  let albumArtists: [IndexName]
  /// The genres, without duplicates.
  let genres: [IndexName]
  /// The search words of the artists.
  let artistWords: String
  /// The search words of the genres.
  let genreWords: String
  /// The search words of the composers.
  let composerWords: String
  /// The usual file name suffix of the format.
  let format: String
  /// The other tags, as JSON; `nil` if there are none.
  let tags: String?
  /// The MusicBrainz recording ID; `nil` if there is none.
  let recording: String?
  /// What identifies the sound of the file; `nil` if that is not known.
  let fingerprint: SoundFingerprint?
  /// The rating in the tags, in half stars; `nil` if there is none.
  let rating: Int?

  init(
    track: Track, groupKey: String, titleWords: String, titleSort: [UInt8], artists: [IndexName],
    albumArtists: [IndexName], genres: [IndexName], composerWords: String, format: String, tags: String?,
    recording: String?, fingerprint: SoundFingerprint?, rating: Int? = nil
  ) {
    self.track = track
    self.groupKey = groupKey
    self.titleWords = titleWords
    self.titleSort = titleSort
    self.artists = artists
    self.albumArtists = albumArtists
    self.genres = genres
    artistWords = artists.words
    genreWords = genres.words
    self.composerWords = composerWords
    self.format = format
    self.tags = tags
    self.recording = recording
    self.fingerprint = fingerprint
    self.rating = rating
  }
}

/// The name of an artist or a genre. This is a class so that the tracks of an album can share it.
final class IndexName: Sendable {
  /// The name to display.
  let name: String
  /// The search words of the name. Names with the same key are the same artist or genre.
  let key: String
  /// The sort key of the name.
  let sort: [UInt8]

  init(name: String, key: String, sort: [UInt8]) {
    self.name = name
    self.key = key
    self.sort = sort
  }
}

/// Creates track records. It caches names, because an album has few different ones. Use it on one thread only.
struct TrackRecordMaker {
  private static let cacheLimit = 4_096

  private var names: [ByteText: IndexName] = [:]
  /// The last album title and its group key, which the next track usually shares.
  private var lastGroup: (title: String, key: String)?

  mutating func record(_ track: Track, fields: TagFields, in directory: FilePath) -> TrackRecord {
    var track = track
    // Tracks are grouped by it, as by the forms that are shown.
    if let subtitle = fields.first("DISCSUBTITLE") {
      track.additionalTags = AdditionalTags(
        track.additionalTags.values + [AdditionalTags.Value(.discSubtitle, subtitle)])
    }
    return TrackRecord(
      track: track, groupKey: groupKey(of: track), titleWords: track.title.searchWords,
      titleSort: AlbumOrder.titleKey(of: track),
      artists: indexNames(track.artists, sort: track.sortNames.artist),
      albumArtists: indexNames(track.albumArtists, sort: track.sortNames.albumArtist),
      genres: indexNames(track.genres, sort: nil),
      composerWords: indexNames(track.composers, sort: nil).words, format: Self.format(of: track.path),
      tags: TagJSON.text(fields), recording: fields.first("MUSICBRAINZ_TRACKID"),
      fingerprint: fields.fingerprint, rating: fields.rating)
  }

  /// Returns the names without duplicates. The sort name `sort` is used only if there is a single name.
  mutating func indexNames(_ texts: [String], sort: String?) -> [IndexName] {
    var result: [IndexName] = []
    for text in texts {
      var name = name(text)
      if texts.count == 1, let sort {
        name = IndexName(name: name.name, key: name.key, sort: AlbumOrder.nameKey(text, sortName: sort))
      }
      if !name.key.isEmpty, !result.contains(where: { $0.key == name.key }) { result.append(name) }
    }
    return result
  }

  private mutating func groupKey(of track: Track) -> String {
    guard let title = track.album else { return AlbumGrouping.groupKey(of: track) }
    if let lastGroup, lastGroup.title == title { return lastGroup.key }
    let key = AlbumGrouping.groupKey(of: track)
    lastGroup = (title, key)
    return key
  }

  private mutating func name(_ text: String) -> IndexName {
    if let known = names[ByteText(text)] { return known }
    let name = IndexName(name: text, key: text.searchWords, sort: AlbumOrder.nameKey(text))
    if names.count >= Self.cacheLimit { names.removeAll(keepingCapacity: true) }
    names[ByteText(text)] = name
    return name
  }

  private static func format(of path: FilePath) -> String {
    let suffix = path.suffix ?? ""
    return switch AudioFileFormat(suffix: suffix) {
    case .wav: "wav"
    case .aiff: "aiff"
    case .oggVorbis: "ogg"
    case .mp3: "mp3"
    case .au: "au"
    default: suffix.lowercased()
    }
  }
}

extension TrackRecord {
  /// Returns the search words of the title in `shown`.
  func titleWords(of shown: ShownFields) -> String {
    shown.title == track.title ? titleWords : shown.title.searchWords
  }

  /// Returns the sort key of the title in `shown`.
  func titleSort(of shown: ShownFields) -> [UInt8] {
    shown.title == track.title
      ? titleSort : AlbumOrder.nameKey(shown.title, sortName: track.sortNames.title)
  }
}

extension [IndexName] {
  /// The search words of all names, separated so that no match spans two names.
  var words: String {
    if isEmpty { return "" }
    var words = ""
    words.reserveCapacity(reduce(1) { $0 + $1.key.utf8.count + 1 })
    words += Self.separator
    for name in self {
      words += name.key
      words += Self.separator
    }
    return words
  }

  private static var separator: String { "\u{1F}" }
}
