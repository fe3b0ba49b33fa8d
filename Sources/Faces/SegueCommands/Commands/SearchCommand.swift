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
      The last word may be unfinished. In the REPL, without TEXT, the list narrows as you type: Enter plays what is chosen, Tab adds it to the queue, Escape leaves; / in an empty line opens it, too.

      Examples:
        search coltr
        search kind of bl --limit 3
      """)

  /// The most hits, where no other number is asked for.
  private static let limit = 50

  @Argument(help: "What to look for.")
  var text: [String] = []

  @OptionGroup var options: ListingOptions
  @OptionGroup var manner: MannerOptions

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
    guard session.face.isConversation, StandardStream.input.isTerminal, TerminalCanvas.canDraw(session) else {
      throw CommandError(.usage, "what to look for is missing: search TEXT")
    }
    session.say(try SearchRun(session, options.request(in: session)).run())
  }
}
