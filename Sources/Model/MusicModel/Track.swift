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
  /// The date that is shown: by default, that of the first release; or the date of this edition.
  public var date: ReleaseDate?
  /// Whether the tags declare the album a compilation of several artists.
  public var isCompilation = false
  /// The names by which the title, the artists and the album are sorted.
  public var sortNames = SortNames()
  /// The loudness values in the tags.
  public var replayGain = ReplayGainTags()
  /// The MusicBrainz identifier of the release, in lower case.
  public var musicBrainzAlbumID: String?
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
  /// album title, it suffices that they are on different discs. Without one, they must also have the same artists.
  /// Discs that only their titles tell apart may follow each other. Tracks between the two may be missing, and tracks
  /// without numbers count as being in order.
  public func isContinued(by next: Track) -> Bool {
    guard album == next.album, albumArtistCredit == next.albumArtistCredit else { return false }
    guard album != nil || artists == next.artists else { return false }
    let (disc, nextDisc) = (self.disc?.number ?? 1, next.disc?.number ?? 1)
    let isSameDirectory = path.removingLastComponent() == next.path.removingLastComponent()
    guard isSameDirectory || album != nil && (!albumArtists.isEmpty || disc != nextDisc) else { return false }
    guard disc == nextDisc else { return disc < nextDisc }
    if self.disc == nil, next.disc == nil, additionalTags[.discSubtitle] != next.additionalTags[.discSubtitle] {
      return true
    }
    guard let number = number?.number, let nextNumber = next.number?.number else {
      return self.number == nil && next.number == nil && (path != next.path || segment != next.segment)
    }
    return number < nextNumber
  }
}

extension Track {
  /// The artists as the tags credit them ("Ann feat. Bea"), or else their names; empty if there are none.
  public var artistCredit: String { additionalTags.first(.artistCredit) ?? artists.joined(separator: ", ") }

  /// The album artists as the tags credit them ("Ann & Bea"), or else their names; empty if there are none.
  public var albumArtistCredit: String {
    additionalTags.first(.albumArtistCredit) ?? albumArtists.joined(separator: ", ")
  }

  /// The track number as the tags write it ("A1", "IV"), or else in digits; `nil` if there is none.
  public var shownNumber: String? { number.map { additionalTags.first(.writtenNumber) ?? "\($0.number)" } }
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

/// A date as precise as its tag: a year, a year and a month, or a full date.
public struct ReleaseDate: Sendable, Hashable {
  /// The year, from 1 to 9999.
  public var year: Int
  /// The month, from 1 to 12; `nil` if unknown.
  public var month: Int?
  /// The day of the month, from 1 to 31; `nil` if unknown.
  public var day: Int?

  /// Creates a date. Returns `nil` if a number is out of range, or if there is a day without a month.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month ?? 1), (1...31).contains(day ?? 1),
      day == nil || month != nil
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }
}

extension ReleaseDate {
  /// The date in ISO 8601: a year, a year and a month, or a full date, depending on what is known.
  public var text: String {
    func padded(_ number: Int, to digits: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    return ([padded(year, to: 4)] + [month, day].compactMap { $0.map { padded($0, to: 2) } }).joined(separator: "-")
  }

  /// The first day of the year, month or day that the date denotes, in days since 1970-01-01. A day beyond the end of
  /// its month is counted into the next month.
  public var firstDay: Int { Self.day(year, month ?? 1, day ?? 1) }

  /// The last day of the year, month or day that the date denotes, in days since 1970-01-01.
  public var lastDay: Int {
    if day != nil { return firstDay }
    guard let month, month < 12 else { return Self.day(year + 1, 1, 1) - 1 }
    return Self.day(year, month + 1, 1) - 1
  }

  /// Creates the date `count` days after 1970-01-01, or returns `nil` outside the years 1 to 9999.
  public init?(dayNumber count: Int) {
    guard (-719_162...2_932_896).contains(count) else { return nil }
    // If years begin in March, the leap day is the last day of the year. An era has 400 such years.
    let shifted = count + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    self.init(year: year, month: month, day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return year / 400 * 146_097 + year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + dayOfYear - 719_468
  }
}

/// An album: tracks that belong together under one title, in playing order (by disc number, then by track number).
public struct Album: Sendable, Hashable {
  /// The title, or the name of the directory if no tag has one.
  public var title: String
  /// The artist to display: "Various Artists" for a compilation without an album artist, `nil` if unknown.
  public var artist: String?
  /// The name by which the title is sorted; `nil` if the title itself is used.
  public var sortTitle: String?
  /// The name by which the artist is sorted; `nil` if the artist's name itself is used.
  public var sortArtist: String?
  /// The most frequent date among the tracks; `nil` if none has a date.
  public var date: ReleaseDate?
  /// Whether the album is a compilation, with tracks by several artists.
  public var isCompilation: Bool
  /// The tracks in playing order; never empty.
  public var tracks: [Track]

  /// Creates an album from these tracks, which must be in playing order.
  public init(title: String, artist: String?, isCompilation: Bool = false, tracks: [Track]) {
    self.title = title
    self.artist = artist
    self.isCompilation = isCompilation
    self.tracks = tracks
  }

  /// The album as a collection that can be added to the queue.
  public var collection: TrackCollection { TrackCollection(title: title, tracks: tracks) }
}
