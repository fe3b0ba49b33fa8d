import ArgumentParser
import MusicLibrary
import MusicModel
import Platform
import QueueFlow

/// `search`: finds artists, albums and tracks by what their names hold, best first.
struct SearchCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find artists, albums and tracks by their names, best first.",
    discussion: """
      The last word may be unfinished. In the REPL, without TEXT, the list narrows as you type: Enter plays what is chosen, Escape leaves.
      """)

  /// The most hits, where no other number is asked for.
  private static let limit = 50

  @Argument(help: "What to look for.")
  var text: [String] = []

  @OptionGroup var options: ListingOptions

  func run(in session: Session) throws {
    let text = text.joined(separator: " ")
    if text.allSatisfy(\.isWhitespace) { return try searchAsTyped(session) }
    var options = options
    options.window.limit = options.window.limit ?? Self.limit
    let request = try ListingRequest([], options, in: session, sought: text)
    try request.print { window throws(LibraryFault) in
      try request.flow.index.hits(text, among: request.query, window: window)
    } as: { (hit: SearchHit) in
      hit
    }
  }

  private func searchAsTyped(_ session: Session) throws {
    guard case .repl = session.face, StandardStream.input.isTerminal, StandardStream.output.isTerminal else {
      throw CommandError(.usage, "what to look for is missing: search TEXT")
    }
    let request = options.request(in: session)
    let flow = try session.readFlow(request)
    let model = SearchViewModel(.hits, store: flow.search, actions: flow.searchActions)
    let filters = RequestTitle.text(flow.search.state.wanted.filters)
    guard let hit = try SearchView(model, filters: filters).run() else { return }
    let found = try session.finder(request).found(hit)
    session.services.actions.enqueue(found.collection, item: found.item)
    session.say(TrackLine.text(index: found.item, in: found.collection))
  }
}
