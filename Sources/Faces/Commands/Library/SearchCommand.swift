// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import Screens
import SystemPackage
import Terminal

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
    guard session.origin.isConversation, StandardStream.input.isTerminal, TerminalCanvas.canDraw(session) else {
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
    var found = try session.finder(request).found(hit)
    if case .attached = session.origin { return try forward(hit, item: found.item, adding: adding) }
    if adding, case .track = hit { found = found.track }
    let choice = PlayChosenCommand.Choice(found.collection, item: found.item, adds: adding)
    return [try choice.act(in: session)]
  }

  private func forward(_ hit: SearchHit, item: Int, adding: Bool) throws -> [String] {
    let words = PlayChosenCommand.words(hit, item: item, request, adds: adding)
    let texts = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }
    let command = try PlayChosenCommand.parse(texts)
    let lines = CapturedOutput()
    let capturingSession = session.capturing(in: lines)
    guard try Forwarding(command, words, in: capturingSession).forward() != nil else { throw PlayerError.noPlayer }
    session.hasAnnouncedTrack = session.hasAnnouncedTrack || capturingSession.hasAnnouncedTrack
    return lines.output + lines.errors
  }
}

extension CollectionFinder.Found {
  /// Only the track to start with, without the rest of the collection.
  var track: Self {
    let track = collection.tracks[item]
    return Self(
      collection: TrackCollection(title: track.title, tracks: [track]), item: 0, problems: problems)
  }
}
