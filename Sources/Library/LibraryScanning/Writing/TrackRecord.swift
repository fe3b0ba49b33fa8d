import AlbumGrouping
import FormatSniffing
import MusicModel
import Platform
import SystemPackage
import Tagging
import UnicodeText

/// What the index is to hold of one file, made from its tags: everything that does not depend on other files.
final class TrackRecord: Sendable {
  /// What the tags say.
  let track: Track
  /// By what it is grouped: the folded title of its album, or of its directory.
  let groupKey: String
  /// The words of the title that the tags give.
  let titleWords: String
  /// The sort key of the title that the tags give.
  let titleSort: [UInt8]
  /// The names, each of which is there once.
  let artists: [IndexName]
  /// The names, each of which is there once.
  let albumArtists: [IndexName]
  /// The names, each of which is there once.
  let genres: [IndexName]
  /// The words of the artists.
  let artistWords: String
  /// The words of the genres.
  let genreWords: String
  /// The words of the composers.
  let composerWords: String
  /// The suffix that people know the format by.
  let format: String
  /// The other tags as JSON.
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

/// A name of an artist or a genre. A class: the tracks of an album share theirs.
final class IndexName: Sendable {
  /// As it is shown.
  let name: String
  /// Its words: the same for names that are one.
  let key: String
  /// Its sort key.
  let sort: [UInt8]

  init(name: String, key: String, sort: [UInt8]) {
    self.name = name
    self.key = key
    self.sort = sort
  }
}

/// Makes records; remembers names, of which an album has few. For one thread.
struct TrackRecordMaker {
  private static let limit = 4_096

  private var names: [ByteText: IndexName] = [:]
  /// The key of the title of an album, of which one follows the other.
  private var lastGroup: (title: String, key: String)?

  /// The record of the file with these tags.
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

  /// The names, those that are one only once. A sort name is that of a single name.
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
  /// The words of the title that is shown.
  func titleWords(of shown: ShownFields) -> String {
    shown.title == track.title ? titleWords : shown.title.searchWords
  }

  /// The sort key of the title that is shown.
  func titleSort(of shown: ShownFields) -> [UInt8] {
    shown.title == track.title
      ? titleSort : AlbumOrder.nameKey(shown.title, sortName: track.sortNames.title)
  }
}

extension [IndexName] {
  /// What is searched: the words of each, apart from one another.
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
