import ArgumentParser
import FoundationEssentials

/// The words of the REPL and their options, as the argument parser knows them.
struct ReplGrammar {
  /// A word, and what may follow it.
  struct Command: Equatable {
    /// Its name, and its aliases.
    let names: [String]
    /// Its long options with their dashes, and whether each takes a value.
    let options: [String: Bool]
  }

  /// The words, in the order of the help.
  let commands: [Command]
  private let types: [String: any CompletedCommand.Type]

  /// The words of `root`.
  init(_ root: any ParsableCommand.Type) {
    let tool = try? JSONDecoder().decode(Tool.self, from: Data(root._dumpHelp().utf8))
    commands = (tool?.command.subcommands ?? []).map(Command.init)
    var types: [String: any CompletedCommand.Type] = [:]
    for type in root.configuration.subcommands {
      guard let name = type.configuration.commandName else { continue }
      types[name] = type as? any CompletedCommand.Type
    }
    self.types = types
  }

  /// The word that `name` is.
  func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

  /// What follows `command` behind `arguments`.
  func subject(of command: Command, after arguments: [String]) -> CompletionSubject {
    guard let name = command.names.first else { return .nothing }
    if name == "help" { return arguments.isEmpty ? .command : .nothing }
    return types[name]?.subject(after: arguments) ?? .nothing
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
  fileprivate init(_ word: ReplGrammar.Word) {
    names = [word.commandName] + (word.aliases ?? [])
    var options: [String: Bool] = [:]
    for argument in word.arguments ?? [] where argument.shouldDisplay {
      for name in argument.names ?? [] where name.kind == "long" {
        options["--" + name.name] = argument.kind == "option"
      }
    }
    self.options = options
  }
}
