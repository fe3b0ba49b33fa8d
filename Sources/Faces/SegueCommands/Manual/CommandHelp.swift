import ArgumentParser

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
