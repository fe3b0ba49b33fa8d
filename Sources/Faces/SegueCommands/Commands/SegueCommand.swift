import ArgumentParser

/// The command line: `segue COMMAND`.
struct SegueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segue", abstract: "Plays music, album by album, without a gap.",
    version: version,
    subcommands: [
      PlayCommand.self, PlayChosenCommand.self, ResumeCommand.self, PauseCommand.self, ToggleCommand.self,
      NextCommand.self,
      PreviousCommand.self, StopCommand.self, QuitPlayerCommand.self, SeekCommand.self, VolumeCommand.self,
      ReplayGainCommand.self,
      CrossfadeCommand.self, SleepCommand.self, ScanCommand.self, AlbumsCommand.self, TracksCommand.self,
      ArtistsCommand.self,
      GenresCommand.self, SearchCommand.self, ProblemsCommand.self, QueueCommand.self, ModeCommand.self,
      StatusCommand.self, NowCommand.self,
      OutputsCommand.self, ConfigCommand.self,
      GainCommand.self,
      ReplCommand.self, ServeCommand.self, WatchCommand.self, CompletionsCommand.self, ManualCommand.self,
    ])
}

extension SegueCommand {
  /// Which one it is, and since when.
  static let version = "0.1.0"
  static let releaseDay = "November 22, 2026"

  /// The options that are for no command.
  private static let ownOptions = [
    "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help", ShellCompletion.word,
  ]

  /// Whether `words`, which are behind the program's name, are options of a command and do not name it.
  static func namesNoCommand(_ words: [String]) -> Bool {
    guard let first = words.first else { return true }
    return first.hasPrefix("-") && !ownOptions.contains(first)
      && !configuration.subcommands.contains { words.contains($0.configuration.commandName ?? "") }
  }

  /// The command that `words`, which are behind the program's name, mean.
  ///
  /// Where a single command understands what follows its own name, the tree of all commands is never asked: that would
  /// take the time of a whole start. A command with a `_superCommandName` is not asked for completion scripts either.
  static func command(_ words: [String]) throws -> any ParsableCommand {
    if words.count == 2, words[0] == "--generate-completion-script" {
      return try CompletionsCommand.parseAsRoot([words[1]])
    }
    if let first = words.first, first.hasPrefix("-"), !ownOptions.contains(first) {
      throw CommandError(
        .usage, "\(first) stands ahead of the command: write it behind that, as in `segue play ALBUM \(first)`")
    }
    if words == ["--version"] { throw CleanExit.message(version) }
    let type = configuration.subcommands.first { $0.configuration.commandName == words.first }
    if let type, let command = try? type.parseAsRoot(Array(words.dropFirst())) as? any SessionCommand {
      return command
    }
    try CommandNames.check(words, in: self)
    return try parseAsRoot(words)
  }
}
