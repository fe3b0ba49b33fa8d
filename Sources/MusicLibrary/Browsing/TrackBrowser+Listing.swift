import Platform
public import SystemPackage

/// The statements that list tracks, kept for as long as a browser is.
final class ListingStatements {
  /// In the order in which the index holds them.
  let named: IndexStatement
  private var sortedOne: IndexStatement?
  private var trackOne: IndexStatement?
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
    let sql = "SELECT \(ListedTrack.columns) FROM track WHERE track.id = ?"
    let statement = try trackOne ?? browser.kept(sql)
    trackOne = statement
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

  /// Gives `body` the tracks with these ids, in their order, without those that are no more.
  public func listTracks(_ ids: some Sequence<Int64>, _ body: (borrowing ListedTrack) throws -> Void) throws {
    let rows = try listing.track(self)
    defer { rows.reset() }
    let track = ListedTrack(rows)
    for id in ids {
      rows.bind(id)
      if try rows.step() { try body(track) }
      rows.reset()
    }
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
