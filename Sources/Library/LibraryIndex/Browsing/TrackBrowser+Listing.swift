// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel
import Platform
public import SystemPackage
import Tagging

extension TrackBrowser {
  /// Whether only the title of its disc may tell apart the disc of a track, as SQL.
  static let isOnTitledDisc = "(track.disc IS NULL AND \(AdditionalTags.Kind.discSubtitle.isInTags))"
  /// The sort order of the tracks of a directory, as SQL. Discs that only their titles tell apart are in the order of
  /// the album.
  static let order = """
    track.album_title COLLATE NOCASE, track.disc,
    CASE WHEN max(\(isOnTitledDisc)) OVER (PARTITION BY track.album) THEN track.place END,
    track.number, track.name, track.segment
    """

  /// The result of listing the tracks of a directory.
  public enum ListingOutcome: Sendable {
    /// All tracks were passed to the callback, in the order of ``trackIDs(in:)``.
    case all
    /// The index does not return the tracks in that order; call ``listSortedTracks(in:_:)`` instead.
    case unsorted
    /// There are more tracks than the limit.
    case tooMany
  }

  /// Calls `body` with each track of ``trackIDs(in:)``, without sorting, and with at most `limit` tracks. If the result
  /// is not `all`, discard what `body` received. If `onlyFiles`, the tracks may have no values but their name and
  /// segment.
  ///
  /// Most files are named so that sorting them by name also sorts them by number. Relying on this avoids a sort that
  /// would take as long as all other steps together.
  public func listTracks(
    in path: FilePath, onlyFiles: Bool = false, limit: Int, _ body: (borrowing ListedTrack) throws -> Void
  ) throws -> ListingOutcome {
    guard let (library, path) = find(path) else { return .all }
    let rows = onlyFiles ? statements.unsortedFiles : statements.unsorted
    rows.bind(library, path.bytes, Int64(clamping: limit) + 1)
    defer { rows.reset() }
    let track = ListedTrack(rows)
    var album: [UInt8] = []
    var last: (disc: Int, number: Int)?
    var count = 0
    while try rows.step() {
      count += 1
      if count > limit { return .tooMany }
      if rows.integer(ListedTrack.columnCount) != 0 { return .unsorted }
      let position = (disc: track.disc ?? .min, number: track.number ?? .min)
      if let last {
        guard last <= position, track.hasAlbumTitle(album) else { return .unsorted }
      } else {
        album = track.album
      }
      last = position
      try body(track)
    }
    return .all
  }

  /// Calls `body` with each track of ``trackIDs(in:)``, in sorted order and without a limit.
  public func listSortedTracks(in path: FilePath, _ body: (borrowing ListedTrack) throws -> Void) throws {
    guard let (library, path) = find(path) else { return }
    let rows = statements.sorted
    rows.bind(library, path.bytes)
    defer { rows.reset() }
    let track = ListedTrack(rows)
    while try rows.step() { try body(track) }
  }

  /// Calls `body` with the tracks with these IDs, in the given order. IDs that match no track are skipped. `entered` is
  /// the track's directory if it differs from that of the previous track, otherwise `nil`.
  public func listTracks(
    _ ids: some Sequence<Int64>, _ body: (borrowing ListedTrack, _ entered: FilePath?) throws -> Void
  ) throws {
    let (rows, paths) = (statements.tracks, statements.path)
    rows.bind(Listing.list(ids))
    defer { rows.reset() }
    let track = ListedTrack(rows)
    var last: Int64?
    while try rows.step() {
      let directory = rows.integer(ListedTrack.columnCount)
      if directory == last {
        try body(track, nil)
        continue
      }
      last = directory
      guard let path = try paths.first(directory, read: { $0.bytes(0) }) else { continue }
      try body(track, shownPath(path, in: rows.integer(ListedTrack.columnCount + 1)))
    }
  }

  /// Returns the times of the file that is shown to users as `path`, or `nil` if the library has no such file.
  public func times(of path: FilePath) throws -> FileTimes? {
    guard let (library, path) = find(path) else { return nil }
    return try statements.times.first(library, path.parent.bytes, Array(path.name)) {
      FileTimes(modified: $0.integer(0), added: $0.integer(1))
    }
  }
}

/// What the index knows of the time of a file.
public struct FileTimes: Sendable, Equatable {
  /// The modification time, in nanoseconds since 1970.
  public let modified: Int64
  /// The time when the file was added to the library, in seconds since 1970.
  public let added: Int64
}

/// A track as raw bytes in the index. It is used for long listings, where creating a `Track` for each row would take
/// most of the time.
///
/// It refers to the current row of a statement, and is valid only during the call that receives it.
@safe public struct ListedTrack: ~Copyable {
  /// The text columns of a track, in the order in which they are selected.
  public enum Text: Int32, Sendable {
    /// The name of the file.
    case name
    case title
    case artists
    case album
    case albumArtists
    case genres
    case composers
    case artistSort
    case albumSort
    case albumArtistSort
    /// The release's MusicBrainz identifier.
    case release
    case titleSort
  }

  /// The byte that separates the values in a text column with several values.
  public static let separator: UInt8 = 0x1F

  static let columns = """
    track.name, track.title, track.artists, track.album_title, track.album_artists, track.genres, track.composers, \
    track.sort_artist, track.sort_album, track.sort_album_artist, track.release, track.sort_title, \
    track.number, track.disc, track.year, track.month, track.day, track.duration, track.rate, track.channels, track.bits, \
    track.segment, CASE WHEN track.segment >= 0 THEN track.segment_end END, track.mtime, track.tags, track.added
    """

  /// ``columns`` without those that neither name the file nor belong to its sort key.
  static let fileColumns = """
    track.name, NULL, NULL, track.album_title, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
    track.number, track.disc, NULL, NULL, NULL, NULL, NULL, NULL, NULL, \
    track.segment, CASE WHEN track.segment >= 0 THEN track.segment_end END, NULL, NULL, NULL
    """

  /// The number of ``columns``.
  static let columnCount: Int32 = 26

  private let row: IndexStatement

  /// Creates a view of the current row of a statement, whose first columns must be ``columns``.
  init(_ row: IndexStatement) { self.row = row }

  /// Returns the bytes of a text column, which are empty if the track has no value there. They are valid only as long
  /// as the track.
  ///
  /// A file name may be invalid UTF-8. The other columns are valid, unless another program has written to the index.
  public func bytes(of text: Text) -> UnsafeRawBufferPointer { unsafe row.currentBytes(text.rawValue) }

  /// Whether the track has tags that are not among the text columns.
  public var hasOtherTags: Bool { !row.isNull(24) }

  /// Calls `body` with the kind and the value of each additional tag. The kinds are in no particular order.
  public func forEachAdditionalTag(_ body: (AdditionalTags.Kind, UnsafeRawBufferPointer) -> Void) {
    unsafe row.withBytes(24) { unsafe TagJSONReader.read($0, body) }
  }

  public var number: Int? { row.int(12) }
  /// The disc number.
  public var disc: Int? { row.int(13) }
  public var date: ReleaseDate? { row.date(14) }
  /// The duration in milliseconds.
  public var milliseconds: Int? { row.int(17) }
  /// The audio format.
  public var audio: AudioSummary? {
    guard let rate = row.int(18), let channels = row.int(19) else { return nil }
    return AudioSummary(sampleRate: rate, channels: channels, bitDepth: row.int(20))
  }
  /// The segment of the file; `nil` if the track is the whole file.
  public var segment: TrackSegment? { row.int(21).flatMap { TrackSegment(start: $0, end: row.int(22)) } }
  /// The file's modification time, in nanoseconds since 1970.
  public var modified: Int64 { row.integer(23) }
  /// The time when the track was added, in seconds since 1970.
  public var added: Int64 { row.integer(25) }

  /// Whether the album title consists of exactly these bytes.
  func hasAlbumTitle(_ title: [UInt8]) -> Bool {
    let album = unsafe bytes(of: .album)
    return unsafe album.count == title.count && album.elementsEqual(title)
  }

  /// The bytes of the album title.
  var album: [UInt8] { unsafe Array(bytes(of: .album)) }
}
