public import SystemPackage

/// One piece of music in one file, with what its tags say of it.
///
/// Texts are as the tags give them (UTF-8, not yet made safe for a terminal); a field that no tag fills is
/// `nil` or empty, except ``title``, which falls back on the file's name.
public struct Track: Sendable, Hashable {
  /// Where the file is; bytes, not text.
  public var path: FilePath
  /// Which part of the file it is, where it is not the whole.
  public var segment: TrackSegment?
  /// The title, or the file's name without its suffix.
  public var title: String
  /// The artists of this track, in the order of the tags.
  public var artists: [String] = []
  /// The title of the album.
  public var album: String?
  /// The artists of the album as a whole, where the tags tell them apart from the track's.
  public var albumArtists: [String] = []
  /// The genres, in the order of the tags.
  public var genres: [String] = []
  /// The composers, in the order of the tags.
  public var composers: [String] = []
  /// The place of the track on its disc, and how many tracks the disc has.
  public var number: Ordinal?
  /// The place of the disc in its set, and how many discs the set has.
  public var disc: Ordinal?
  /// When the recording was released.
  public var date: ReleaseDate?
  /// Whether the tags declare the album a compilation of several artists.
  public var isCompilation = false
  /// What to sort by instead of the names that are shown.
  public var sortNames = SortNames()
  /// Loudness as measured by whoever tagged the file.
  public var replayGain = ReplayGainTags()
  /// The release's MusicBrainz identifier, in lower case.
  public var musicBrainzAlbumID: String?
  /// What else the tags say.
  public var furtherTags = FurtherTags()
  /// How long the track is said to last; what is decoded may differ slightly.
  public var duration: Duration?
  /// The sound's format, as the file's header states it.
  public var audio: AudioSummary?
  /// Which part of it is played, where that is not all: for items of the queue.
  public var range: PlayedRange?

  /// A track of which only the file is known.
  public init(path: FilePath, title: String) {
    self.path = path
    self.title = title
  }
}

extension Track {
  /// Whether `next`, which is played right behind this track, comes behind it on the same album, too: then the music
  /// may run on from one into the other.
  ///
  /// Both name the same album and album artists; where they name no artists, or no album, they lie in one directory,
  /// unless they are on two discs. Tracks that are missing between the two do no harm, and tracks without numbers are
  /// in order.
  public func isContinued(by next: Track) -> Bool {
    guard album == next.album, albumArtists == next.albumArtists else { return false }
    let (disc, nextDisc) = (self.disc?.number ?? 1, next.disc?.number ?? 1)
    let isNear = path.removingLastComponent() == next.path.removingLastComponent()
    guard isNear || album != nil && (!albumArtists.isEmpty || disc != nextDisc) else { return false }
    guard disc == nextDisc else { return disc < nextDisc }
    guard let number = number?.number, let nextNumber = next.number?.number else {
      return self.number == nil && next.number == nil && (path != next.path || segment != next.segment)
    }
    return number < nextNumber
  }
}

/// A place in a numbered set: a track on its disc, a disc in its box.
public struct Ordinal: Sendable, Hashable {
  /// The place, from 1; 0 where a tag says so (hidden tracks).
  public var number: Int
  /// How many there are in all, where known; at least 1.
  public var total: Int?

  /// The place `number` in a set of `total`.
  public init(_ number: Int, of total: Int? = nil) {
    self.number = number
    self.total = total
  }
}

/// The names to sort by where they differ from those shown ("Davis, Miles", "きょく").
public struct SortNames: Sendable, Hashable {
  /// For the track's title.
  public var title: String?
  /// For the track's artist.
  public var artist: String?
  /// For the album's title.
  public var album: String?
  /// For the album's artist.
  public var albumArtist: String?

  /// Nothing to sort by but the names themselves.
  public init() {}
}

/// The format of a track's sound as the file's header states it, for listings.
public struct AudioSummary: Sendable, Hashable {
  /// Frames a second, in Hz.
  public var sampleRate: Int
  /// Samples in a frame.
  public var channels: Int
  /// Bits in a sample, where the format has such a number.
  public var bitDepth: Int?

  /// A summary of these numbers.
  public init(sampleRate: Int, channels: Int, bitDepth: Int? = nil) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitDepth = bitDepth
  }
}

/// A part of a file that is a track of its own, as a cue sheet tells it.
///
/// Its bounds are in frames of a CD, 75 a second, from the beginning of the file: the unit of the sheet's `INDEX`
/// lines, from which the frames of the sound follow without rounding drift.
public struct TrackSegment: Sendable, Hashable {
  /// How many of these frames a second has.
  public static let framesPerSecond = 75

  /// The first CD frame of the track, from 0.
  public let start: Int
  /// The CD frame behind its last one; `nil` where the track goes on to the file's end.
  public let end: Int?

  /// The part from `start` to before `end`; `nil` where that is empty or begins before the file.
  public init?(start: Int, end: Int?) {
    guard start >= 0, end.map({ $0 > start }) ?? true else { return nil }
    self.start = start
    self.end = end
  }
}

/// The part of a track that is played, where that is not all of it.
public struct PlayedRange: Sendable, Hashable {
  /// Where playing begins, from the track's beginning.
  public let start: Duration
  /// Where it ends; `nil` for the track's end.
  public let end: Duration?
  /// The duration of the whole track, as far as it is known.
  public let wholeDuration: Duration?

  /// The part from `start` to `end` of a track that lasts `wholeDuration`; `nil` where that is empty, or begins before
  /// the track.
  public init?(start: Duration, end: Duration?, wholeDuration: Duration?) {
    guard start >= .zero, end.map({ $0 > start }) ?? true else { return nil }
    self.start = start
    self.end = end
    self.wholeDuration = wholeDuration
  }
}

extension Track {
  /// The track with no more played of it than what lies from `start` to `end`, which counts up to the track's own end;
  /// all of it where that is nothing less, or nothing at all. The duration is that of the part.
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
