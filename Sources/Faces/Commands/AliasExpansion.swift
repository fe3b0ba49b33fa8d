// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort
import Screens
import UserSettings

/// Expands aliases at the start of a command line.
struct AliasExpansion: Sendable {
  /// The words that replace each alias, written as a command line, by the name of the alias.
  let aliases: [String: FileSettings.Entry<String>]
  /// Returns the names of commands, which aliases cannot replace.
  let commands: @Sendable () -> [String]

  /// Creates an expansion with the aliases in `settings`.
  init(_ settings: Settings) { self.init(aliases: settings.aliases) }

  /// Creates an expansion with these aliases. `commands` is called only if there are aliases.
  init(
    aliases: [String: FileSettings.Entry<String>],
    commands: @escaping @Sendable () -> [String] = { CommandName.all }
  ) {
    self.aliases = aliases
    self.commands = commands
  }

  /// Returns `words` with the alias at the start replaced by its words, repeatedly until the first word is not an
  /// alias, and with the present name of a command that has been renamed.
  ///
  /// - Throws: `PlayerError` if aliases refer to each other in a cycle.
  func expanded(_ words: [String]) throws(PlayerError) -> [String] {
    if aliases.isEmpty { return FormerCommands.renamed(words) }
    let commands = commands()
    var words = words
    var chain: [String] = []
    while let name = words.first, !commands.contains(name), let alias = aliases[name] {
      guard !chain.contains(name) else {
        throw PlayerError(
          .usage, "alias \"\(name)\" refers to itself: \((chain + [name]).joined(separator: " → "))")
      }
      chain.append(name)
      // This cannot fail, since the settings reader has accepted the text.
      words = ((try? LineTokenizer.words(alias.value)) ?? []) + words.dropFirst()
    }
    return FormerCommands.renamed(words)
  }
}

/// The words that aliases cannot replace.
enum CommandName {
  /// The names of the commands, and of the words of the REPL.
  static var all: [String] {
    let types = SegueCommand.configuration.subcommands + ReplWord.configuration.subcommands
    return ["help"] + types.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases }
  }
}
