// SPDX-License-Identifier: GPL-3.0-or-later

import Foundation
import MusicModel
import Platform
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// An entry of a listing with a number that the next command accepts as a name.
struct NumberedEntry<Entry: ListedEntry>: ListedEntry {
  static var table: Table {
    Table(alignments: [.right] + Entry.table.alignments, flexible: Entry.table.flexible.map { $0 + 1 })
  }
  static var headings: [String] { ["#"] + Entry.headings }

  /// The number, counted from 1.
  let number: Int
  let entry: Entry

  var cells: [String] { ["\(number)"] + entry.cells }
  var plain: PlainLine { entry.plain.numbered(number) }
  var role: Palette.Role? { entry.role }
  var object: ListedObject { entry.object }
}

/// The item that a number in a listing refers to, with what is needed to find it again.
struct ListedReference: Codable, Equatable, Sendable {
  /// The kind of item.
  enum Kind: String, Codable {
    case album, track, artist, genre
  }

  let kind: Kind
  /// The title, or the name.
  let name: String
  /// The ID in the index of the album, or of the track's album.
  var album: Int64?
  /// The path of a track's file, as bytes.
  var path: [UInt8]?
  /// The start of the track in its file, if it is a part of one, in CD frames.
  var start: Int64?

  /// Creates a reference to the artist or genre with this name.
  init(_ kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// Creates a reference to this album.
  init(_ album: AlbumEntry) {
    self.init(.album, name: album.title)
    self.album = album.id
  }

  /// Creates a reference to this track.
  init(_ entry: TrackEntry) {
    self.init(.track, name: entry.track.title)
    album = entry.albumID
    path = entry.track.path.systemBytes
    start = (entry.track.segment?.start).map { Int64($0) }
  }

  /// Returns whether it refers to `track`.
  func isTrack(_ track: Track) -> Bool {
    track.path.systemBytes == path && (track.segment?.start).map { Int64($0) } == start
  }
}

/// The numbered items of the listing last shown on a terminal, stored for the next command.
struct LastListing: Sendable {
  /// The maximum number of entries stored; nobody picks by number from a longer listing.
  static let limit = 10_000
  /// The maximum size of the file in bytes; names may be long.
  private static let byteLimit = 16 << 20

  private let file: FilePath

  /// Creates access to the listing in the state directory `directory`.
  init(in directory: FilePath) { file = directory.appending("listing.json") }

  /// Returns the item at `number`, counted from 1; `nil` if there is none or it cannot be read. Blocks on the disk.
  func reference(_ number: Int) -> ListedReference? {
    guard number > 0, let bytes = try? AtomicFile.read(file, limit: Self.byteLimit),
      let references = try? JSONDecoder().decode([ListedReference].self, from: Data(bytes)), number <= references.count
    else { return nil }
    return references[number - 1]
  }

  /// Stores `references` in place of the previous ones.
  ///
  /// - Throws: `Errno` if they cannot be written.
  func keep(_ references: [ListedReference]) throws(Errno) {
    guard let data = try? JSONEncoder().encode(Array(references.prefix(Self.limit))) else { return }
    try AtomicFile.write(data, to: file)
  }
}
