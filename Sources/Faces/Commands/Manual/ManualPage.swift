// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort
import Screens

/// The manual page segue(1) in mdoc(7), generated from the help texts.
struct ManualPage {
  private let commands: [CommandHelp]
  /// The words of the REPL that are not commands of the command line.
  private let words: [CommandHelp]
  private let abstract: String
  /// The options that have the same meaning in several commands, and so are explained once.
  private let shared: [String: CommandDescription.Argument]

  /// Creates the page for the subcommands of `root`, and the words of `repl`. Returns `nil` if their description by the
  /// argument parser cannot be decoded.
  init?(of root: any ParsableCommand.Type, repl: any ParsableCommand.Type) {
    guard let commands = CommandHelp.all(of: root), let words = CommandHelp.all(of: repl) else { return nil }
    self.commands = commands
    self.words = words.filter { word in !commands.contains { $0.path == word.path } }
    abstract = root.configuration.abstract
    let options = Dictionary(grouping: commands.flatMap(\.description.namedArguments), by: \.firstName)
    shared = options.compactMapValues { options in
      let meanings = Dictionary(grouping: options) { $0.abstract ?? "" }
      let mostCommon = meanings.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value
      return mostCommon.flatMap { $0.count > 1 ? $0.first : nil }
    }
  }

  /// The mdoc source of the page.
  var text: String {
    let title = [
      ".Dd \(SegueCommand.releaseDay)", ".Dt SEGUE 1", ".Os", ".Sh NAME", ".Nm segue",
      ".Nd \(ManualText.escaped(ManualPage.lowered(abstract)))",
      ".Sh SYNOPSIS", ".Nm", ".Op Ar option ...", ".Nm", ".Ar command", ".Op Ar argument ...", ".Nm", ".Cm help",
      ".Op Ar command ...",
    ]
    let commands =
      self.commands.flatMap(section) + [".Sh REPL COMMANDS"] + ManualParts.repl + words.flatMap(section)
    let options = ManualText.list(
      shared.sorted { $0.key < $1.key }.map { (Self.item($1), $1.abstract ?? "") } + [
        ("Fl h , Fl \\-help", "Show the help of a command, with examples."),
        ("Fl \\-version", "Show the version."),
      ])
    return
      (title + ManualParts.description + [".Sh COMMANDS"] + commands
      + [".Sh OPTIONS", "These have the same meaning in all commands that take them."] + options
      + WrittenPage.segue.lines + ManualParts.json
      + [".Sh ENVIRONMENT", "See", ".Xr segue\\-config 5 .", ".Sh FILES", "See", ".Xr segue\\-config 5 ."]
      + [".Sh EXIT STATUS", ".Bl -tag -width 3n"]
      + ExitStatus.allCases.flatMap { [".It \($0.rawValue)"] + ManualText.running($0.meaning) } + [".El"]
      + [".Sh EXAMPLES", ".Bd -literal"]
      + self.commands.flatMap(\.examples).map { ManualText.escaped("segue " + $0) } + [".Ed"]
      + ManualParts.seeAlso).joined(separator: "\n")
  }

  /// Returns the section about a command.
  private func section(_ command: CommandHelp) -> [String] {
    let description = command.description
    var lines = [".Ss \(command.path.joined(separator: " "))"]
    let positionalArguments = description.positionalArguments.map { argument in
      let name = "Ar \(argument.valueName ?? "argument")\(argument.isRepeating ? " ..." : "")"
      return argument.isOptional ? "Oo \(name) Oc" : name
    }
    let hasOptions = !description.namedArguments.isEmpty
    lines.append(
      ([".D1 Nm Cm \(command.path.joined(separator: " "))"] + positionalArguments
        + (hasOptions ? ["Oo Ar option ... Oc"] : []))
        .joined(separator: " "))
    lines += ManualText.paragraph([description.abstract ?? ""])
    if let alias = description.aliases?.first {
      lines += ManualText.running("Its alias is \(alias).")
    }
    lines += command.paragraphs.flatMap(ManualText.paragraph)
    let ownOptions = description.namedArguments.filter { !isShared($0) }
    lines += ManualText.list(
      description.positionalArguments.map { ("Ar \($0.valueName ?? "argument")", $0.abstract ?? "") }
        + ownOptions.map { (Self.item($0), $0.abstract ?? "") })
    let sharedOptions = description.namedArguments.filter(isShared).map(\.firstName)
    if !sharedOptions.isEmpty {
      lines += [".Pp", ".Sx OPTIONS"] + ManualText.running("describes \(sharedOptions.joined(separator: ", ")).")
    }
    return lines
  }

  /// Returns whether `option` has the meaning that is shared by options with its name.
  private func isShared(_ option: CommandDescription.Argument) -> Bool {
    shared[option.firstName].map { $0.abstract == option.abstract } ?? false
  }

  /// Returns the heading of the entry for an option.
  private static func item(_ argument: CommandDescription.Argument) -> String {
    let names = (argument.names ?? []).map { "Fl \(ManualText.argument(String($0.text.dropFirst())))" }
    let value = argument.kind == "option" ? " Ar \(ManualText.argument(argument.valueName ?? "value"))" : ""
    return names.joined(separator: " , ") + value
  }

  /// Returns a sentence without its full stop and with its first letter in lower case, for use in another sentence.
  private static func lowered(_ sentence: String) -> String {
    sentence.prefix(1).lowercased()
      + (sentence.hasSuffix(".") ? sentence.dropFirst().dropLast() : sentence.dropFirst())
  }
}

extension CommandDescription.Argument {
  /// The first name of the argument, with dashes.
  fileprivate var firstName: String { names?.first?.text ?? "" }
}

extension CommandDescription {
  /// The options and flags of the command, without those that all commands have.
  fileprivate var namedArguments: [Argument] {
    arguments.filter {
      $0.kind != "positional" && $0.shouldDisplay && $0.valueName != "version" && $0.valueName != "help"
    }
  }

  /// The positional arguments of the command.
  fileprivate var positionalArguments: [Argument] {
    arguments.filter { $0.kind == "positional" && $0.shouldDisplay }
  }
}

/// The `manual` command: prints a page of the manual.
struct ManualCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a page of the manual.",
    discussion: """
      segue contains the help of all commands, segue-config describes the settings,
      and segue-protocol the server for MPD clients.

      Examples:
        manual | man -l -
        manual segue-config | man -l -
        manual > ~/.local/share/man/man1/segue.1
      """)

  @Argument(help: "Page: segue, segue-config or segue-protocol.") var page = WrittenPage.segue
  @OptionGroup var outputStyle: OutputStyleOptions

  func run(in session: Session) throws {
    if page != .segue { return session.printLine(page.text) }
    guard let page = ManualPage(of: SegueCommand.self, repl: ReplWord.self) else {
      throw PlayerError(.failure, "cannot read the descriptions of the commands")
    }
    session.printLine(page.text)
  }
}

/// The help of a command, split into its parts.
struct CommandHelp {
  /// The words of the command's name: a command, then perhaps a subcommand.
  let path: [String]
  let description: CommandDescription
  /// The explanation without the examples. Each paragraph is an array of lines.
  let paragraphs: [[String]]
  /// The lines of the examples as typed in the REPL, without the name of the program.
  let examples: [String]

  /// Creates the help from the `description` of a command. `parents` are the names of the commands above it.
  init(_ description: CommandDescription, below parents: [String]) {
    self.description = description
    path = parents + [description.commandName]
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
