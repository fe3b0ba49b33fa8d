// SPDX-License-Identifier: GPL-3.0-or-later

import AlbumGrouping
import FormatSniffing
import MusicModel
import Platform
import SystemPackage
import Tagging
import UnicodeText

/// The values of a track's row that come from its file alone, made from its tags.
final class TrackRecord: Sendable {
  /// The track as tagged.
  let track: Track
  /// The key for grouping: the folded title of its album, or the folded name of its directory.
  let groupKey: String
  /// The search words of the tagged title.
  let titleWords: String
  /// The sort key of the tagged title.
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
  /// The other tags, as JSON.
  let tags: String?

  init(
    track: Track, groupKey: String, titleWords: String, titleSort: [UInt8], artists: [IndexName],
    albumArtists: [IndexName], genres: [IndexName], composerWords: String, format: String, tags: String?
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
  }
}

/// The name of an artist or a genre. It is a class so that the tracks of an album can share it.
final class IndexName: Sendable {
  /// The name as shown.
  let name: String
  /// Its search words; names with the same key are one.
  let key: String
  /// Its sort key.
  let sort: [UInt8]

  init(name: String, key: String, sort: [UInt8]) {
    self.name = name
    self.key = key
    self.sort = sort
  }
}

/// Makes records, caching names because an album has few different ones. For one thread.
struct TrackRecordMaker {
  private static let limit = 4_096

  private var names: [ByteText: IndexName] = [:]
  /// The group key of the last album title, which the next track mostly shares.
  private var lastGroup: (title: String, key: String)?

  /// Returns the record of a file with these tags.
  mutating func record(_ track: Track, fields: TagFields, in directory: FilePath) -> TrackRecord {
    return TrackRecord(
      track: track, groupKey: groupKey(of: track), titleWords: track.title.searchWords,
      titleSort: AlbumOrder.titleKey(of: track),
      artists: indexNames(track.artists, sort: track.sortNames.artist),
      albumArtists: indexNames(track.albumArtists, sort: track.sortNames.albumArtist),
      genres: indexNames(track.genres, sort: nil),
      composerWords: indexNames(track.composers, sort: nil).words, format: Self.format(of: track.path),
      tags: TagJSON.text(fields))
  }

  /// Returns the names without duplicates. `sort` is used only if there is a single name.
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
    if names.count >= Self.limit { names.removeAll(keepingCapacity: true) }
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
  /// Returns the search words of the title as shown.
  func titleWords(of shown: ShownFields) -> String {
    shown.title == track.title ? titleWords : shown.title.searchWords
  }

  /// Returns the sort key of the title as shown.
  func titleSort(of shown: ShownFields) -> [UInt8] {
    shown.title == track.title
      ? titleSort : AlbumOrder.nameKey(shown.title, sortName: track.sortNames.title)
  }
}

extension [IndexName] {
  /// The searchable text: the words of each name, separated so that no match runs across names.
  var words: String {
    if isEmpty { return "" }
    var words = ""
    words.reserveCapacity(reduce(1) { $0 + $1.key.utf8.count + 1 })
    words += Self.edge
    for name in self {
      words += name.key
      words += Self.edge
    }
    return words
  }

  private static var edge: String { "\u{1F}" }
}
