// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import MusicModel
import PlayerFlow
import PlayerPort
import Screens

/// The `filter` command: sets the filters of the REPL, which narrow all its listings.
struct FilterCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Filter library listings and search results.",
    discussion: """
      `filter genre Jazz` adds a filter, `filter remove genre Jazz` removes it, `filter clear genre` removes all filters of one kind, and \
      `filter clear` removes all filters. The kinds are genre, artist, decade (such as 1950s) and format (such as flac). If a kind has \
      several filters, a track must match one of them; it must match every kind that has filters. Without arguments, the filters are shown.

      Examples:
        filter genre Jazz
        filter decade 1950s
        filter remove genre Jazz
        filter clear
      """)

  @Argument(help: "A kind (genre, artist, decade or format) and a value, or `remove` or `clear`.")
  var words: [String] = []

  @OptionGroup var library: LibraryOptions
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    let flow = try session.flow(library.request(in: session))
    let change = try change()
    if let change { flow.filterActions.change(change) }
    let text = FilterText.text(flow.filters.state) ?? "no filters"
    if change == nil { session.printLine(text) } else { session.printRemark(text) }
  }

  private func change() throws(PlayerError) -> FilterChange? {
    guard let first = words.first else { return nil }
    switch first {
    case "clear":
      guard words.count <= 2 else { throw PlayerError(.usage, "`filter clear` takes at most one kind") }
      return .clear(try words.dropFirst().first.map(kind))
    case "remove": return .remove(try value(words.dropFirst(2)), of: try kind(words.dropFirst().first ?? ""))
    default: return .insert(try value(words.dropFirst()), of: try kind(first))
    }
  }

  private func kind(_ word: String) throws(PlayerError) -> LibraryFilters.Kind {
    guard let kind = LibraryFilters.Kind(rawValue: word) else {
      let kinds = LibraryFilters.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlayerError(.usage, "unknown filter \"\(word)\": use one of \(kinds)")
    }
    return kind
  }

  private func value(_ words: ArraySlice<String>) throws(PlayerError) -> String {
    let value = words.joined(separator: " ")
    guard !value.isEmpty else { throw PlayerError(.usage, "missing value: use, for example, `filter genre Jazz`") }
    return value
  }
}
