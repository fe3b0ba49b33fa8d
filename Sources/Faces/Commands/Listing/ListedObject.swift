// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import SystemPackage

/// The JSON object that `--json` prints for an entry, one per line. Unknown and inapplicable values are omitted.
///
/// All listings share this schema and the `version` of ``JSONText``. `type` determines the fields:
/// - `album`: `id`, `title`, `artist`, `artists`, `date`, `compilation`, `tracks`, `seconds`, `added`, and of its
///   tracks the average `rating`, and together `plays`, `skips` and `lastPlayed`.
/// - `track`: `id`, `path`, `title`, `artists`, `album`, `albumArtists`, `albumID`, `genres`, `composers`, `track`,
///   `writtenTrack` (the number as the tags write it, if that is not in digits), `disc`, `date`, `compilation`,
///   `seconds`, `sampleRate`, `channels`, `bits`, `added`, `rating` (from 1 to 10), `liked`, `plays`, `skips`,
///   `lastPlayed`; for a part of a file also
///   `start` and, unless it extends to the end of the file, `end`: its bounds in the file, in seconds.
/// - `artist`, `genre`: `name`, `albums`, `tracks`.
/// - `problem`: `path`, `reason`.
/// - `item` (of a queue): `position` (counted from 1), `id` (constant while it is in the queue), `current`, `gone` (its
///   file is missing), and of the track `path`, `title`, `artists`, `album`, `albumArtists`, `genres`, `composers`,
///   `track`, `writtenTrack`, `disc`, `date`, `compilation`, `seconds`, `sampleRate`, `channels`, `bits`.
/// - `play` (of the play log): `time` (when it began), `heard` (seconds), `origin` (what was in the queue), and of the
///   track `path`, `title`, `artists`, `album`, `albumArtists`, `genres`, `seconds`, `start`.
/// - `list`: `name`, `path`, `tracks`. A `track` of a playlist also has `position` and `gone`.
/// - `queue`: `name`, `tracks`, `title` (of its current track), `current`.
/// - `edit` (of a queue): `name`, and either `undo` or `redo`: the number of steps that reach the edit (1 or more).
///
/// `date` is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; `added` and `lastPlayed` are in seconds since 1970. In a `path` that is
/// not valid UTF-8, U+FFFD replaces invalid bytes, and `pathBytes` holds the whole path in hexadecimal.
struct ListedObject: Encodable, Equatable {
  /// The type of an entry.
  enum Kind: String, Encodable {
    case album
    case track
    case artist
    case genre
    case problem
    case item
    case edit
    case list
    case play
    case queue
  }

  var type: Kind
  var position: Int?
  var id: Int64?
  var title: String?
  var name: String?
  var artist: String?
  var artists: [String]?
  var album: String?
  var albumArtists: [String]?
  var albumID: Int64?
  var genres: [String]?
  var composers: [String]?
  var track: Int?
  var writtenTrack: String?
  var disc: Int?
  var date: String?
  var compilation: Bool?
  var albums: Int?
  var tracks: Int?
  var seconds: Double?
  var start: Double?
  var end: Double?
  var sampleRate: Int?
  var channels: Int?
  var bits: Int?
  var added: Int64?
  var rating: Int?
  var liked: Bool?
  var plays: Int?
  var skips: Int?
  var lastPlayed: Int64?
  var time: Int64?
  var heard: Double?
  var origin: String?
  var path: String?
  var pathBytes: String?
  var reason: String?
  var current: Bool?
  var isMissing: Bool?
  /// Whether the item was added by `mode keep-playing`.
  var keptPlaying: Bool?
  var undo: Int?
  var redo: Int?

  private enum CodingKeys: String, CodingKey {
    case type, position, id, title, name, artist, artists, album, albumArtists, albumID, genres, composers, track
    case writtenTrack, disc, date, compilation, albums, tracks, seconds, start, end, sampleRate, channels, bits, added
    case rating, liked, plays, skips, lastPlayed, time, heard, origin
    case path, pathBytes, reason, current, keptPlaying, undo, redo
    case isMissing = "gone"
  }

  init(_ type: Kind) { self.type = type }

  /// Sets the fields that describe `track`.
  mutating func setTrack(_ track: Track) {
    setPath(track.path)
    title = track.title
    artists = track.artists
    album = track.album
    albumArtists = track.albumArtists
    genres = track.genres
    composers = track.composers
    self.track = track.number?.number
    writtenTrack = track.additionalTags.first(.writtenNumber)
    disc = track.disc?.number
    date = track.date?.text
    compilation = track.isCompilation
    seconds = track.duration.map { $0 / .seconds(1) }
    let framesPerSecond = Double(TrackSegment.framesPerSecond)
    start = track.segment.map { Double($0.start) / framesPerSecond }
    end = track.segment?.end.map { Double($0) / framesPerSecond }
    sampleRate = track.audio?.sampleRate
    channels = track.audio?.channels
    bits = track.audio?.bitDepth
  }

  /// Sets the fields that users and the player note.
  mutating func setMarks(_ marks: RowMarks) {
    rating = marks.rating
    liked = marks.isLiked ? true : nil
    plays = marks.plays
    skips = marks.skips
    lastPlayed = marks.lastPlayed
  }

  /// Sets `path` and, if the path is not valid UTF-8, `pathBytes`. For a stream, `path` is its address.
  mutating func setPath(_ path: FilePath) {
    self.path = StreamAddress(path)?.description ?? path.string
    if String(validating: path) == nil { pathBytes = path.hexadecimal }
  }
}

extension FilePath {
  fileprivate var hexadecimal: String {
    unsafe withPlatformString { name in
      var text = ""
      var index = 0
      while unsafe name[index] != 0 {
        let byte = unsafe UInt8(bitPattern: name[index])
        text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
        index += 1
      }
      return text
    }
  }
}
