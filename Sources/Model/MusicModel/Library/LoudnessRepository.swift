// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// Stores measurements of the loudness of files.
///
/// All calls block for as long as the disk does; they may be made concurrently, from any thread outside the cooperative
/// pool.
public protocol LoudnessRepository: Sendable {
  /// A warning for the user from opening it, or `nil` if there is none.
  var warning: String? { get }

  /// Returns the stored measurements of these files, whether or not the files have changed since.
  func loudness(of paths: [FilePath]) throws(LibraryError) -> [FilePath: StoredLoudness]

  /// Stores these measurements, replacing earlier ones of the same files: all of them, or none if it fails.
  func store(_ measurements: [StoredLoudness]) throws(LibraryError)
}

/// A stored loudness measurement of one file, and the state of the file when it was measured.
public struct StoredLoudness: Sendable, Hashable {
  /// A measurement of the album to which the file belongs.
  public struct AlbumPart: Sendable, Hashable {
    /// Identifies the album by its files; see `StoredLoudness.key(ofAlbum:)`.
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
  /// The loudness range in LU, if there is one.
  public var range: Double?
  /// The true peak; 1.0 is full scale.
  public var truePeak: Double
  /// The measurement of the album, if there is one.
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

  /// The gains that bring it to ReplayGain's reference loudness.
  public var replayGain: ReplayGainTags {
    ReplayGainTags(
      trackGain: integrated.map { ReplayGainTags.referenceLoudness - $0 }, trackPeak: truePeak,
      albumGain: album?.integrated.map { ReplayGainTags.referenceLoudness - $0 }, albumPeak: album?.truePeak
    ).sane
  }
}
