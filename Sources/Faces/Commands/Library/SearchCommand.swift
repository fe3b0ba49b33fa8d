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
      The last word may be incomplete. In the REPL, without TEXT, it searches as you type: Enter plays the selected result, Tab adds it to the \
      queue, Escape closes the search. Typing / in an empty line does the same.

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
    guard session.isConversation, StandardStream.input.isTerminal, TerminalCanvas.canDraw(session) else {
      throw PlayerError(.usage, "missing text: use `search TEXT`")
    }
    session.printLines(try SearchRun(session, options.request(in: session)).run())
  }
}

/// An interactive search in the terminal, and the actions for the hits that the user chooses.
struct SearchRun {
  private let session: Session
  private let request: LibraryRequest

  /// Creates a search in the library of `request`.
  init(_ session: Session, _ request: LibraryRequest) {
    self.session = session
    self.request = request
  }

  /// Shows the search until the user leaves it. Returns the messages to print afterwards, safe for a terminal.
  ///
  /// - Throws: `PlayerError`, or `Errno` if no descriptor is available.
  func run() throws -> [String] {
    let flow = try session.readFlow(request)
    let model = SearchViewModel(store: flow.search, actions: flow.searchActions)
    let filters = FilterText.text(flow.search.state.wanted.filters)
    let view = try SearchView(model, filters: filters, in: session) { hit in
      do {
        return try act(on: hit, adding: true).joined(separator: "; ")
      } catch {
        return (error as? PlayerError)?.message ?? "\(error)"
      }
    }
    guard let hit = view.run() else { return [] }
    return try act(on: hit, adding: false)
  }

  /// Plays `hit`, or adds it to the queue. Returns the messages to print.
  private func act(on hit: SearchHit, adding: Bool) throws -> [String] {
    guard let player = session.player else { throw PlayerError.noPlayer }
    let library = LibraryChoice(roots: request.roots, dataDirectory: request.dataDirectory)
    let music = MusicRequest(hit.music(adding: adding), in: library)
    let reply = try player.send(adding ? .add(music, at: .end) : .play(music, PlaybackOptions()))
    let line: String
    switch reply.result {
    case .added(let added):
      line = "added \(added.title): \(ItemCount.text(added.count, "track"))".safeForTerminal
    case .playing(let started):
      session.hasAnnouncedTrack = true
      line = TrackLine.text(started, session.outputStyle)
    default: throw PlayerError.unexpectedReply
    }
    return [line] + reply.warnings.map(\.safeForTerminal)
  }
}

extension SearchHit {
  /// The music for which the hit stands: all albums of an artist; an album; or an album from a track on, or only the
  /// track if `adding`.
  fileprivate func music(adding: Bool) -> MusicRequest.Name {
    switch self {
    case .artist(let artist): .rows([.artist(artist.name)], start: nil)
    case .album(let album): .rows([.album(album.id)], start: nil)
    case .track(let track):
      if !adding, let album = track.albumID {
        .rows([.album(album)], start: .track(track.id))
      } else {
        .rows([.track(track.id)], start: nil)
      }
    }
  }
}
