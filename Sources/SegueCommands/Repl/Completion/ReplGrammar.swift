import ArgumentParser
import FoundationEssentials

/// The words of the REPL and their options, as the argument parser knows them.
struct ReplGrammar: Sendable {
  /// A word, and what may follow it.
  struct Command: Equatable, Sendable {
    /// Its name, and its aliases.
    let names: [String]
    /// Its long options with their dashes, and whether each takes a value; also those of the word that is meant where none follows.
    let options: [String: Bool]
    /// The words that may follow it.
    let commands: [Command]
    fileprivate let type: (any CompletedCommand.Type)?

    /// The word that `name` is, behind this one.
    func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

    static func == (left: Command, right: Command) -> Bool {
      left.names == right.names && left.options == right.options && left.commands == right.commands
    }
  }

  /// The words, in the order of the help.
  let commands: [Command]

  /// The words of `root`.
  init(_ root: any ParsableCommand.Type) {
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(root._dumpHelp().utf8))
    commands = (tool?.command.subcommands ?? []).map { Command($0, in: root) }
  }

  /// The word that `name` is.
  func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

  /// What follows `command` behind `arguments`.
  func subject(of command: Command, after arguments: [String]) -> CompletionSubject {
    guard let name = command.names.first else { return .nothing }
    if name == "help" {
      guard let first = arguments.first else { return .command }
      return arguments.count == 1 ? .choice(self.command(first)?.commands.flatMap(\.names) ?? []) : .nothing
    }
    return command.type?.subject(after: arguments) ?? .nothing
  }
}

extension ReplGrammar {
  /// What the argument parser says of a program.
  private struct Tool: Decodable {
    let command: Word
  }

  fileprivate struct Word: Decodable {
    let commandName: String
    let aliases: [String]?
    let shouldDisplay: Bool?
    let subcommands: [Word]?
    let defaultSubcommand: String?
    let arguments: [Argument]?
  }

  fileprivate struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let shouldDisplay: Bool
    let names: [Name]?
  }
}

extension ReplGrammar.Command {
  fileprivate init(_ word: ReplGrammar.Word, in parent: any ParsableCommand.Type) {
    names = [word.commandName] + (word.aliases ?? [])
    var options: [String: Bool] = [:]
    for argument in word.arguments ?? [] where argument.shouldDisplay {
      for name in argument.names ?? [] where name.kind == "long" {
        options["--" + name.name] = argument.kind == "option"
      }
    }
    let type = parent.configuration.subcommands.first { $0.configuration.commandName == word.commandName }
    self.type = type as? any CompletedCommand.Type
    commands = (word.subcommands ?? []).compactMap { word in type.map { ReplGrammar.Command(word, in: $0) } }
    let alone = commands.first { $0.names.first == word.defaultSubcommand }
    self.options = options.merging(alone?.options ?? [:]) { own, _ in own }
  }
}
