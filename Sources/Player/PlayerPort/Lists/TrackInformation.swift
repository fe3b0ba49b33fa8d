// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything that is known of a track: what its file says, and what the library does.
package struct TrackInformation: Codable, Sendable, Equatable {
  /// A named value. Not yet escaped for a terminal.
  package struct Value: Codable, Sendable, Equatable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Where a cover or lyrics were found.
  package enum Origin: Codable, Sendable, Equatable {
    /// In a file beside the track.
    case file(PathText)
    /// In a tag of the track's own file, under this name.
    case tag(String)
  }

  /// The loudness values in the tags.
  package struct Gain: Codable, Sendable, Equatable {
    /// The gains, in dB.
    package var track: Double?
    package var album: Double?
    /// The peaks; 1.0 is full scale.
    package var trackPeak: Double?
    package var albumPeak: Double?
  }

  /// What the library knows of the track.
  package struct Known: Codable, Sendable, Equatable {
    /// The ID of the track in the library.
    package var id: Int64
    /// The time when the track was added, in seconds since 1970.
    package var added: Int64?
    /// The rating from 1 to 10, two for each star; `nil` if there is none.
    package var rating: Int?
    /// The rating that the user has given to the album as a whole; `nil` if there is none.
    package var albumRating: Int?
    /// The number of times that the track was played to its end.
    package var playCount: Int
    /// The time when the track was last played, in seconds since 1970.
    package var lastPlayed: Int64?
    /// The number of times that the track was skipped.
    package var skipCount = 0
    /// The time when the track was last skipped, in seconds since 1970.
    package var lastSkipped: Int64?
    /// Where the track was left, in seconds, if it resumes there; `nil` if it begins at its beginning.
    package var elapsed: Double?
    /// Whether the user likes the track, or dislikes it; `nil` for neither.
    package var isLiked: Bool?
    /// The stickers that other programs have attached.
    package var otherStickers: [Value]
  }

  package var track: TrackRow
  /// The name of the file's format; `nil` if it is not known.
  package var format: String?
  /// The size of the file in bytes; `nil` if the file is missing, or a stream.
  package var byteCount: Int64?
  /// The names by which the track is sorted, where they differ from those that are shown.
  package var sortNames: [Value]
  /// The identifiers of MusicBrainz, by what they identify.
  package var musicBrainz: [Value]
  package var gain: Gain
  /// The gain that is applied now, in words; `nil` unless the track is playing.
  package var appliedGain: String?
  /// All tags of the file, by TagLib's names; empty if the file cannot be read.
  package var tags: [Value]
  /// The chapters of the file, or of the track if it is playing.
  package var chapters: [ListedChapter] = []
  /// What the library knows; `nil` if the track is not in the library.
  package var known: Known?
  /// The positions of the track in the queue, counted from 0.
  package var positions: [Int]
  /// Where the cover was found; `nil` if there is none.
  package var cover: Origin?
  /// Where the lyrics were found; `nil` if there are none.
  package var lyrics: Origin?
  /// Whether the lyrics have times.
  package var hasLyricTimes: Bool
  /// What is wrong with the file or with its lyrics, one line each.
  package var problems: [String]
}
