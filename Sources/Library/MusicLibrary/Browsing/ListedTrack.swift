public import MusicModel

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
