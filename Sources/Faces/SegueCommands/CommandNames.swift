import ArgumentParser
import MusicLibrary

/// Says which command was meant, where none is called so: the argument parser speaks of arguments then.
enum CommandNames {
  /// Sees to it that `words` begin with the name of a command of `root`, and with that of one that may follow it, as
  /// far as they name any.
  static func check(_ words: [String], in root: any ParsableCommand.Type) throws(CommandError) {
    let isHelp = words.first == "help"
    var type = root
    var path: [String] = []
    for word in isHelp ? words.dropFirst() : words[...] {
      if word.hasPrefix("-") || type.configuration.subcommands.isEmpty || word == "help" && path.isEmpty {
        return
      }
      guard let next = type.configuration.subcommands.first(where: { $0.commandNames.contains(word) }) else {
        throw unknown(word, behind: path, type, in: root)
      }
      type = next
      path.append(word)
    }
  }

  private static func unknown(
    _ word: String, behind path: [String], _ type: any ParsableCommand.Type, in root: any ParsableCommand.Type
  ) -> CommandError {
    let shown = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    let names = shown.flatMap { $0.commandNames } + (path.isEmpty ? ["help"] : [])
    let command = (path + [word]).joined(separator: " ")
    let help = [root == SegueCommand.self ? "segue help" : "help"] + path
    let hint =
      Likeness.nearest(to: word, in: names).first.map {
        "did you mean \((path + [names[$0]]).joined(separator: " "))?"
      }
      ?? "`\(help.joined(separator: " "))` lists the commands"
    return CommandError(.usage, "there is no command \"\(command)\"; \(hint)")
  }
}
