// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `queue add` command: adds tracks to the end of the queue.
struct QueueAddCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add tracks to the end of the queue.",
    discussion: """
      \(QueryOptions.discussion)

      Examples:
        queue add "Kind of Blue"
        queue add Low "Miles Davis/Blue Haze" ~/Music/one.flac
      """)

  @OptionGroup var options: QueryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.add(in: session) { _ in .end }
  }
}

/// The `queue next` command: adds tracks after the current one.
struct QueueNextCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Add tracks right after the current one.",
    discussion: """
      \(QueryOptions.discussion)

      Tracks added by several such commands play in the order in which they were added, and stay together in random mode.

      Examples:
        queue next "Kind of Blue"
        queue next ~/Music/Low/02.flac
      """)

  @OptionGroup var options: QueryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    try options.add(in: session) { _ in .next }
  }
}

/// The `queue insert` command: inserts tracks at a position of the queue.
struct QueueInsertCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Insert tracks at a position of the queue.",
    discussion: """
      POS is \(InsertionPoint.help)

      \(QueryOptions.discussion)

      Examples:
        queue insert 1 "Kind of Blue"
        queue insert . ~/Music/Low/02.flac
      """)

  @Argument(help: ArgumentHelp("Position of the first inserted track.", valueName: "pos"))
  var position: String

  @OptionGroup var options: QueryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws {
    let point = try InsertionPoint(position)
    try options.add(in: session) { queue throws(PlayerError) in try point.resolved(in: queue) }
  }
}

/// The options of a command that adds tracks: the queries for the tracks, the library, and the queue.
struct QueryOptions: ParsableArguments {
  /// The meaning of QUERY, as part of the help.
  static let discussion = """
    Each QUERY is an album, ARTIST/ALBUM, a path to a file, directory or playlist, a query such as \
    'artist:coltrane year:1957..1965', or else a track title, as for `play`.
    """

  @Argument(help: "Album, path, query or track title.")
  var query: [String]

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var state: StateOptions

  /// Returns the tracks that the queries match, in the order of the queries.
  ///
  /// - Throws: `PlayerError` if a query matches nothing, or is ambiguous.
  func collection(in session: Session) throws(PlayerError) -> TrackCollection {
    let request = LibraryRequest(
      roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session)
    let finder = session.finder(request)
    var collections: [TrackCollection] = []
    for text in query {
      let found = try finder.find(album: text, track: nil)
      for problem in found.problems { session.printError("segue: skipped \(problem)") }
      session.printMatches(of: text, found.collection)
      collections.append(found.isTrack ? found.track.collection : found.collection)
    }
    var all = collections.first ?? TrackCollection(title: "", tracks: [])
    if collections.count > 1 {
      all = TrackCollection(
        title: Self.title(collections.map(\.title)), tracks: collections.flatMap { Array($0.tracks) })
    }
    try all.check(isNotWrittenTo: session.outputFile)
    return all
  }

  /// Adds the tracks to the queue, and prints their positions.
  ///
  /// - Parameter point: Returns the point in the queue at which to insert the tracks.
  func add(in session: Session, at point: (PlayQueue) throws(PlayerError) -> QueueInsertionPoint) throws {
    let collection = try collection(in: session)
    var start = 0
    let edit = try session.edit(state) { queue throws(PlayerError) in
      let point = try point(queue)
      start =
        switch point {
        case .end: queue.items.count
        case .next: queue.currentPosition.map { $0 + 1 } ?? 0
        case .position(let position): position
        }
      session.services.actions.add(collection, at: point)
    }
    let suffix = PositionText.suffix(edit.range(of: collection.tracks, from: start))
    session.printRemark(
      "added \(ItemCount.text(collection.tracks.count, "track"))\(suffix): \(collection.title)".safeForTerminal)
  }

  private static func title(_ titles: [String]) -> String {
    titles.count > 3
      ? titles.prefix(2).joined(separator: ", ") + " and \(titles.count - 2) more"
      : titles.joined(separator: ", ")
  }
}
