// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Terminal
import UnicodeText

/// The `search` command: finds artists, albums and tracks by name, best match first.
struct SearchCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search artists, albums and tracks by name, best match first.",
    discussion: """
      The last word may be incomplete. In the REPL, without TEXT, it searches as you type, on the full screen: Enter plays the selected result, \
      Escape ends typing and, pressed again, closes the screen. Typing / in an empty line does the same.

      Examples:
        search coltr
        search kind of bl --limit 3
      """)

  /// The default maximum number of hits.
  private static let limit = 50

  @Argument(help: "Text to search for.")
  var text: [String] = []

  @OptionGroup var options: ListingOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let text = text.joined(separator: " ")
    if text.allSatisfy(\.isWhitespace) { return try searchAsTyped(session) }
    var options = options
    options.window.limit = options.window.limit ?? Self.limit
    let request = try ListingRequest([], options, in: session, searchText: text)
    try request.print { window throws(LibraryError) in
      try request.flow.index.hits(text, among: request.query, window: window)
    } as: { (hit: SearchHit) in
      hit
    }
  }

  private func searchAsTyped(_ session: Session) throws {
    guard session.isConversation, StandardStream.input.isTerminal, session.canDraw else {
      throw PlayerError(.usage, "missing text: use `search TEXT`")
    }
    try session.showSearch(options.library.request(in: session))
  }
}

extension Session {
  /// Shows the search on the full screen until the user leaves it.
  ///
  /// - Throws: `PlayerError`, `LibraryError`, or `Errno` if no descriptor is available.
  func showSearch(_ request: LibraryRequest) throws {
    guard let player else { throw PlayerError.noPlayer }
    _ = try readFlow(request)
    // The REPL searches its own library, which may differ from that of a player in another process.
    let library = ownsPlayer ? nil : LibraryChoice(roots: request.roots, dataDirectory: request.dataDirectory)
    _ = try show(.search, of: player, request, library)
  }
}
