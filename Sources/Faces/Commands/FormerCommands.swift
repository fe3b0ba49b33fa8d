// SPDX-License-Identifier: GPL-3.0-or-later

/// The commands that have been renamed. The old names still work, but the help does not list them.
enum FormerCommands {
  private static let names: [[String]: [String]] = [
    ["queue", "save"]: ["playlist", "save"],
    ["queue", "load"]: ["playlist", "load"],
    ["queue", "lists"]: ["playlist", "list"],
    ["queue", "append"]: ["playlist", "append"],
    ["queue", "delete"]: ["playlist", "delete"],
    ["queue", "next"]: ["queue", "add", "--next"],
  ]

  /// Returns the command line `words` with the present name of its command. Also renames the command whose help is
  /// requested.
  static func renamed(_ words: [String]) -> [String] {
    let start = words.first == "help" ? 1 : 0
    guard words.count >= start + 2, let name = names[Array(words[start..<start + 2])] else { return words }
    let shown = start == 1 ? name.filter { !$0.hasPrefix("-") } : name
    return words[..<start] + shown + words[(start + 2)...]
  }
}
