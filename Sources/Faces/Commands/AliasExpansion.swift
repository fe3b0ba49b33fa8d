// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Screens
import UserSettings

/// Expands aliases in a line of words.
struct AliasExpansion: Sendable {
  /// The text that each alias stands for: a line of words.
  let aliases: [String: FileSettings.Entry<String>]
  /// Returns the words that can never be aliases: the names of commands.
  let commands: @Sendable () -> [String]

  /// Creates an expansion with the aliases of `settings`.
  init(_ settings: Settings) { self.init(aliases: settings.aliases) }

  /// Creates an expansion with these aliases. `commands` is only called if there are aliases.
  init(
    aliases: [String: FileSettings.Entry<String>],
    commands: @escaping @Sendable () -> [String] = { CommandName.all }
  ) {
    self.aliases = aliases
    self.commands = commands
  }

  /// Returns `words` with aliases replaced until the first word is no alias.
  ///
  /// - Throws: `CommandError` if aliases expand to each other in a cycle.
  func expanded(_ words: [String]) throws(CommandError) -> [String] {
    if aliases.isEmpty { return words }
    let commands = commands()
    var words = words
    var way: [String] = []
    while let name = words.first, !commands.contains(name), let alias = aliases[name] {
      guard !way.contains(name) else {
        throw CommandError(
          .usage, "alias \"\(name)\" refers to itself: \((way + [name]).joined(separator: " → "))")
      }
      way.append(name)
      // Cannot fail: the settings reader has split it before.
      words = ((try? LineTokenizer.words(alias.value)) ?? []) + words.dropFirst()
    }
    return words
  }
}

/// The words that can never be aliases.
enum CommandName {
  /// The names of the commands and of the words of the REPL.
  static var all: [String] {
    let types = SegueCommand.configuration.subcommands + ReplWord.configuration.subcommands
    return ["help"] + types.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases }
  }
}
