// SPDX-License-Identifier: GPL-3.0-or-later

public import SystemPackage

/// A library that can be updated from the disk and queried, as the player's flow needs it.
///
/// All calls block until the disk has been read or written. They may be made concurrently, from any thread outside the
/// cooperative pool.
public protocol LibraryRepository: Sendable {
  /// Updates the library with everything that has changed on disk since the last scan.
  ///
  /// - Parameters:
  ///   - progress: Called several times a second, on any thread.
  ///   - isCancelled: Called often, on any thread. When it returns `true`, the scan ends early, and what it has read so
  ///     far is stored.
  /// - Throws: ``LibraryError`` if nothing can be read or stored.
  func scan(
    progress: @escaping @Sendable (ScanProgress) -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Updates the part of the library in `scope`; otherwise like ``scan(progress:isCancelled:)``.
  func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary

  /// Returns a page of the tracks that match `query`.
  func tracks(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<TrackEntry>.Window
  ) throws(LibraryError) -> LibraryPage<TrackEntry>

  /// Returns a page of the albums that have a track that matches `query`.
  func albums(
    _ query: LibraryQuery, order: LibraryOrder, window: LibraryPage<AlbumEntry>.Window
  ) throws(LibraryError) -> LibraryPage<AlbumEntry>

  /// Returns a page of the artists (of tracks or albums) that have a track that matches `query`, sorted by sort name.
  /// The counts include all of their tracks and albums, not only those that match.
  func artists(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// Returns a page of the genres that have a track that matches `query`, sorted by name. The counts include all of
  /// their tracks and albums, not only those that match.
  func genres(
    _ query: LibraryQuery, window: LibraryPage<NameEntry>.Window
  ) throws(LibraryError) -> LibraryPage<NameEntry>

  /// Searches the tracks that match `query` for `text`, which may end within a word. Returns at most `limit` results,
  /// the best first.
  func search(_ text: String, among query: LibraryQuery, limit: Int) throws(LibraryError) -> [SearchHit]

  /// Returns the album with this ID and its tracks in playing order, or `nil` if it no longer exists.
  func album(_ id: Int64) throws(LibraryError) -> Album?

  /// Returns a page of the files and directories that could not be added to the library, sorted by path.
  func problems(
    window: LibraryPage<ProblemEntry>.Window
  ) throws(LibraryError) -> LibraryPage<ProblemEntry>
}

extension LibraryRepository {
  /// Returns one page of the results of ``search(_:among:limit:)``.
  public func hits(
    _ text: String, among query: LibraryQuery, window: LibraryPage<SearchHit>.Window
  ) throws(LibraryError) -> LibraryPage<SearchHit> {
    let end = window.limit.map { window.offset.addingReportingOverflow($0) } ?? (.max, true)
    // Request one more result, to find out whether more follow.
    let limit = end.overflow || end.partialValue == .max ? .max : end.partialValue + 1
    let hits = try search(text, among: query, limit: limit).dropFirst(window.offset)
    return LibraryPage(
      Array(hits.prefix(window.limit ?? .max)), hasMore: window.limit.map { hits.count > $0 } ?? false)
  }
}

/// A file or directory that could not be added to the library, and why.
public struct ProblemEntry: Sendable, Hashable {
  /// The absolute path.
  public var path: FilePath
  /// The reason in words, suitable for the end of a line.
  public var reason: String

  public init(path: FilePath, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// An error from reading, updating or querying a library.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause of the error.
  public enum Kind: Sendable, Hashable {
    /// A directory does not exist or cannot be read.
    case directory
    /// The index cannot be read, written or updated.
    case index
    /// A playlist that a query names cannot be read.
    case playlist
  }

  /// The cause of the error.
  public var kind: Kind
  /// A one-line message with the problem, the path, and what to do about it. It is not yet escaped for a terminal.
  public var description: String

  /// Creates an error of this kind.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension LibraryRepository {
  /// Scans the whole library, which covers every scope.
  public func scan(
    _ scope: ScanScope, progress: @escaping @Sendable (ScanProgress) -> Void,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(LibraryError) -> ScanSummary {
    try scan(progress: progress, isCancelled: isCancelled)
  }
}

/// A library with everything that user interfaces need: in addition to the queries of ``LibraryRepository``, it finds
/// albums by name and stores stickers.
///
/// All calls block until the disk has been read or written. They may be made concurrently, from any thread outside the
/// cooperative pool.
public protocol MusicLibrary: LibraryRepository, AlbumCatalog, StickerRepository, PlayLogRepository {
  /// A warning for the user about a problem with opening the library; `nil` if there was none.
  var warning: String? { get }

  /// Whether every existing directory of the library has been scanned, so that a file that is not in the library is not
  /// on disk either.
  var isScanned: Bool { get throws(LibraryError) }

  /// The number of files and directories that could not be added to the library; 0 if unknown.
  var problemCount: Int { get }

  /// Updates a small library with names that were added, removed or changed on disk, by checking the modification time
  /// of each directory. Returns `nil` if the library is larger or was never completely scanned.
  ///
  /// Waits at most one second for another scan to end; otherwise throws like ``scan(progress:isCancelled:)``. After an
  /// error, the library can still be queried.
  func refresh(isCancelled: @escaping @Sendable () -> Bool) throws(LibraryError) -> ScanSummary?

  /// Sets the closure that receives the file changes of scans that start from now on; `nil` removes it. It is called on
  /// the thread that runs the scan. If an error ends a scan, changes that were already reported may be undone.
  func onFileChange(_ handle: (@Sendable (FileChange) -> Void)?)
}

/// Stores stickers: named values that users and programs attach to the tracks of a library, and to other objects.
public protocol StickerRepository: Sendable {
  /// Returns the stickers of an object, sorted by name.
  func stickers(of object: StickeredObject) throws(LibraryError) -> [Sticker]

  /// Returns the tracks inside `directory` that have a sticker of this name, sorted by path, each with the sticker's
  /// value. The directory is relative to the library's directory.
  ///
  /// - Parameter match: The condition on the value; `nil` accepts any value.
  func stickers(
    _ name: String, within directory: FilePath, _ match: StickerMatch?
  ) throws(LibraryError) -> [(track: Int64, value: String)]

  /// Returns the objects of a type that have a sticker of this name, sorted by name, each with the sticker's value.
  ///
  /// - Parameter match: The condition on the value; `nil` accepts any value.
  func stickers(
    _ name: String, ofType type: String, _ match: StickerMatch?
  ) throws(LibraryError) -> [(object: String, value: String)]

  /// Returns the names of the stickers of the tracks in this library (`type` is `nil`), or of the objects of other
  /// types, in byte order and without duplicates.
  func stickerNames() throws(LibraryError) -> [(name: String, type: String?)]

  /// Returns what users and the player note of tracks, by their IDs. IDs that match no track are left out.
  func marks(ofTracks ids: [Int64]) throws(LibraryError) -> [Int64: RowMarks]

  /// Returns what users and the player note of the tracks of albums, by the albums' IDs.
  func marks(ofAlbums ids: [Int64]) throws(LibraryError) -> [Int64: RowMarks]

  /// Sets a sticker of an object, replacing the one of the same name.
  func set(_ sticker: Sticker, of object: StickeredObject) throws(LibraryError)

  /// Adds `change` to the number in a sticker. Text that is no number counts as 0; a sticker that there is not is set
  /// to `initial`. The number stays within the range of 64 bits.
  func change(
    _ name: String, of object: StickeredObject, by change: Int64, initial: Int64
  ) throws(LibraryError)

  /// Removes the sticker of this name from an object, or all of its stickers if `name` is `nil`. Returns whether any
  /// was removed.
  func removeSticker(_ name: String?, of object: StickeredObject) throws(LibraryError) -> Bool

  /// Forgets the tracks whose files are missing, with their stickers, and returns them, sorted by path.
  func forgetMissing() throws(LibraryError) -> [MissingTrack]

  /// Counts a track as played or skipped at `time`, in seconds since 1970. The track is the file at `path`, or this
  /// segment of it.
  ///
  /// Returns whether the track is in the library. Other tracks are not counted.
  func count(
    _ count: PlayCount, of path: FilePath, _ segment: TrackSegment?, at time: Int64
  ) throws(LibraryError) -> Bool
}

extension StickerRepository {
  /// Returns the stickers of a track, sorted by name.
  public func stickers(of track: Int64) throws(LibraryError) -> [Sticker] { try stickers(of: .track(track)) }

  /// Sets a sticker of a track, replacing the one of the same name.
  public func set(_ sticker: Sticker, of track: Int64) throws(LibraryError) { try set(sticker, of: .track(track)) }

  /// Removes the sticker of this name from a track, or all of its stickers if `name` is `nil`. Returns whether any was
  /// removed.
  public func removeSticker(_ name: String?, of track: Int64) throws(LibraryError) -> Bool {
    try removeSticker(name, of: .track(track))
  }
}

/// What stickers can be attached to.
public enum StickeredObject: Sendable, Hashable {
  /// A track of the library, by its ID.
  case track(Int64)
  /// A playlist, a filter or the value of a tag: the type and the name, as MPD clients know them. It need not exist.
  case other(type: String, name: String)
}

/// What is counted of a track.
public enum PlayCount: Sendable {
  case play, skip
}

/// A track whose file is missing, with what is known of it.
public struct MissingTrack: Sendable, Hashable {
  /// The absolute path that its file had.
  public var path: FilePath
  public var stickers: [Sticker]

  public init(path: FilePath, stickers: [Sticker]) {
    self.path = path
    self.stickers = stickers
  }
}

/// A named value that is stored with a track.
public struct Sticker: Sendable, Hashable {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  // The names and values on which MPD clients have agreed: https://github.com/jcorporation/mpd-stickers

  /// The name of the sticker with the number of times that a track was played.
  public static let playCount = "playCount"
  /// The name of the sticker with the time when a track was last played, in seconds since 1970.
  public static let lastPlayed = "lastPlayed"
  /// The name of the sticker with the number of times that a track was skipped.
  public static let skipCount = "skipCount"
  /// The name of the sticker with the time when a track was last skipped, in seconds since 1970.
  public static let lastSkipped = "lastSkipped"
  /// The name of the sticker with the position at which a long track was left, in seconds.
  public static let elapsed = "elapsed"
  /// The name of the speed at which a track is played, such as "1.5".
  public static let speed = "speed"
  /// The name of the sticker with a track's rating, from 0 to 10.
  public static let rating = "rating"
  /// The name of the sticker with the rating in a track's tags, if that is the track's rating because the user has not
  /// given it another one.
  public static let tagRating = "tagRating"
  /// The name of the sticker with the rating of a track's album, from 0 to 10. All tracks of the album have the same: a
  /// change for one of them changes it for all.
  public static let albumRating = "albumRating"
  /// The name of the sticker with 2 if the user likes a track, 0 if not, and 1 for neither.
  public static let like = "like"
}

/// A condition on the value of a sticker. Text is compared byte by byte.
public enum StickerMatch: Sendable, Hashable {
  /// The value equals the text.
  case equals(String)
  /// The value sorts before the text.
  case sortsBefore(String)
  /// The value sorts after the text.
  case sortsAfter(String)
  case contains(String)
  case hasPrefix(String)
  case equalsNumber(Int64)
  case lessThan(Int64)
  case greaterThan(Int64)
}

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
  /// Where the sound begins and ends; `nil` if that was not measured.
  public var sound: MeasuredSound?

  /// Creates a measurement of the file at `path`, which had this size and modification time when it was measured.
  public init(
    path: FilePath, size: Int64, modificationTime: Int64, integrated: Double?, range: Double?,
    truePeak: Double, album: AlbumPart? = nil, sound: MeasuredSound? = nil
  ) {
    self.path = path
    self.size = size
    self.modificationTime = modificationTime
    self.integrated = integrated
    self.range = range
    self.truePeak = truePeak
    self.album = album
    self.sound = sound
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
