import ArgumentParser

/// A line of the REPL: the words that are commands of the command line, and those that need a player that runs.
struct ReplWord: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segue", abstract: "The words of the REPL.",
    discussion: "Names with spaces are quoted: play \"Kind of Blue\" 3.",
    subcommands: [
      PlayCommand.self, PauseCommand.self, ResumeCommand.self, ToggleCommand.self, NextCommand.self,
      PreviousCommand.self,
      StopCommand.self, SeekCommand.self, VolumeCommand.self, ReplayGainCommand.self, CrossfadeCommand.self,
      SleepCommand.self, StatusCommand.self, NowCommand.self, QueueCommand.self, ModeCommand.self,
      ScanCommand.self,
      AlbumsCommand.self, TracksCommand.self, ArtistsCommand.self, GenresCommand.self, SearchCommand.self,
      FilterCommand.self, ProblemsCommand.self,
      OutputsCommand.self, ConfigCommand.self, QuitCommand.self,
    ])
}

/// `quit`: ends the REPL.
struct QuitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Stop playing and end.",
    discussion: """
      Example:
        quit
      """, aliases: ["exit"])
}
