// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import PlayerPort

/// What is wrong with a command line, in the words of Segue in place of those of the argument parser.
struct CommandLineProblem {
  /// The names of the command and its subcommand, as typed.
  private let path: [String]
  private let type: any ParsableCommand.Type
  private let root: any ParsableCommand.Type

  /// Creates the description of problems with the command line `words`, whose commands are those of `root`.
  init(_ words: [String], in root: any ParsableCommand.Type) {
    self.root = root
    var (path, type) = ([String](), root)
    for word in words {
      guard let next = type.configuration.subcommands.first(where: { $0.commandNames.contains(word) }) else { break }
      path.append(word)
      type = next
    }
    (self.path, self.type) = (path, type)
  }

  /// Returns the error to report for an error of the argument parser with this message.
  func error(_ message: String) -> PlayerError {
    PlayerError(.usage, text(message.split(separator: "\n").first.map(String.init) ?? message))
  }

  private var prefix: String { root == SegueCommand.self ? "segue " : "" }
  private var command: String { "`\(path.joined(separator: " "))`" }

  private var help: String {
    path.isEmpty ? "use `\(prefix)help` to list the commands" : "see `\(prefix)help \(path.joined(separator: " "))`"
  }

  /// The first example of the command that has an argument, as it is typed.
  private var example: String? {
    let lines = type.configuration.discussion.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
    let name = path.joined(separator: " ") + " "
    return lines.drop { !$0.hasPrefix("Example") }.first { $0.hasPrefix(name) }.map { "`\(prefix)\($0)`" }
  }

  private func text(_ message: String) -> String {
    // What was typed may contain quotation marks itself.
    let quoted = message.drop { $0 != "'" }.dropFirst().split(separator: "', '").map(String.init)
    let inner = message.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    let first = inner.first ?? ""
    if message.hasPrefix("Unknown option") {
      let hint = inner.count > 1 ? "did you mean \(inner[1])?" : help
      return "unknown option \(first); \(hint)"
    }
    if message.hasPrefix("Missing expected argument") {
      let value = first.filter { !"<>.[] ".contains($0) }.uppercased()
      return "\(command) needs \(value)\(example.map { ", as in \($0)" } ?? ""); \(help)"
    }
    if message.hasPrefix("Missing value for") {
      return "\(Self.option(first)) needs a value; \(help)"
    }
    if message.hasPrefix("Unexpected argument") || message.contains(" unexpected arguments") {
      let words = quoted.enumerated().map { index, word in
        "\"\(index == quoted.count - 1 && word.hasSuffix("'") ? String(word.dropLast()) : word)\""
      }.joined(separator: " ")
      return "\(path.isEmpty ? "Segue" : command) takes no \(words); \(help)"
    }
    let ofValue = message.split(separator: "' is invalid for '", maxSplits: 1)
    if message.hasPrefix("The value '"), ofValue.count == 2 {
      let (value, name) = (ofValue[0].dropFirst("The value '".count), ofValue[1].prefix { $0 != "'" })
      let reason = message.split(separator: "Please provide one of ").dropFirst().first
        .map { ": use one of \($0.replacing("'", with: "").drop(while: \.isWhitespace).trimmed)" }
      return "invalid \(Self.option(String(name))) \"\(value)\"\(reason ?? ""); \(help)"
    }
    if message.hasPrefix("The option "), message.contains("does not take any value") {
      return "\(first) takes no value; \(help)"
    }
    if message.hasPrefix("Value to be set with"), inner.count > 1 {
      return "\(inner[0]) contradicts \(inner[1]); \(help)"
    }
    // A message of Segue's own.
    if message.first?.isUppercase != true { return message.hasSuffix("?") ? message : "\(message); \(help)" }
    return message.prefix(1).lowercased() + message.dropFirst().trimmed + "; \(help)"
  }

  /// Returns the name of an option, or of an argument in capitals, from the form that the parser uses for it.
  private static func option(_ text: String) -> String {
    guard text.hasPrefix("-") else { return text.filter { !"<>.[] ".contains($0) }.uppercased() }
    return String(text.prefix { $0 != " " })
  }
}

extension Substring {
  /// The text without the full stop at its end.
  fileprivate var trimmed: String { hasSuffix(".") ? String(dropLast()) : String(self) }
}
