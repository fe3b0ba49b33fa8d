// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import Screens
import Terminal
import UnicodeText

/// The `queue add` command: adds tracks to the queue.
struct QueueAddCommand: QueueStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add tracks to the end of the queue, or after the current one.",
    discussion: """
      \(QueryOptions.discussion)

      Tracks added by several commands with --next play in the order in which they were added, and stay together in random mode.

      Examples:
        queue add "Kind of Blue"
        queue add --next ~/Music/Low/02.flac
        queue add Low "Miles Davis/Blue Haze" ~/Music/one.flac
      """)

  @Flag(name: .long, help: "Add right after the current track instead of at the end.")
  var next = false

  @OptionGroup var options: QueryOptions

  var state: StateOptions { options.state }

  func run(in session: Session) throws { try options.add(at: next ? .next : .end, in: session) }
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

  var state: StateOptions { options.state }

  func run(in session: Session) throws { try options.add(at: try InsertionPoint(position), in: session) }
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
  @OptionGroup var state: StateOptions

  /// Adds the tracks that the queries match to the queue, in the order of the queries, and prints their positions.
  ///
  /// - Throws: `PlayerError` if a query matches nothing, or is ambiguous.
  func add(at point: InsertionPoint, in session: Session) throws {
    session.printLocation(of: library.request(in: session))
    let music = MusicRequest(.typed(query.map { TypedText($0) }), in: library.choice)
    guard case .added(let added) = try session.send(.add(music, at: point), to: .queue(state)) else {
      throw PlayerError.unexpectedReply
    }
    session.printMatches(added.matches)
    let suffix = PositionText.suffix(added.positions)
    session.printRemark(
      "added \(ItemCount.text(added.count, "track"))\(suffix): \(added.title)".safeForTerminal)
  }
}
