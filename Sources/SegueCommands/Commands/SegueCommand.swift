import ArgumentParser

/// The command line: `segue COMMAND`.
struct SegueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segue", abstract: "Plays music, album by album, without a gap.",
    version: "0.1.0",
    subcommands: [
      PlayCommand.self, ResumeCommand.self, ScanCommand.self, AlbumsCommand.self, TracksCommand.self,
      ArtistsCommand.self,
      GenresCommand.self, SearchCommand.self, ProblemsCommand.self, QueueCommand.self, ModeCommand.self,
      StatusCommand.self,
      OutputsCommand.self,
      GainCommand.self,
      ReplCommand.self,
    ])
}
