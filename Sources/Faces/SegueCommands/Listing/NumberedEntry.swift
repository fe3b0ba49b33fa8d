import MusicModel
import Platform
import SystemPackage
import UnicodeText

/// An entry of a listing below a number that the next command takes for its name.
struct NumberedEntry<Entry: ListedEntry>: ListedEntry {
  static var table: Table {
    Table(alignments: [.right] + Entry.table.alignments, flexible: Entry.table.flexible.map { $0 + 1 })
  }
  static var headings: [String] { ["#"] + Entry.headings }

  /// Counted from 1.
  let number: Int
  let entry: Entry

  var cells: [String] { ["\(number)"] + entry.cells }
  var plain: PlainLine { entry.plain.numbered(number) }
  var role: Palette.Role? { entry.role }
  var object: ListedObject { entry.object }
}

/// What a number in a listing stands for, as far as it takes to find it again.
struct ListedReference: Codable, Equatable, Sendable {
  /// What it is.
  enum Kind: String, Codable {
    case album, track, artist, genre
  }

  let kind: Kind
  /// The title, or the name.
  let name: String
  /// The number of the album, or of the track's, in the index.
  var album: Int64?
  /// A track's file, byte for byte.
  var path: [UInt8]?
  /// Where the track begins in that, where it is a part of it.
  var start: Int64?

  /// The artist or genre of this name.
  init(_ kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// This album.
  init(_ album: AlbumEntry) {
    self.init(.album, name: album.title)
    self.album = album.id
  }

  /// This track.
  init(_ entry: TrackEntry) {
    self.init(.track, name: entry.track.title)
    album = entry.albumID
    path = entry.track.path.systemBytes
    start = (entry.track.segment?.start).map { Int64($0) }
  }

  /// Whether it is this track.
  func isTrack(_ track: Track) -> Bool {
    track.path.systemBytes == path && (track.segment?.start).map { Int64($0) } == start
  }
}
