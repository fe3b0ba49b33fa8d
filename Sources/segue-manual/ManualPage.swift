// SPDX-License-Identifier: GPL-3.0-or-later

import Commands
import PlayerPort
import Screens

/// The manual page segue(1) in mdoc(7), generated from the help texts.
struct ManualPage {
  private let commands: [CommandHelp]
  /// The words of the REPL that are not commands of the command line.
  private let words: [CommandHelp]
  private let abstract: String
  /// The options that have the same meaning in several commands, and so are explained once.
  private let shared: [String: CommandHelp.Option]

  /// Creates the page. Returns `nil` if the descriptions by the argument parser cannot be decoded.
  init?() {
    guard let help = ProgramHelp() else { return nil }
    commands = help.commands
    words = help.words
    abstract = help.abstract
    let options = Dictionary(grouping: commands.flatMap(\.options), by: \.firstName)
    shared = options.compactMapValues { options in
      let meanings = Dictionary(grouping: options, by: \.abstract)
      let mostCommon = meanings.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value
      return mostCommon.flatMap { $0.count > 1 ? $0.first : nil }
    }
  }

  var text: String {
    let title = [
      ".Dd \(ProgramHelp.releaseDay)", ".Dt SEGUE 1", ".Os", ".Sh NAME", ".Nm segue",
      ".Nd \(ManualText.escaped(ManualPage.lowered(abstract)))",
      ".Sh SYNOPSIS", ".Nm", ".Op Ar option ...", ".Nm", ".Ar command", ".Op Ar argument ...", ".Nm", ".Cm help",
      ".Op Ar command ...",
    ]
    let commands =
      self.commands.flatMap(section) + [".Sh REPL COMMANDS"] + ManualParts.repl + words.flatMap(section)
    let options = ManualText.list(
      shared.sorted { $0.key < $1.key }.map { (Self.item($1), $1.abstract) } + [
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

  private func section(_ command: CommandHelp) -> [String] {
    let name = command.path.joined(separator: " ")
    var lines = [".Ss \(name)"]
    let arguments = command.arguments.map { argument in
      let name = "Ar \(argument.name)\(argument.isRepeating ? " ..." : "")"
      return argument.isOptional ? "Oo \(name) Oc" : name
    }
    lines.append(
      ([".D1 Nm Cm \(name)"] + arguments + (command.options.isEmpty ? [] : ["Oo Ar option ... Oc"]))
        .joined(separator: " "))
    lines += ManualText.paragraph([command.abstract])
    if let alias = command.alias {
      lines += ManualText.running("Its alias is \(alias).")
    }
    lines += command.paragraphs.flatMap(ManualText.paragraph)
    lines += ManualText.list(
      command.arguments.map { ("Ar \($0.name)", $0.abstract) }
        + command.options.filter { !isShared($0) }.map { (Self.item($0), $0.abstract) })
    let sharedOptions = command.options.filter(isShared).map(\.firstName)
    if !sharedOptions.isEmpty {
      lines += [".Pp", ".Sx OPTIONS"] + ManualText.running("describes \(sharedOptions.joined(separator: ", ")).")
    }
    return lines
  }

  /// Returns whether `option` has the meaning that is shared by options with its name.
  private func isShared(_ option: CommandHelp.Option) -> Bool {
    shared[option.firstName]?.abstract == option.abstract
  }

  /// Returns the heading of the entry for an option.
  private static func item(_ option: CommandHelp.Option) -> String {
    let names = option.names.map { "Fl \(ManualText.argument(String($0.dropFirst())))" }
    return names.joined(separator: " , ") + (option.value.map { " Ar \(ManualText.argument($0))" } ?? "")
  }

  /// Returns a sentence without its full stop and with its first letter in lower case, for use in another sentence.
  private static func lowered(_ sentence: String) -> String {
    sentence.prefix(1).lowercased()
      + (sentence.hasSuffix(".") ? sentence.dropFirst().dropLast() : sentence.dropFirst())
  }
}

extension CommandHelp.Option {
  fileprivate var firstName: String { names.first ?? "" }
}

/// Formats text as mdoc(7) source.
enum ManualText {
  /// The maximum length of a source line, unless a single word is longer.
  private static let width = 76

  /// Returns `text` with characters escaped so that mdoc interprets none of it.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      default: escaped.append(character)
      }
    }
    return escaped.first == "." ? "\\&" + escaped : escaped
  }

  static func argument(_ text: String) -> String {
    let text = escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(
      separator: "\\(dq")
    return text.contains(" ") ? "\"\(text)\"" : text
  }

  /// Returns running text as source lines. Each sentence begins on a new line, and long lines are broken.
  static func running(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let source = escaped(String(word))
      if !line.isEmpty, line.count + source.count >= width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? source : " " + source
      if word.count > 1 && ".!?:;".contains(word.last ?? " ") || word.hasSuffix(".)") {
        lines.append(line)
        line = ""
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Returns a paragraph. If it consists of several lines, they remain separate lines.
  static func paragraph(_ lines: [String]) -> [String] {
    guard lines.count > 1 else { return [".Pp"] + lines.flatMap(running) }
    return [".Pp", ".Bl -item -compact"] + lines.flatMap { [".It"] + running($0) } + [".El"]
  }

  static func list(_ entries: [(String, String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".Bl -tag -width Ds"] + entries.flatMap { [".It \($0)"] + running($1) } + [".El"]
  }
}
