import Foundation
import MusicModel
import Platform
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

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

/// What the numbers of the listing mean that was shown on a terminal last, kept for the next command.
struct LastListing: Sendable {
  /// Who chooses by a number has not gone through more.
  static let limit = 10_000
  /// In bytes: names may be long.
  private static let byteLimit = 16 << 20

  private let file: FilePath

  /// That of the state directory `directory`.
  init(in directory: FilePath) { file = directory.appending("listing.json") }

  /// What stood at `number`, counted from 1; `nil` where nothing did, or that cannot be read. Blocks while the disk
  /// does.
  func reference(_ number: Int) -> ListedReference? {
    guard number > 0, let bytes = try? AtomicFile.read(file, limit: Self.byteLimit),
      let references = try? JSONDecoder().decode([ListedReference].self, from: Data(bytes)), number <= references.count
    else { return nil }
    return references[number - 1]
  }

  /// Keeps these in the place of those before.
  ///
  /// - Throws: `Errno` where they cannot be written.
  func keep(_ references: [ListedReference]) throws(Errno) {
    guard let data = try? JSONEncoder().encode(Array(references.prefix(Self.limit))) else { return }
    try AtomicFile.write(data, to: file)
  }
}
