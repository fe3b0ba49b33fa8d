import ArgumentParser
import FoundationEssentials

/// Commands and their options, as the argument parser knows them: the words of the REPL, or those of the command line.
struct CommandGrammar: Sendable {
  /// A command, and what may follow it.
  struct Command: Equatable, Sendable {
    /// Its name, and its aliases.
    let names: [String]
    /// What it does.
    let abstract: String
    /// Its long options with their dashes; also those of the command that is meant where none follows.
    let options: [String: Option]
    /// The commands that may follow it.
    let commands: [Command]
    fileprivate let type: (any CompletedCommand.Type)?

    /// The command that `name` is, behind this one.
    func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

    static func == (left: Command, right: Command) -> Bool {
      left.names == right.names && left.options == right.options && left.commands == right.commands
    }
  }

  /// A long option.
  struct Option: Equatable, Sendable {
    /// Whether a value follows it.
    let takesValue: Bool
    /// What it does.
    let abstract: String
  }

  /// The commands, in the order of the help.
  let commands: [Command]
  /// The options where no command is named.
  let options: [String: Option]

  /// The commands of `root`.
  init(_ root: any ParsableCommand.Type) {
    let word = CommandDescription(of: root)
    commands = (word?.commands ?? []).map { Command($0, in: root) }
    options = word?.options ?? [:]
  }

  /// The commands of `root`, of which only `name` is asked for what may follow it: to learn that of all takes time.
  init(_ root: any ParsableCommand.Type, knowing name: String?) {
    commands =
      root.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { type in
        type.commandNames.contains(name ?? "")
          ? CommandDescription(of: type).map { Command($0, type: type) } ?? Command(unknown: type)
          : Command(unknown: type)
      } + [Command(unknown: HelpWord.self)]
    options = name == nil ? CommandDescription.rootOptions : [:]
  }

  /// The command that `name` is.
  func command(_ name: String) -> Command? { commands.first { $0.names.contains(name) } }

  /// What follows `command` behind `arguments`.
  func subject(of command: Command, after arguments: [String]) -> CompletionSubject {
    guard let name = command.names.first else { return .nothing }
    if name == "help" {
      guard let first = arguments.first else { return .command }
      return arguments.count == 1 ? .commands(self.command(first)?.commands ?? []) : .nothing
    }
    return command.type?.subject(after: arguments) ?? .nothing
  }
}

extension CommandGrammar.Command {
  fileprivate init(_ word: CommandDescription, in parent: any ParsableCommand.Type) {
    self.init(
      word, type: parent.configuration.subcommands.first { $0.configuration.commandName == word.commandName })
  }

  fileprivate init(_ word: CommandDescription, type: (any ParsableCommand.Type)?) {
    names = [word.commandName] + (word.aliases ?? [])
    abstract = word.abstract ?? ""
    self.type = type as? any CompletedCommand.Type
    commands = word.commands.filter { $0.commandName != "help" }.compactMap { word in
      type.map { CommandGrammar.Command(word, in: $0) }
    }
    let alone = commands.first { $0.names.first == word.defaultSubcommand }
    options = word.options.merging(alone?.options ?? [:]) { own, _ in own }
  }

  /// A command of which nothing but the names is known.
  fileprivate init(unknown type: any ParsableCommand.Type) {
    names = type.commandNames
    abstract = type.configuration.abstract
    options = [:]
    commands = []
    self.type = nil
  }
}

/// Stands for the command that the argument parser adds to all.
private struct HelpWord: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Show subcommand help information.")
}

extension ParsableCommand {
  /// Its name, and its aliases.
  static var commandNames: [String] { [configuration.commandName ?? ""] + configuration.aliases }
}

/// What the argument parser says of a command.
struct CommandDescription: Decodable {
  /// An argument, an option or a flag.
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

    /// The flag as it is told where it is the opposite of one of `arguments`: the argument parser has both say the
    /// same.
    fileprivate func told(among arguments: [Argument]) -> Argument {
      let negation = "--no-"
      guard kind == "flag", let name = names?.first?.text, name.hasPrefix(negation) else { return self }
      let opposite = "--" + name.dropFirst(negation.count)
      guard arguments.contains(where: { $0.kind == "flag" && $0.names?.first?.text == opposite }) else { return self }
      var told = self
      told.abstract = "Not \(opposite), whatever the settings say."
      return told
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

  /// What it says of `type`; `nil` where it says something that is not understood.
  init?(of type: any ParsableCommand.Type) {
    guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(type._dumpHelp().utf8)) else {
      return nil
    }
    self = tool.command
  }

  /// Its arguments, options and flags.
  var arguments: [Argument] { (parsedArguments ?? []).map { $0.told(among: parsedArguments ?? []) } }

  /// The commands that may follow it, without those that are not for people.
  var commands: [CommandDescription] { (subcommands ?? []).filter { $0.shouldDisplay ?? true } }

  /// Its long options with their dashes.
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

  /// The options that the argument parser gives every program.
  static let rootOptions = [
    "--help": CommandGrammar.Option(takesValue: false, abstract: "Show help information."),
    "--version": CommandGrammar.Option(takesValue: false, abstract: "Show the version."),
  ]
}
