// SPDX-License-Identifier: GPL-3.0-or-later

/// The commands that have been renamed. The old names still work, but the help does not list them.
enum FormerCommands {
  /// Returns the present name of the command `queue word`; `nil` if it is not a former one.
  ///
  /// This runs at every start. A dictionary whose keys are arrays would take half a millisecond, to look up how an
  /// array is hashed.
  private static func present(_ word: String) -> [String]? {
    switch word {
    case "save", "load", "append", "delete": ["playlist", word]
    case "lists": ["playlist", "list"]
    case "next": ["queue", "add", "--next"]
    default: nil
    }
  }

  /// Returns the command line `words` with the present name of its command. Also renames the command whose help is
  /// requested.
  static func renamed(_ words: [String]) -> [String] {
    let start = words.first == "help" ? 1 : 0
    guard words.count >= start + 2, words[start] == "queue", let name = present(words[start + 1]) else { return words }
    let shown = start == 1 ? name.filter { !$0.hasPrefix("-") } : name
    return words[..<start] + shown + words[(start + 2)...]
  }
}
