import ArgumentParser

/// The words that an alias can never be.
enum CommandName {
  /// The names of the commands and of the words of the REPL.
  static var all: [String] {
    let types = SegueCommand.configuration.subcommands + ReplWord.configuration.subcommands
    return ["help"] + types.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases }
  }
}
