import ArgumentParser
import FoundationEssentials

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
