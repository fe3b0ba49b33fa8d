public import SystemPackage

/// Keeps what was measured of the loudness of files.
///
/// All calls block while the disk does; from any thread outside of the cooperative pool, and from several at once.
public protocol LoudnessRepository: Sendable {
  /// What the user should know of opening it; `nil` where there is nothing.
  var warning: String? { get }

  /// What is known of the loudness of these files, whether or not they have changed since.
  func loudness(of paths: [FilePath]) throws(LibraryError) -> [FilePath: StoredLoudness]

  /// Keeps these measurements in the place of those that there are of the same files: all or, where it fails, none.
  func store(_ measurements: [StoredLoudness]) throws(LibraryError)
}

/// What the index holds of the loudness of one file: a measurement, and how the file was then.
public struct StoredLoudness: Sendable, Hashable {
  /// What was measured of the album that the file is of.
  public struct AlbumPart: Sendable, Hashable {
    /// Identifies the album by its files; see `StoredLoudness.key(ofAlbum:)`.
    public var key: Int64
    /// In LUFS; `nil` where the album is silent.
    public var integrated: Double?
    /// The true peak; 1.0 is full scale.
    public var truePeak: Double

    /// What was measured of the album under `key`.
    public init(key: Int64, integrated: Double?, truePeak: Double) {
      self.key = key
      self.integrated = integrated
      self.truePeak = truePeak
    }
  }

  /// The file; absolute.
  public var path: FilePath
  /// Its size in bytes.
  public var size: Int64
  /// When its contents were changed last: nanoseconds since 1970.
  public var modificationTime: Int64
  /// In LUFS; `nil` where the track is silent, or too short to have a loudness.
  public var integrated: Double?
  /// In LU, where there is one.
  public var range: Double?
  /// The true peak; 1.0 is full scale.
  public var truePeak: Double
  /// The album, where it was measured.
  public var album: AlbumPart?

  /// A measurement of the file at `path`, when that had this size and time of change.
  public init(
    path: FilePath, size: Int64, modificationTime: Int64, integrated: Double?, range: Double?,
    truePeak: Double, album: AlbumPart? = nil
  ) {
    self.path = path
    self.size = size
    self.modificationTime = modificationTime
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
    self.album = album
  }

  /// The gains that bring it to ReplayGain's reference.
  public var replayGain: ReplayGainTags {
    ReplayGainTags(
      trackGain: integrated.map { ReplayGainTags.referenceLoudness - $0 }, trackPeak: truePeak,
      albumGain: album?.integrated.map { ReplayGainTags.referenceLoudness - $0 }, albumPeak: album?.truePeak
    ).sane
  }
}
