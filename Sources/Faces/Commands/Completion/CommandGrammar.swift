// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import FoundationEssentials

/// The commands of either the command line or the REPL, with their options, as declared to the argument parser.
struct CommandGrammar: Sendable {
  /// A command with its options and subcommands.
  struct Command: Equatable, Sendable {
    /// The name of the command, and then its aliases.
    let names: [String]
    /// The one-line description in the help.
    let abstract: String
    /// The long options of the command, including those of its default subcommand. The keys are the names with dashes.
    let options: [String: Option]
    /// The subcommands of this command.
    let commands: [Command]
    fileprivate let type: (any CompletedCommand.Type)?

    /// Returns the subcommand with this name or alias; `nil` if there is none.
    func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

    static func == (left: Command, right: Command) -> Bool {
      left.names == right.names && left.options == right.options && left.commands == right.commands
    }
  }

  /// A long option of a command.
  struct Option: Equatable, Sendable {
    /// Whether the option takes a value.
    let takesValue: Bool
    /// The one-line description in the help.
    let abstract: String
  }

  /// The commands, in the order in which the help lists them.
  let commands: [Command]
  /// The options that are valid without a command.
  let options: [String: Option]

  /// Creates the grammar of all subcommands of `root`.
  init(_ root: any ParsableCommand.Type) {
    let description = CommandDescription(of: root)
    commands = (description?.commands ?? []).map { Command($0, in: root) }
    options = description?.options ?? [:]
  }

  /// Creates the grammar of `root`, with options and subcommands only for the command called `name`, because describing
  /// every command is slow. If `name` is `nil` or an option, options can be given without a command: they start the
  /// REPL.
  init(_ root: any ParsableCommand.Type, describing name: String?) {
    commands =
      root.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { type in
        type.commandNames.contains(name ?? "")
          ? CommandDescription(of: type).map { Command($0, type: type) } ?? Command(withoutOptions: type)
          : Command(withoutOptions: type)
      } + [Command(withoutOptions: HelpWord.self)]
    let isCommand = name.map { !$0.hasPrefix("-") } ?? false
    let replOptions = isCommand ? nil : CommandDescription(of: ReplCommand.self)?.options
    options = isCommand ? [:] : CommandDescription.rootOptions.merging(replOptions ?? [:]) { own, _ in own }
  }

  /// Returns the command with this name or alias; `nil` if there is none.
  func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

  /// The line without a command, which only takes options.
  var lineWithoutCommand: Command { Command(names: [], abstract: "", options: options, commands: [], type: nil) }

  /// The help topics that do not have the name of a command.
  private var topics: [Command] {
    HelpTopic.allCases.filter { command($0.rawValue) == nil }.map {
      Command(names: [$0.rawValue], abstract: "Help topic.", options: [:], commands: [], type: nil)
    }
  }

  /// Returns what can be typed after `arguments` of `command`.
  func subject(of command: Command, after arguments: [String]) -> CompletionSubject {
    guard let name = command.names.first else { return .nothing }
    if name == "help" {
      guard let first = arguments.first else { return .commands(commands + topics) }
      return arguments.count == 1 ? .commands(self.command(first)?.commands ?? []) : .nothing
    }
    return command.type?.subject(after: arguments) ?? .nothing
  }
}

extension CommandGrammar.Command {
  fileprivate init(_ description: CommandDescription, in parent: any ParsableCommand.Type) {
    self.init(
      description,
      type: parent.configuration.subcommands.first { $0.configuration.commandName == description.commandName })
  }

  fileprivate init(_ description: CommandDescription, type: (any ParsableCommand.Type)?) {
    names = [description.commandName] + (description.aliases ?? [])
    abstract = description.abstract ?? ""
    self.type = type as? any CompletedCommand.Type
    commands = description.commands.filter { $0.commandName != "help" }.compactMap { subcommand in
      type.map { CommandGrammar.Command(subcommand, in: $0) }
    }
    let defaultCommand = commands.first { $0.names.first == description.defaultSubcommand }
    options = description.options.merging(defaultCommand?.options ?? [:]) { own, _ in own }
  }

  /// Creates a command that has only names and a description.
  fileprivate init(withoutOptions type: any ParsableCommand.Type) {
    names = type.commandNames
    abstract = type.configuration.abstract
    options = [:]
    commands = []
    self.type = nil
  }
}

/// A stand-in for the `help` command that the argument parser adds.
private struct HelpWord: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Show subcommand help information.")
}

extension ParsableCommand {
  /// The name of the command, and then its aliases.
  static var commandNames: [String] { [configuration.commandName ?? ""] + configuration.aliases }
}

/// The description of a command by the argument parser, decoded from its JSON output.
struct CommandDescription: Decodable {
  /// A positional argument, an option or a flag.
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      /// The name with its dashes.
      var text: String { kind == "long" ? "--" + name : "-" + name }
    }

    let kind: String
    let shouldDisplay: Bool
    let names: [Name]?
    let valueName: String?
    private(set) var abstract: String?
    let isOptional: Bool
    let isRepeating: Bool

    /// Returns the argument with a description of its own if it negates a flag in `arguments`. The argument parser
    /// gives both flags the same description.
    fileprivate func withOwnDescription(among arguments: [Argument]) -> Argument {
      let negation = "--no-"
      guard kind == "flag", let name = names?.first?.text, name.hasPrefix(negation) else { return self }
      let opposite = "--" + name.dropFirst(negation.count)
      guard arguments.contains(where: { $0.kind == "flag" && $0.names?.first?.text == opposite }) else { return self }
      var argument = self
      argument.abstract = "Turn off \(opposite), even if the settings turn it on."
      return argument
    }
  }

  private struct Tool: Decodable {
    let command: CommandDescription
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let aliases: [String]?
  private let shouldDisplay: Bool?
  private let subcommands: [CommandDescription]?
  let defaultSubcommand: String?
  private let parsedArguments: [Argument]?

  private enum CodingKeys: String, CodingKey {
    case commandName, abstract, discussion, aliases, shouldDisplay, subcommands, defaultSubcommand
    case parsedArguments = "arguments"
  }

  /// Creates the description of `type`. Returns `nil` if the output of the argument parser cannot be decoded.
  init?(of type: any ParsableCommand.Type) {
    guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)) else {
      return nil
    }
    self = tool.command
  }

  /// The arguments, options and flags of the command.
  var arguments: [Argument] { (parsedArguments ?? []).map { $0.withOwnDescription(among: parsedArguments ?? []) } }

  /// The subcommands of the command, except hidden ones.
  var commands: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay ?? true } }

  /// The long options of the command. The keys are the names with dashes.
  var options: [String: CommandGrammar.Option] {
    var options: [String: CommandGrammar.Option] = [:]
    for argument in arguments where argument.shouldDisplay {
      for name in argument.names ?? [] where name.kind == "long" {
        options[name.text] = CommandGrammar.Option(
          takesValue: argument.kind == "option", abstract: argument.abstract ?? "")
      }
    }
    return options
  }

  /// The options that the argument parser adds to every program.
  static let rootOptions = [
    "--help": CommandGrammar.Option(takesValue: false, abstract: "Show help information."),
    "--version": CommandGrammar.Option(takesValue: false, abstract: "Show the version."),
  ]
}
