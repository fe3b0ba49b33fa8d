// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Platform
import PlayerPort
import Screens
import Terminal

/// The `repl` command: reads commands interactively while music plays.
struct ReplCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "repl", abstract: "Enter commands interactively while music plays.",
    discussion: """
      Most commands of `segue` work here, and so do `filter` and `quit`; `help` lists them all. A script can be piped in; if \
      the queue is still playing when the script ends, it is played to its end.

      Examples:
        repl
        repl --output pulse
        repl < script.txt
      """)

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }

  func run(in session: Session) throws {
    try session.askForLibrary(options.libraryRequest(in: session))
    let socket = session.socket(options.socket, stateDirectory: options.stateDir)
    let stateDirectory = options.stateDirectory(in: session)
    let repl = session.repl(options)
    let signals = try ReplSignals()
    var attached: ReplLoop?
    var player: RunningPlayer?
    while player == nil {
      do {
        player = try RunningPlayer(repl, options, stateDirectory: stateDirectory, unlessAt: socket) {
          signals.caughtSignal != nil
        }
      } catch let error as PlayerRunsElsewhereError {
        // A player that owns the queue but cannot be reached may still be running.
        attached?.refuseOrphan(error.refusal)
        // If the other player has ended, this process becomes the player in the next iteration.
        guard let loop = try attach(session, signals, after: attached, error.refusal) else { return }
        attached = loop
      }
    }
    guard let player else { return }
    if attached != nil { repl.printRemark("The player has quit; commands now go to a new one.") }
    player.prepareOutput()
    player.awaitRecall()
    repl.follow(repl.libraryRequest())
    let server = player.serve(at: socket)
    var loop = ReplLoop(repl, signals: signals, after: attached)
    let outcome = Result { try loop.run() ?? .failure }
    let end = Result { () throws(PlayerError) in try player.shutDown(server, after: try? outcome.get()) }
    session.outputError = repl.outputError
    session.status = try outcome.get()
    try end.get()
  }

  /// Reads and executes lines for the player in another process. If that player has ended and the next line requires a
  /// player, returns the loop; otherwise returns `nil` at the end.
  private func attach(
    _ session: Session, _ signals: ReplSignals, after previous: ReplLoop?, _ refusal: PlayerError
  ) throws -> ReplLoop? {
    let repl = session.repl(options)
    let target = PlayerTarget(socket: options.socket, stateDir: options.stateDir, needsRunningPlayer: true)
    guard let player = try session.runningPlayer(target) else { throw refusal }
    repl.player = player
    defer { repl.closeLibrary() }
    if previous == nil { repl.printRemark("A player is already running: commands go to that one.") }
    var loop = ReplLoop(repl, signals: signals, after: previous)
    guard let status = try loop.run() else { return loop }
    session.status = status
    session.outputError = repl.outputError
    return nil
  }
}

/// The root of the commands that can be typed in the REPL. Most of them are also commands of the command line.
struct ReplWord: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "segue", abstract: "The commands of the REPL.",
    discussion: "Quote names with spaces: play \"Kind of Blue\" 3.",
    subcommands: [
      PlayCommand.self, PauseCommand.self, ResumeCommand.self, ToggleCommand.self, NextCommand.self,
      PreviousCommand.self,
      StopCommand.self, SeekCommand.self, ChapterCommand.self, LoopCommand.self,
      SpeedCommand.self, VolumeCommand.self, ReplayGainCommand.self, EqualizerCommand.self,
      CrossfadeCommand.self,
      SleepCommand.self, StatusCommand.self, NowCommand.self, LyricsCommand.self, InfoCommand.self, RateCommand.self,
      LikeCommand.self,
      QueueCommand.self, PlaylistCommand.self, ModeCommand.self, ScanCommand.self, AlbumsCommand.self,
      TracksCommand.self, ArtistsCommand.self, GenresCommand.self, SearchCommand.self,
      FilterCommand.self, ProblemsCommand.self,
      OutputsCommand.self, SetCommand.self, ConfigCommand.self, QuitCommand.self,
    ])
}

/// The `quit` command of the REPL: ends the REPL.
struct QuitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Stop playback and quit.",
    discussion: """
      Example:
        quit
      """, aliases: ["exit"])
}
