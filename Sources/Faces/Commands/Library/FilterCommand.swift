import ArgumentParser
import MusicModel
import PlayerFlow
import Screens

/// The `filter` command: narrows all listings of the REPL.
struct FilterCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Narrow albums, tracks, artists, genres and search.",
    discussion: """
      filter genre Jazz adds a value, filter remove genre Jazz takes it away, filter clear takes all away, filter clear genre those of one \
      kind. Of several values of a kind one has to be true; of the kinds, all: genre, artist, decade (1950s), format (flac). Alone, it \
      says what is chosen.

      Examples:
        filter genre Jazz
        filter decade 1950s
        filter remove genre Jazz
        filter clear
      """)

  @Argument(help: "genre, artist, decade or format and a value; or clear, or remove.")
  var words: [String] = []

  @OptionGroup var library: LibraryOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    let flow = try session.flow(
      LibraryRequest(roots: library.roots(in: session), dataDirectory: data.directory(in: session), in: session))
    let change = try change()
    if let change { flow.searchActions.filter(change) }
    let text = FilterText.text(flow.search.state.wanted.filters) ?? "no filter"
    if change == nil { session.say(text) } else { session.remark(text) }
  }

  private func change() throws(CommandError) -> FilterChange? {
    guard let first = words.first else { return nil }
    switch first {
    case "clear":
      guard words.count <= 2 else { throw CommandError(.usage, "filter clear takes one kind, or none") }
      return .clear(try words.dropFirst().first.map(kind))
    case "remove": return .remove(try value(words.dropFirst(2)), of: try kind(words.dropFirst().first ?? ""))
    default: return .insert(try value(words.dropFirst()), of: try kind(first))
    }
  }

  private func kind(_ word: String) throws(CommandError) -> LibraryFilters.Kind {
    guard let kind = LibraryFilters.Kind(rawValue: word) else {
      let kinds = LibraryFilters.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandError(.usage, "\"\(word)\" is no kind of filter: it is one of \(kinds)")
    }
    return kind
  }

  private func value(_ words: ArraySlice<String>) throws(CommandError) -> String {
    let value = words.joined(separator: " ")
    guard !value.isEmpty else { throw CommandError(.usage, "the value is missing: filter genre Jazz") }
    return value
  }
}
