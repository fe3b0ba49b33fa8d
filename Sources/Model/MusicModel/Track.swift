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
