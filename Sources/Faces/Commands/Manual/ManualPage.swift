import ArgumentParser
import Screens

/// The page of the manual, in the language of mdoc(7): made of what the help says, so that both say the same.
struct ManualPage {
  private let commands: [CommandHelp]
  /// The words of the REPL that are no commands.
  private let words: [CommandHelp]
  private let abstract: String
  /// The options that several commands have in the same sense, and so are explained once.
  private let shared: [String: CommandDescription.Argument]

  /// The page for `root`, whose REPL knows the words of `repl`; `nil` where the argument parser is not understood.
  init?(of root: any ParsableCommand.Type, repl: any ParsableCommand.Type) {
    guard let commands = CommandHelp.all(of: root), let words = CommandHelp.all(of: repl) else { return nil }
    self.commands = commands
    self.words = words.filter { word in !commands.contains { $0.path == word.path } }
    abstract = root.configuration.abstract
    let options = Dictionary(grouping: commands.flatMap(\.description.namedArguments), by: \.firstName)
    shared = options.compactMapValues { options in
      let senses = Dictionary(grouping: options) { $0.abstract ?? "" }
      let most = senses.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value
      return most.flatMap { $0.count > 1 ? $0.first : nil }
    }
  }

  /// Its source.
  var text: String {
    let title = [
      ".Dd \(SegueCommand.releaseDay)", ".Dt SEGUE 1", ".Os", ".Sh NAME", ".Nm segue",
      ".Nd \(ManualText.escaped(ManualPage.lowered(abstract)))",
      ".Sh SYNOPSIS", ".Nm", ".Op Ar option ...", ".Nm", ".Ar command", ".Op Ar argument ...", ".Nm", ".Cm help",
      ".Op Ar command ...",
    ]
    let commands =
      self.commands.flatMap(section) + [".Sh WORDS OF THE REPL"] + ManualParts.repl + words.flatMap(section)
    let options = ManualText.list(
      shared.sorted { $0.key < $1.key }.map { (Self.item($1), $1.abstract ?? "") } + [
        ("Fl h , Fl \\-help", "Show what a command does, and examples."),
        ("Fl \\-version", "Show the version."),
      ])
    return
      (title + ManualParts.description + [".Sh COMMANDS"] + commands
      + [".Sh OPTIONS", "These mean the same in all commands that take them."] + options
      + ManualParts.json + ManualParts.settings + ManualParts.keys + ManualParts.aliases
      + [".Sh ENVIRONMENT"] + ManualText.list(ManualParts.environment.map { ("Ev " + $0, $1) })
      + [".Sh FILES"] + ManualText.list(ManualParts.files.map { ("Pa " + ManualText.argument($0), $1) })
      + [".Sh EXIT STATUS", ".Bl -tag -width 3n"]
      + ExitStatus.allCases.flatMap { [".It \($0.rawValue)"] + ManualText.running($0.meaning) } + [".El"]
      + [".Sh EXAMPLES", ".Bd -literal"]
      + self.commands.flatMap(\.examples).map { ManualText.escaped("segue " + $0) } + [".Ed"]
      + ManualParts.seeAlso).joined(separator: "\n")
  }

  /// What there is to say of a command.
  private func section(_ command: CommandHelp) -> [String] {
    let description = command.description
    var lines = [".Ss \(command.path.joined(separator: " "))"]
    let places = description.places.map { argument in
      let name = "Ar \(argument.valueName ?? "argument")\(argument.isRepeating ? " ..." : "")"
      return argument.isOptional ? "Oo \(name) Oc" : name
    }
    let hasOptions = !description.namedArguments.isEmpty
    lines.append(
      ([".D1 Nm Cm \(command.path.joined(separator: " "))"] + places
        + (hasOptions ? ["Oo Ar option ... Oc"] : []))
        .joined(separator: " "))
    lines += ManualText.paragraph([description.abstract ?? ""])
    if let alias = description.aliases?.first {
      lines += ManualText.running("The word \(alias) means the same.")
    }
    lines += command.paragraphs.flatMap(ManualText.paragraph)
    let own = description.namedArguments.filter { !isShared($0) }
    lines += ManualText.list(
      description.places.map { ("Ar \($0.valueName ?? "argument")", $0.abstract ?? "") }
        + own.map { (Self.item($0), $0.abstract ?? "") })
    let others = description.namedArguments.filter(isShared).map(\.firstName)
    if !others.isEmpty {
      lines += [".Pp", ".Sx OPTIONS"] + ManualText.running("explains \(others.joined(separator: ", ")).")
    }
    return lines
  }

  /// Whether `option` means here what it means in other commands.
  private func isShared(_ option: CommandDescription.Argument) -> Bool {
    shared[option.firstName].map { $0.abstract == option.abstract } ?? false
  }

  /// An option as the head of an entry.
  private static func item(_ argument: CommandDescription.Argument) -> String {
    let names = (argument.names ?? []).map { "Fl \(ManualText.argument(String($0.text.dropFirst())))" }
    let value = argument.kind == "option" ? " Ar \(ManualText.argument(argument.valueName ?? "value"))" : ""
    return names.joined(separator: " , ") + value
  }

  /// A sentence as a part of one.
  private static func lowered(_ sentence: String) -> String {
    sentence.prefix(1).lowercased()
      + (sentence.hasSuffix(".") ? sentence.dropFirst().dropLast() : sentence.dropFirst())
  }
}

extension CommandDescription.Argument {
  /// The name that it is known by, with its dashes.
  fileprivate var firstName: String { names?.first?.text ?? "" }
}

extension CommandDescription {
  /// The options and flags that are its own, and not all commands'.
  fileprivate var namedArguments: [Argument] {
    arguments.filter {
      $0.kind != "positional" && $0.shouldDisplay && $0.valueName != "version" && $0.valueName != "help"
    }
  }

  /// The arguments that have a place and no name.
  fileprivate var places: [Argument] {
    arguments.filter { $0.kind == "positional" && $0.shouldDisplay }
  }
}

/// `manual`: prints the page of the manual.
struct ManualCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual as a page for man.",
    discussion: """
      It is made of what `segue help` says of each command.

      Examples:
        manual | man -l -
        manual > ~/.local/share/man/man1/segue.1
      """)

  @OptionGroup var manner: MannerOptions

  func run(in session: Session) throws {
    guard let page = ManualPage(of: SegueCommand.self, repl: ReplWord.self) else {
      throw CommandError(.failure, "the argument parser says something else of the commands than expected")
    }
    session.say(page.text)
  }
}

/// What the help says of a command, in its parts.
struct CommandHelp {
  /// The words that name it, one behind the other.
  let path: [String]
  let description: CommandDescription
  /// The explanation without the examples: paragraphs, each of lines.
  let paragraphs: [[String]]
  /// Lines that show how it is used, as they are typed behind the name of the program, or in the REPL.
  let examples: [String]

  /// The command of this `description`, behind the words `parents`.
  init(_ description: CommandDescription, behind parents: [String]) {
    self.description = description
    path = parents + [description.commandName]
    let lines = (description.discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    let end = lines.firstIndex { $0 == "Examples:" || $0 == "Example:" } ?? lines.endIndex
    paragraphs = lines[..<end].split(separator: "").map(Array.init)
    examples = lines[end...].dropFirst().filter { !$0.isEmpty }.map { String($0.drop(while: \.isWhitespace)) }
  }

  /// All commands of `root` but `help`, each before those that may follow it; `nil` where the argument parser is not
  /// understood.
  static func all(of root: any ParsableCommand.Type) -> [CommandHelp]? {
    guard let description = CommandDescription(of: root) else { return nil }
    return description.commands.flatMap { all($0, behind: []) }
  }

  private static func all(_ description: CommandDescription, behind parents: [String]) -> [CommandHelp] {
    if description.commandName == "help" { return [] }
    let help = CommandHelp(description, behind: parents)
    return [help] + description.commands.flatMap { all($0, behind: help.path) }
  }
}
