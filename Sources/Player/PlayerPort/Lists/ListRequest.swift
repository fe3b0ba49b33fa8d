// SPDX-License-Identifier: GPL-3.0-or-later

public import MusicModel

/// A question about the lists of a player. The answer changes nothing.
package struct ListRequest: Codable, Sendable, Equatable {
  package enum Question: Codable, Sendable, Equatable {
    /// Up to `limit` rows of a list from number `offset` on.
    case page(ListView, offset: Int, limit: Int)
    /// The number of the first row of a list whose name begins with a letter. If the list is sorted by name, the next
    /// letter that there is will do.
    case letter(String, ListView)
    /// The number of the first row after `row` (or before it, if `backward`) that contains a text, going round at the
    /// end.
    case text(String, ListView, after: Int, backward: Bool)
    /// The rating of the track at a path.
    case rating(PathText)
    /// The path of a track of an album, by the ID of the album.
    case albumPath(Int64)
    /// Where the track of a row belongs: an item of the queue, a track of the library, or a file.
    case origin(ListTarget)
    /// Everything that is known of a track.
    case information(NamedTrack)
    /// The tracks of some music; at most ``PlayerLists/trackLimit``.
    case tracks(MusicRequest)
  }

  package var question: Question
  /// The library that is meant; `nil` for that of the player.
  package var library: LibraryChoice?

  package init(_ question: Question, in library: LibraryChoice? = nil) {
    self.question = question
    self.library = library
  }
}

/// The answer to a ``ListRequest``.
package enum ListAnswer: Codable, Sendable, Equatable {
  case page(ListPage)
  /// The number of a row, counted from 0; `nil` if there is none.
  case position(Int?)
  /// A rating from 1 to 10; `nil` if there is none.
  case rating(Int?)
  case path(PathText?)
  /// Where a track belongs; `nil` if it is not in the library, or the row is no track.
  case origin(TrackOrigin?)
  case information(TrackInformation)
  case tracks([TrackRow])
}

/// Where a track of the library belongs.
package struct TrackOrigin: Codable, Sendable, Equatable {
  /// The ID and the title of its album.
  package var album: Int64
  package var albumTitle: String
  /// The names of its artists and of the artists of its album, as they stand in the list of artists.
  package var artists: [String]
  package var albumArtists: [String]
}

/// The lists of a player, with those of the library that a face shows. Calls block until the player has answered.
package struct PlayerLists: Sendable {
  /// The maximum number of tracks that are returned at once.
  package static let trackLimit = 10_000

  private let player: any PlayerPort
  private let library: LibraryChoice?

  /// Creates the lists of `player`, and of `library` or, if that is `nil`, of the player's library.
  package init(_ player: any PlayerPort, library: LibraryChoice? = nil) {
    self.player = player
    self.library = library
  }

  /// Returns up to `limit` rows of a list from number `offset` on.
  package func page(of view: ListView, offset: Int, limit: Int) throws(PlayerError) -> ListPage {
    guard case .page(let page) = try answer(.page(view, offset: offset, limit: limit)) else {
      throw .unexpectedReply
    }
    return page
  }

  /// Returns the number of the first row of a list whose name begins with `letter` or, if the list is sorted by name,
  /// does not sort before it; `nil` if there is none.
  package func position(of letter: Character, in view: ListView) throws(PlayerError) -> Int? {
    guard case .position(let position) = try answer(.letter(String(letter), view)) else { throw .unexpectedReply }
    return position
  }

  /// Returns the number of the first row after `row` (or before it, if `backward`) that contains `text`, going round at
  /// the end; `nil` if none does.
  package func position(
    of text: String, in view: ListView, after row: Int, backward: Bool
  ) throws(PlayerError) -> Int? {
    let question = ListRequest.Question.text(text, view, after: row, backward: backward)
    guard case .position(let position) = try answer(question) else { throw .unexpectedReply }
    return position
  }

  /// Returns the rating of the track at `path`, from 1 to 10; `nil` if it has none, or cannot be read.
  package func rating(ofFile path: PathText) -> Int? {
    guard case .rating(let rating)? = try? answer(.rating(path)) else { return nil }
    return rating
  }

  /// Returns the path of a track of the album with this ID; `nil` if there is none, or it cannot be read.
  package func path(ofAlbum album: Int64) -> PathText? {
    guard case .path(let path)? = try? answer(.albumPath(album)) else { return nil }
    return path
  }

  /// Returns where the track of a row belongs: an item of the queue, a track of the library, or a file. Returns `nil`
  /// if it is not in the library, or the row is no track.
  package func origin(of target: ListTarget) throws(PlayerError) -> TrackOrigin? {
    guard case .origin(let origin) = try answer(.origin(target)) else { throw .unexpectedReply }
    return origin
  }

  /// Returns everything that is known of a track.
  ///
  /// - Throws: `PlayerError` if there is no such track, or if several tracks could be meant.
  package func information(of track: NamedTrack) throws(PlayerError) -> TrackInformation {
    guard case .information(let information) = try answer(.information(track)) else { throw .unexpectedReply }
    return information
  }

  /// Returns the tracks of `music`, at most ``trackLimit``.
  package func tracks(_ music: MusicRequest.Name) throws(PlayerError) -> [Track] {
    guard case .tracks(let rows) = try answer(.tracks(MusicRequest(music, in: library))) else { throw .unexpectedReply }
    return rows.map(\.track)
  }

  private func answer(_ question: ListRequest.Question) throws(PlayerError) -> ListAnswer {
    try player.answer(ListRequest(question, in: library))
  }
}

/// A query is sent as its text, and so has the limits of a typed one.
extension LibraryQuery: Codable {
  /// Parses the text of a query.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // The printed text of a query has no relative dates, so that any day will do.
    guard let today = ReleaseDate(year: 1) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no calendar")
    }
    self = try LibraryQueryParser(today: today).parse(try container.decode(String.self))
  }

  /// Encodes the text of the query.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
