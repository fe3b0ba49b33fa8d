// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import Platform
package import SystemPackage
package import Tagging

/// Music that a face wants to play or to add: found by the player, in its library or in another one.
package struct MusicRequest: Codable, Sendable, Equatable {
  /// How the music is named.
  package enum Name: Codable, Sendable, Equatable {
    /// Albums, paths, queries or titles, as typed.
    case typed([TypedText])
    /// An album, path, query or title, and perhaps the track to start with, as words that need not be quoted.
    case words([TypedText])
    /// A saved playlist, its number in the last listing, or the path of a file; and the track to start with.
    case playlist(TypedText, track: String?)
    /// Rows that the user has chosen in lists.
    case rows([MusicRow], start: StartTrack?)
    /// The file, directory or stream that another program opens, as a URI.
    case uri(String)
    /// Tracks that are known already.
    case tracks(KnownTracks)
  }

  /// A row of a list that stands for tracks.
  package enum MusicRow: Codable, Sendable, Equatable {
    /// An album, by its ID in the library.
    case album(Int64)
    case artist(String)
    case genre(String)
    case year(Int)
    /// An item of the queue, by its ID.
    case item(UInt64)
    /// A track of the library, by its ID.
    case track(Int64)
    case file(PathText)
    case playlist(String)
    /// A directory of the library: its absolute path, or the one that ``ListContent/directory(_:)`` has.
    case directory(PathText)
    /// All tracks of a list, in the order in which it shows them.
    case list(ListView)
  }

  /// The track of the rows to start with.
  package enum StartTrack: Codable, Sendable, Equatable {
    /// A track of the library, by its ID.
    case track(Int64)
    /// The track with this index. For a single ``MusicRow/list(_:)``, it is that of the row with this number.
    case number(Int)
  }

  package var name: Name
  /// The library in which to look; `nil` for that of the player.
  package var library: LibraryChoice?

  package init(_ name: Name, in library: LibraryChoice? = nil) {
    self.name = name
    self.library = library
  }
}

/// Tracks as a value. In the process of the player, they are passed on as they are.
package struct KnownTracks: Codable, Sendable, Equatable {
  private enum CodingKeys: CodingKey {
    case title, tracks
  }

  package var collection: TrackCollection

  package init(_ collection: TrackCollection) { self.collection = collection }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rows = try container.decode([TrackRow].self, forKey: .tracks)
    collection = TrackCollection(
      title: try container.decode(String.self, forKey: .title), tracks: rows.map(\.track))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(collection.title, forKey: .title)
    try container.encode(collection.tracks.map { TrackRow($0) }, forKey: .tracks)
  }
}

/// A library that a user has chosen instead of the player's.
package struct LibraryChoice: Codable, Sendable, Equatable {
  /// The music directories; `nil` for those of the player.
  package var roots: [PathText]?
  /// The directory of the index; `nil` for that of the player.
  package var dataDirectory: PathText?

  /// Creates the choice of the given directories; `nil` if none is given.
  package init?(roots: LibraryRoots?, dataDirectory: FilePath?) {
    guard roots != nil || dataDirectory != nil else { return nil }
    self.roots = roots?.paths.map { PathText(absolute: $0) }
    self.dataDirectory = dataDirectory.map { PathText(absolute: $0) }
  }
}

/// A path as text, with the bytes percent-encoded.
package struct PathText: Codable, Sendable, Hashable, ExpressibleByStringLiteral {
  private let encoded: String

  /// Encodes `path` as it is.
  package init(_ path: FilePath) { encoded = PercentCoding.encoded(path.systemBytes) }

  package init(stringLiteral text: String) { self.init(FilePath(text)) }

  /// Encodes `path`, made absolute.
  package init(absolute path: FilePath) { self.init((try? path.absolute()) ?? path) }

  package var path: FilePath { FilePath(systemBytes: bytes) }

  /// A path cannot contain a NUL byte.
  private var bytes: [UInt8] { (PercentCoding.decoded(encoded[...]) ?? []).prefix { $0 != 0 }.map { $0 } }

  package init(from decoder: any Decoder) throws { encoded = try decoder.singleValueContainer().decode(String.self) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(encoded)
  }
}

/// A word that a user has typed, with what is needed to use it as a path in another process.
package struct TypedText: Codable, Sendable, Equatable {
  /// The text. Invalid UTF-8 is replaced.
  package let text: String
  private let directory: PathText
  /// The arguments of the program that typed it, percent-encoded, if the text may be a part of one that is not UTF-8.
  private let arguments: [String]

  package init(_ text: String) {
    self.text = text
    let context = CallerContext.current
    directory = PathText(absolute: context?.directory ?? ".")
    let words = text.unicodeScalars.contains("\u{FFFD}") ? context?.words ?? CommandLine.words : []
    arguments = words.filter { String(validating: $0, as: UTF8.self) == nil }.map { PercentCoding.encoded($0) }
  }

  /// Calls `body` with the text, in a context in which it means the same as where it was typed.
  package func withContext<Result, Failure: Error>(
    _ body: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // In the process where it was typed, paths are shown as they were.
    if arguments.isEmpty, directory == PathText(absolute: ".") { return try body(text) }
    let words = arguments.compactMap { PercentCoding.decoded($0[...]) }
    return try CallerContext.$current.withValue(CallerContext(directory: directory.path, words: words)) {
      Swift.Result { () throws(Failure) in try body(text) }
    }.get()
  }
}
