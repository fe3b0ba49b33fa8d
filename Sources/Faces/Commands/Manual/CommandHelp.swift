// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser

/// The help of all commands, from which the manual is made.
package struct ProgramHelp {
  /// The commands of the command line.
  package let commands: [CommandHelp]
  /// The words of the REPL that are not commands of the command line.
  package let words: [CommandHelp]
  /// The description of the program in one sentence.
  package let abstract = SegueCommand.configuration.abstract
  /// The date of the release.
  package static let releaseDay = SegueCommand.releaseDay

  /// Reads the help. Returns `nil` if the descriptions by the argument parser cannot be decoded.
  package init?() {
    guard let commands = CommandHelp.all(of: SegueCommand.self), let words = CommandHelp.all(of: ReplWord.self) else {
      return nil
    }
    self.commands = commands
    self.words = words.filter { word in !commands.contains { $0.path == word.path } }
  }
}

/// The help of a command, split into its parts.
package struct CommandHelp {
  /// A positional argument.
  package struct Argument {
    /// The name, which stands for the value.
    package let name: String
    /// The description in the help.
    package let abstract: String
    /// Whether the argument may be omitted.
    package let isOptional: Bool
    /// Whether several values may follow each other.
    package let isRepeating: Bool
  }

  /// An option or a flag.
  package struct Option {
    /// The names, with dashes.
    package let names: [String]
    /// The name of the value; `nil` for a flag.
    package let value: String?
    /// The description in the help.
    package let abstract: String
  }

  /// The words of the command's name: a command, then perhaps a subcommand.
  package let path: [String]
  /// The description in one sentence.
  package let abstract: String
  /// Another name of the command.
  package let alias: String?
  /// The positional arguments.
  package let arguments: [Argument]
  /// The options and flags, without those that all commands have.
  package let options: [Option]
  /// The explanation without the examples. Each paragraph is an array of lines.
  package let paragraphs: [[String]]
  /// The lines of the examples as typed in the REPL, without the name of the program.
  package let examples: [String]
  let hasSubcommands: Bool

  /// Creates the help from the `description` of a command. `parents` are the names of the commands above it.
  private init(_ description: CommandDescription, below parents: [String]) {
    path = parents + [description.commandName]
    abstract = description.abstract ?? ""
    alias = description.aliases?.first
    hasSubcommands = !description.commands.isEmpty
    let displayed = description.arguments.filter(\.shouldDisplay)
    arguments = displayed.filter { $0.kind == "positional" }.map {
      Argument(
        name: $0.valueName ?? "argument", abstract: $0.abstract ?? "", isOptional: $0.isOptional,
        isRepeating: $0.isRepeating)
    }
    options = displayed.filter { $0.kind != "positional" && !["version", "help"].contains($0.valueName) }.map {
      Option(
        names: ($0.names ?? []).map(\.text), value: $0.kind == "option" ? $0.valueName ?? "value" : nil,
        abstract: $0.abstract ?? "")
    }
    let lines = (description.discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    let end = lines.firstIndex { $0 == "Examples:" || $0 == "Example:" } ?? lines.endIndex
    paragraphs = lines[..<end].split(separator: "").map(Array.init)
    examples = lines[end...].dropFirst().filter { !$0.isEmpty }.map { String($0.drop(while: \.isWhitespace)) }
  }

  /// Returns the help of all subcommands of `root` except `help`. Each command comes before its own subcommands.
  /// Returns `nil` if their description by the argument parser cannot be decoded.
  static func all(of root: any ParsableCommand.Type) -> [CommandHelp]? {
    guard let description = CommandDescription(of: root) else { return nil }
    return description.commands.flatMap { all($0, below: []) }
  }

  private static func all(_ description: CommandDescription, below parents: [String]) -> [CommandHelp] {
    if description.commandName == "help" { return [] }
    let help = CommandHelp(description, below: parents)
    return [help] + description.commands.flatMap { all($0, below: help.path) }
  }
}
