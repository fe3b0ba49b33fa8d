// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// Stores loudness measurements of files.
///
/// All calls block until the disk has been read or written. They may be made concurrently, from any thread outside the
/// cooperative pool.
public protocol LoudnessRepository: Sendable {
  /// A warning for the user about a problem with opening the repository; `nil` if there was none.
  var warning: String? { get }

  /// Returns the stored measurements of these files, even if the files have changed since.
  func loudness(of paths: [FilePath]) throws(LibraryError) -> [FilePath: StoredLoudness]

  /// Stores these measurements, replacing earlier ones of the same files. If it fails, it stores none of them.
  func store(_ measurements: [StoredLoudness]) throws(LibraryError)
}

/// A stored loudness measurement of one file, with the size and modification time that the file had when it was
/// measured.
public struct StoredLoudness: Sendable, Hashable {
  /// A loudness measurement of the album that the file belongs to.
  public struct AlbumPart: Sendable, Hashable {
    /// The key that identifies the album by its files; see `StoredLoudness.key(ofAlbum:)`.
    public var key: Int64
    /// The integrated loudness in LUFS; `nil` if the album is silent.
    public var integrated: Double?
    /// The true peak; 1.0 is full scale.
    public var truePeak: Double

    /// Creates a measurement of the album with this `key`.
    public init(key: Int64, integrated: Double?, truePeak: Double) {
      self.key = key
      self.integrated = integrated
      self.truePeak = truePeak
    }
  }

  /// The absolute path of the file.
  public var path: FilePath
  /// The size of the file in bytes.
  public var size: Int64
  /// The modification time of the file, in nanoseconds since 1970.
  public var modificationTime: Int64
  /// The integrated loudness in LUFS; `nil` if the track is silent, or too short to be measured.
  public var integrated: Double?
  /// The loudness range in LU; `nil` if there is none.
  public var range: Double?
  /// The true peak; 1.0 is full scale.
  public var truePeak: Double
  /// The measurement of the album; `nil` if there is none.
  public var album: AlbumPart?

  /// Creates a measurement of the file at `path`, which had this size and modification time when it was measured.
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

  /// The ReplayGain values of the measurement: the gains that bring the track and the album to the reference loudness,
  /// and the peaks.
  public var replayGain: ReplayGainTags {
    ReplayGainTags(
      trackGain: integrated.map { ReplayGainTags.referenceLoudness - $0 }, trackPeak: truePeak,
      albumGain: album?.integrated.map { ReplayGainTags.referenceLoudness - $0 }, albumPeak: album?.truePeak
    ).validated
  }
}
