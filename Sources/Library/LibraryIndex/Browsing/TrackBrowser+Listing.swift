public import MusicModel
import Platform
public import SystemPackage
import Tagging

/// The statements that list tracks, kept for as long as a browser is.
final class ListingStatements {
  /// In the order in which the index holds them.
  let named: IndexStatement
  private var sortedOne: IndexStatement?
  private var trackOne: IndexStatement?
  private var pathOne: IndexStatement?
  private var modifiedOne: IndexStatement?
  private static let tables = "FROM directory CROSS JOIN track ON track.directory = directory.id"
  private static let place = "directory.library = ? AND directory.path = ?"
  private static let tracks =
    "SELECT \(ListedTrack.columns) \(tables) WHERE \(place) AND track.album IS NOT NULL ORDER BY"

  init(_ browser: TrackBrowser) throws {
    named = try browser.kept("\(Self.tracks) track.name, track.segment LIMIT ?")
  }

  /// The tracks of a directory, sorted; few need it.
  func sorted(_ browser: TrackBrowser) throws -> IndexStatement {
    let statement = try sortedOne ?? browser.kept("\(Self.tracks) \(TrackBrowser.order)")
    sortedOne = statement
    return statement
  }

  /// One track by its id.
  func track(_ browser: TrackBrowser) throws -> IndexStatement {
    let sql = "SELECT \(ListedTrack.columns), track.directory, track.library FROM track WHERE track.id = ?"
    let statement = try trackOne ?? browser.kept(sql)
    trackOne = statement
    return statement
  }

  /// When a file was changed, by its path.
  func modified(_ browser: TrackBrowser) throws -> IndexStatement {
    let statement =
      try modifiedOne
      ?? browser.kept("SELECT track.mtime \(Self.tables) WHERE \(Self.place) AND track.name = ? LIMIT 1")
    modifiedOne = statement
    return statement
  }

  /// The path of a directory by its id.
  func path(_ browser: TrackBrowser) throws -> IndexStatement {
    let statement = try pathOne ?? browser.kept("SELECT path FROM directory WHERE id = ?")
    pathOne = statement
    return statement
  }
}

extension TrackBrowser {
  /// How tracks are sorted within their directory.
  static let order =
    "track.album_title COLLATE NOCASE, track.disc, track.number, track.name, track.segment"

  /// What became of the tracks of a directory.
  public enum Listed: Sendable {
    /// All were given, in the order of ``trackIDs(in:)``.
    case all
    /// They stand in another order; ``listSortedTracks(in:_:)`` gives them in that.
    case unsorted
    /// They are more than were wanted.
    case tooMany
  }

  /// Gives `body` each track of ``trackIDs(in:)``, of which there should not be more than `limit`; says whether that is
  /// so. If not, what it gave is of no use.
  ///
  /// Most files are named so that their names sort as their numbers do. Then nothing is to be sorted, which takes as
  /// long as all the rest.
  public func listTracks(
    in path: FilePath, limit: Int, _ body: (borrowing ListedTrack) throws -> Void
  ) throws -> Listed {
    guard let (library, path) = find(path) else { return .all }
    let rows = try listing.named
    rows.bind(library)
    rows.bind(path.bytes)
    rows.bind(Int64(clamping: limit) + 1)
    defer { rows.reset() }
    let track = ListedTrack(rows)
    var album: [UInt8] = []
    var last: (disc: Int, number: Int)?
    var count = 0
    while try rows.step() {
      count += 1
      if count > limit { return .tooMany }
      let place = (disc: track.disc ?? .min, number: track.number ?? .min)
      if let last {
        guard last <= place, track.isOf(album: album) else { return .unsorted }
      } else {
        album = track.album
      }
      last = place
      try body(track)
    }
    return .all
  }

  /// The same, sorted, however many they are.
  public func listSortedTracks(in path: FilePath, _ body: (borrowing ListedTrack) throws -> Void) throws {
    guard let (library, path) = find(path) else { return }
    let rows = try listing.sorted(self)
    rows.bind(library)
    rows.bind(path.bytes)
    defer { rows.reset() }
    let track = ListedTrack(rows)
    while try rows.step() { try body(track) }
  }

  /// Gives `body` the tracks with these ids, in their order, without those that are no more, each with the directory
  /// that it is in where that is another than the one before.
  public func listTracks(
    _ ids: some Sequence<Int64>, _ body: (borrowing ListedTrack, _ entered: FilePath?) throws -> Void
  ) throws {
    let (rows, paths) = (try listing.track(self), try listing.path(self))
    defer { rows.reset() }
    let track = ListedTrack(rows)
    var last: Int64?
    for id in ids {
      rows.bind(id)
      defer { rows.reset() }
      guard try rows.step() else { continue }
      let directory = rows.integer(ListedTrack.columnCount)
      if directory == last {
        try body(track, nil)
        continue
      }
      last = directory
      paths.bind(directory)
      defer { paths.reset() }
      guard try paths.step() else { continue }
      try body(track, seen(paths.bytes(0), in: rows.integer(ListedTrack.columnCount + 1)))
    }
  }

  /// When the file that is seen under `path` was changed, in nanoseconds since 1970; `nil` where the library has none.
  public func modified(_ path: FilePath) throws -> Int64? {
    guard let (library, path) = find(path) else { return nil }
    let rows = try listing.modified(self)
    rows.bind(library)
    rows.bind(path.parent.bytes)
    rows.bind(Array(path.name))
    defer { rows.reset() }
    return try rows.step() ? rows.integer(0) : nil
  }

  private var listing: ListingStatements {
    get throws {
      if let statements = listingStatements { return statements }
      let statements = try ListingStatements(self)
      listingStatements = statements
      return statements
    }
  }
}

/// A track as the index holds it, byte for byte: for listings of many, where making a `Track` of each would take most
/// of the time.
///
/// It is a row that is read at present, and is given only for as long as that.
@safe public struct ListedTrack: ~Copyable {
  /// What it says in text, in the order of the columns in which it is read.
  public enum Text: Int32, Sendable {
    /// The file's name.
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

  /// What stands between several values of one text.
  public static let separator: UInt8 = 0x1F

  static let columns = """
    track.name, track.title, track.artists, track.album_title, track.album_artists, track.genres, track.composers, \
    track.sort_artist, track.sort_album, track.sort_album_artist, track.release, track.sort_title, \
    track.number, track.disc, track.year, track.month, track.day, track.duration, track.rate, track.channels, track.bits, \
    track.segment, CASE WHEN track.segment >= 0 THEN track.segment_end END, track.mtime, track.tags
    """

  /// How many columns these are.
  static let columnCount: Int32 = 25

  private let row: IndexStatement

  /// The present row of a statement that selects ``columns`` first.
  init(_ row: IndexStatement) { self.row = row }

  /// Gives `body` the bytes of a text; none where there is none.
  ///
  /// A file's name need be no UTF-8. The others are, unless another program has put something else there.
  public func withBytes(of text: Text, _ body: (UnsafeRawBufferPointer) -> Void) {
    unsafe row.withBytes(text.rawValue, body)
  }

  /// Whether it has tags that are none of these texts.
  public var hasOtherTags: Bool { !row.isNull(24) }

  /// Gives `body` each of its further tags, in no order of kinds.
  public func forEachFurtherTag(_ body: (FurtherTags.Kind, UnsafeRawBufferPointer) -> Void) {
    unsafe row.withBytes(24) { unsafe TagJSONReader.read($0, body) }
  }

  /// The number on the disc.
  public var number: Int? { integer(12) }
  /// The number of the disc.
  public var disc: Int? { integer(13) }
  /// When it was released.
  public var date: ReleaseDate? { row.isNull(14) ? nil : StatementRow(statement: row).date(14) }
  /// How long it lasts.
  public var milliseconds: Int? { integer(17) }
  /// How its sound is kept.
  public var audio: AudioSummary? {
    guard let rate = integer(18), let channels = integer(19) else { return nil }
    return AudioSummary(sampleRate: rate, channels: channels, bitDepth: integer(20))
  }
  /// Which part of its file it is.
  public var segment: TrackSegment? { integer(21).flatMap { TrackSegment(start: $0, end: integer(22)) } }
  /// When its file was changed: nanoseconds since 1970.
  public var modified: Int64 { row.integer(23) }

  private func integer(_ column: Int32) -> Int? { row.optionalInteger(column).flatMap { Int(exactly: $0) } }

  /// Whether the album is one of these bytes.
  func isOf(album: [UInt8]) -> Bool {
    var isSame = false
    unsafe withBytes(of: .album) { isSame = unsafe $0.count == album.count && $0.elementsEqual(album) }
    return isSame
  }

  /// The bytes of the album.
  var album: [UInt8] {
    var album: [UInt8] = []
    unsafe withBytes(of: .album) { album = unsafe Array($0) }
    return album
  }
}
