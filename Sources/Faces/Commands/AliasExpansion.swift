import ArgumentParser
import Screens
import UserSettings

/// Puts what aliases stand for in their place.
struct AliasExpansion: Sendable {
  /// What each alias stands for: a line of words.
  let aliases: [String: FileSettings.Entry<String>]
  /// The words that no alias stands for.
  let commands: @Sendable () -> [String]

  /// The aliases of `settings`.
  init(_ settings: Settings) { self.init(aliases: settings.aliases) }

  /// These aliases; what `commands` gives, which is asked where there are aliases, is never one.
  init(
    aliases: [String: FileSettings.Entry<String>],
    commands: @escaping @Sendable () -> [String] = { CommandName.all }
  ) {
    self.aliases = aliases
    self.commands = commands
  }

  /// `words`, where the first is no alias any more.
  ///
  /// - Throws: `CommandError` where aliases lead back to themselves.
  func expanded(_ words: [String]) throws(CommandError) -> [String] {
    if aliases.isEmpty { return words }
    let commands = commands()
    var words = words
    var way: [String] = []
    while let name = words.first, !commands.contains(name), let alias = aliases[name] {
      guard !way.contains(name) else {
        throw CommandError(
          .usage, "the alias '\(name)' leads back to itself: \((way + [name]).joined(separator: " → "))")
      }
      way.append(name)
      // That it can be split was seen when it was read.
      words = ((try? LineTokenizer.words(alias.value)) ?? []) + words.dropFirst()
    }
    return words
  }
}

/// The words that an alias can never be.
enum CommandName {
  /// The names of the commands and of the words of the REPL.
  static var all: [String] {
    let types = SegueCommand.configuration.subcommands + ReplWord.configuration.subcommands
    return ["help"] + types.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases }
  }
}
