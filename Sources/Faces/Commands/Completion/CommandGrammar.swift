// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import FoundationEssentials

/// The commands of either the command line or the REPL, with their options, as declared to the argument parser.
struct CommandGrammar {
  /// A command with its subcommands and long options.
  struct Command {
    fileprivate let type: any ParsableCommand.Type

    /// The name of the command, and then its aliases.
    var words: [CompletionWord] {
      type.commandNames.map { CompletionWord($0, note: type.configuration.abstract) }
    }

    /// The subcommands that the help lists.
    var commands: [Command] {
      type.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { Command(type: $0) }
    }

    /// The long options of the command, including those of its default subcommand. The keys are the names with dashes.
    /// The argument parser describes them, which takes long enough to ask only for the command that is typed.
    fileprivate var options: [String: Option] {
      [type, type.configuration.defaultSubcommand].reduce(into: [:]) { options, type in
        guard let type, let described = CommandDescription(of: type)?.options else { return }
        options.merge(described) { own, _ in own }
      }
    }

    /// Returns the subcommand with this name or alias; `nil` if there is none.
    func command(_ name: String) -> Command? { commands.first { $0.type.commandNames.contains(name) } }
  }

  /// A long option of a command.
  struct Option {
    let takesValue: Bool
    /// The one-line description in the help.
    let abstract: String
  }

  private let root: Command

  /// Creates the grammar of the subcommands of `root`.
  init(_ root: any ParsableCommand.Type) { self.root = Command(type: root) }

  /// The commands, in the order in which the help lists them.
  var commands: [Command] { root.commands + [Command(type: HelpWord.self)] }

  /// Returns the command with this name or alias; `nil` if there is none.
  func command(_ name: String) -> Command? { commands.first { $0.type.commandNames.contains(name) } }

  /// Returns the long options of `command` or, if it is `nil`, those of a line without a command. The keys are the
  /// names with dashes.
  func options(of command: Command?) -> [String: Option] {
    if let command { return command.options }
    var options = ["--help": Option(takesValue: false, abstract: "Show help information.")]
    if root.type == SegueCommand.self {
      options["--version"] = Option(takesValue: false, abstract: "Show the version.")
      // Without a command, the program takes the options of the REPL.
      options.merge(Command(type: ReplCommand.self).options) { own, _ in own }
    }
    return options
  }

  /// Returns what can be typed after `arguments` of `command`.
  func subject(of command: Command, after arguments: [String]) -> CompletionSubject {
    guard command.type == HelpWord.self else { return .argument(of: command.type, after: arguments) }
    guard let first = arguments.first else { return .words(commands.flatMap(\.words) + topics) }
    return arguments.count == 1 ? .words(self.command(first)?.commands.flatMap(\.words) ?? []) : .nothing
  }

  /// The help topics that do not have the name of a command.
  private var topics: [CompletionWord] {
    HelpTopic.allCases.filter { command($0.rawValue) == nil }.map { CompletionWord($0.rawValue, note: "Help topic.") }
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
}
