// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A piece of music in one file, with its tags.
///
/// Text is the same as in the tags (UTF-8, not yet escaped for a terminal). A property without a tag is `nil` or empty,
/// except ``title``, which falls back to the file name.
public struct Track: Sendable, Hashable {
  /// The path of the file, as bytes.
  public var path: FilePath
  /// The segment of the file; `nil` if the track is the whole file.
  public var segment: TrackSegment?
  /// The title, or the file name without its suffix.
  public var title: String
  /// The artists of the track, in the order of the tags.
  public var artists: [String] = []
  /// The title of the album.
  public var album: String?
  /// The artists of the album as a whole; empty if the tags do not distinguish them from the track's artists.
  public var albumArtists: [String] = []
  /// The genres, in the order of the tags.
  public var genres: [String] = []
  /// The composers, in the order of the tags.
  public var composers: [String] = []
  /// The track number on the disc, and the number of tracks on it.
  public var number: Ordinal?
  /// The disc number in the set, and the number of discs in it.
  public var disc: Ordinal?
  /// The release date.
  public var date: ReleaseDate?
  /// Whether the tags declare the album a compilation of several artists.
  public var isCompilation = false
  /// The names by which the title, the artists and the album are sorted.
  public var sortNames = SortNames()
  /// The loudness values in the tags.
  public var replayGain = ReplayGainTags()
  /// The MusicBrainz identifier of the release, in lower case.
  public var musicBrainzAlbumID: String?
  /// All other tags.
  public var additionalTags = AdditionalTags()
  /// The duration according to the file; `nil` if unknown. The decoded length may differ slightly.
  public var duration: Duration?
  /// The audio format according to the file's header.
  public var audio: AudioSummary?
  /// The range of the track to play; `nil` for the whole track. Only items of the queue have a range.
  public var range: PlayedRange?

  /// Creates a track with a path and a title, and no other tags.
  public init(path: FilePath, title: String) {
    self.path = path
    self.title = title
  }
}

extension Track {
  /// Whether `next`, played right after this track, also follows it on the same album, so that the music may continue
  /// without a break.
  ///
  /// Both must have the same album and album artists. If these are missing, both must be in the same directory; with an
  /// album title, it suffices that they are on different discs. Tracks between the two may be missing, and tracks
  /// without numbers count as being in order.
  public func isContinued(by next: Track) -> Bool {
    guard album == next.album, albumArtists == next.albumArtists else { return false }
    let (disc, nextDisc) = (self.disc?.number ?? 1, next.disc?.number ?? 1)
    let isSameDirectory = path.removingLastComponent() == next.path.removingLastComponent()
    guard isSameDirectory || album != nil && (!albumArtists.isEmpty || disc != nextDisc) else { return false }
    guard disc == nextDisc else { return disc < nextDisc }
    guard let number = number?.number, let nextNumber = next.number?.number else {
      return self.number == nil && next.number == nil && (path != next.path || segment != next.segment)
    }
    return number < nextNumber
  }
}

/// A number in a numbered set, such as a track on its disc or a disc in its box.
public struct Ordinal: Sendable, Hashable {
  /// The number, at least 1; 0 if the tag contains 0, as for hidden tracks.
  public var number: Int
  /// The total number in the set, at least 1; `nil` if unknown.
  public var total: Int?

  /// Creates the number `number` in a set of `total`.
  public init(_ number: Int, of total: Int? = nil) {
    self.number = number
    self.total = total
  }
}

/// The names to sort by, where they differ from the displayed ones ("Davis, Miles", "きょく").
public struct SortNames: Sendable, Hashable {
  /// The sort name of the track's title.
  public var title: String?
  /// The sort name of the track's artist.
  public var artist: String?
  /// The sort name of the album's title.
  public var album: String?
  /// The sort name of the album's artist.
  public var albumArtist: String?

  /// Creates sort names without any values.
  public init() {}
}

/// The audio format of a track according to the file's header, for listings.
public struct AudioSummary: Sendable, Hashable {
  /// The sample rate in Hz.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int
  /// The bits per sample; `nil` for formats without a bit depth.
  public var bitDepth: Int?

  /// Creates a summary of these values.
  public init(sampleRate: Int, channels: Int, bitDepth: Int? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitDepth = bitDepth
  }
}

/// A segment of a file that is a track of its own, as defined by a cue sheet.
///
/// Its bounds are in CD frames (75 a second) from the beginning of the file. This is the unit of the sheet's `INDEX`
/// lines, which converts to audio frames without accumulating rounding errors.
public struct TrackSegment: Sendable, Hashable {
  /// The number of CD frames in a second.
  public static let framesPerSecond = 75

  /// The first CD frame of the track, from 0.
  public let start: Int
  /// The CD frame after the last one; `nil` if the track continues to the end of the file.
  public let end: Int?

  /// Creates the segment from `start` up to, but not including, `end` (`nil`: to the end of the file). Returns `nil` if
  /// the segment is empty or `start` is negative.
  public init?(start: Int, end: Int?) {
    guard start >= 0, end.map({ $0 > start }) ?? true else { return nil }
    self.start = start
    self.end = end
  }
}

/// The range of a track to play, if it is not played completely.
public struct PlayedRange: Sendable, Hashable {
  /// The start, measured from the beginning of the track.
  public let start: Duration
  /// The end, measured from the beginning of the track; `nil` for the end of the track.
  public let end: Duration?
  /// The duration of the whole track; `nil` if unknown.
  public let wholeDuration: Duration?

  /// Creates the range from `start` to `end` (`nil`: to the end of the track) of a track of `wholeDuration`. Returns
  /// `nil` if the range is empty or `start` is negative.
  public init?(start: Duration, end: Duration?, wholeDuration: Duration?) {
    guard start >= .zero, end.map({ $0 > start }) ?? true else { return nil }
    self.start = start
    self.end = end
    self.wholeDuration = wholeDuration
  }
}

extension Track {
  /// Returns the track limited to the range from `start` to `end`, or to its own end if that is earlier or `end` is
  /// `nil`. Returns the whole track if the range covers it or is empty. The returned track's duration is that of the
  /// range.
  public func played(from start: Duration, to end: Duration?) -> Track {
    var track = self
    let whole = range.map(\.wholeDuration) ?? duration
    let end = end.flatMap { end in whole.map { end < $0 } ?? true ? end : nil }
    let isWhole = start <= .zero && end == nil
    track.range = isWhole ? nil : PlayedRange(start: start, end: end, wholeDuration: whole)
    track.duration = whole
    if let range = track.range, let last = range.end ?? whole {
      track.duration = max(.zero, last - range.start)
    }
    return track
  }
}
