// SPDX-License-Identifier: GPL-3.0-or-later

import FoundationEssentials
package import MusicModel
import Platform
import Playlists
package import SystemPackage

/// The item to which a number in a listing refers, described so that it can be found again.
package struct ListedReference: Codable, Equatable, Sendable {
  /// The kind of item.
  package enum Kind: String, Codable {
    case album, track, artist, genre, list
  }

  package let kind: Kind
  /// The title of the album or track, or the name of the artist, genre or playlist.
  package let name: String
  /// The ID in the index of the album, or of the track's album; otherwise `nil`.
  package var album: Int64?
  /// The path of the track or playlist as bytes; otherwise `nil`.
  package var path: [UInt8]?
  /// The CD frame of the file at which the track starts; `nil` unless the track is a part of a file.
  package var start: Int64?

  /// Creates a reference to the artist, genre or playlist with this name.
  package init(_ kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// Creates a reference to `album`.
  package init(_ album: AlbumEntry) {
    self.init(.album, name: album.title)
    self.album = album.id
  }

  package init(_ entry: TrackEntry) {
    self.init(.track, name: entry.track.title)
    album = entry.albumID
    path = entry.track.path.systemBytes
    start = (entry.track.segment?.start).map { Int64($0) }
  }

  /// Returns whether the reference is to `track`.
  package func isTrack(_ track: Track) -> Bool {
    track.path.systemBytes == path && (track.segment?.start).map { Int64($0) } == start
  }
}

/// The numbered items of the listing that was last shown on a terminal, stored for the next command.
package struct LastListing: Sendable {
  /// The maximum number of items that are stored. Nobody chooses by number from a longer listing.
  package static let limit = 10_000
  /// The maximum size of the file in bytes. Names may be long.
  private static let byteLimit = 16 << 20

  private let file: FilePath

  package init(in directory: FilePath) { file = directory.appending("listing.json") }

  /// Returns the item whose number, counted from 1, is `text`; `nil` if there is none, or if the listing cannot be
  /// read. Blocks while the disk is read.
  package func reference(_ text: String) -> ListedReference? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), number > 0, let bytes = try? AtomicFile.read(file, limit: Self.byteLimit),
      let references = try? JSONDecoder().decode([ListedReference].self, from: Data(bytes)), number <= references.count
    else { return nil }
    return references[number - 1]
  }

  /// Returns the name of the playlist that has the number `text` in the listing. Returns `text` itself if there is no
  /// such playlist, or if a playlist of `directory` has that name.
  func playlistName(_ text: String, in directory: PlaylistDirectory) -> String {
    guard let reference = reference(text), reference.kind == .list, (try? directory.find(text)) == nil else {
      return text
    }
    return reference.name
  }

  /// Stores `references`, replacing the previous listing.
  ///
  /// - Throws: `Errno` if the file cannot be written.
  package func store(_ references: [ListedReference]) throws(Errno) {
    guard let data = try? JSONEncoder().encode(Array(references.prefix(Self.limit))) else { return }
    try AtomicFile.write(data, to: file)
  }
}
