import ArgumentParser
import Platform
import QueueFlow
import RemoteControl

/// `repl`: reads words line by line and plays meanwhile.
struct ReplCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "repl", abstract: "Read commands line by line and play meanwhile.",
    discussion: """
      The words are the commands: play, scan, albums, tracks, artists, genres, problems, search, queue, mode, status, outputs; and now, filter, pause, resume, next, previous, stop, seek, \
      volume, replaygain, crossfade, sleep, help and quit. A script can be piped in; where it ends while something plays, that is played to its end.

      Examples:
        repl
        repl --output pulse
        repl < script.txt
      """)

  @OptionGroup var options: PlayerOptions

  var manner: MannerOptions { options.manner }

  func run(in session: Session) throws {
    let socket = session.socket(options.socket, stateDirectory: options.stateDir)
    let stateDirectory = options.stateDirectory(in: session)
    let repl = session.repl(
      library: options.library(in: session), stateDirectory: stateDirectory,
      dataDirectory: options.dataDirectory(in: session))
    let signals = try ReplSignals()
    let player: RunningPlayer
    do {
      player = try RunningPlayer(repl, options, stateDirectory: stateDirectory)
    } catch is PlayerIsElsewhere {
      return try attach(session, signals)
    }
    player.prepareOutput()
    player.awaitRecall()
    repl.follow(LibraryRequest(roots: repl.library, dataDirectory: repl.dataDirectory))
    var server: ServedPlayer?
    if player.keeper.ownership == .own {
      do throws(RemoteServerError) {
        server = try PlayerServing(socket: socket).start(repl, player.keeper)
      } catch {
        repl.warnings.append(error.description)
      }
    }
    let outcome = Result { try loop(repl, signals).run() }
    server?.shutDown()
    repl.closeLibrary()
    let end = Result { () throws(CommandError) in try player.shutDown() }
    session.sayingFailure = repl.sayingFailure
    session.status = try outcome.get()
    try end.get()
  }

  private func loop(_ repl: Session, _ signals: ReplSignals) -> ReplLoop {
    ReplLoop(repl, signals: signals)
  }

  /// Reads lines for the player that runs in another process.
  private func attach(_ session: Session, _ signals: ReplSignals) throws {
    let socket = session.socket(options.socket, stateDirectory: options.stateDir)
    let repl = session.repl(
      library: options.library(in: session), stateDirectory: options.stateDirectory(in: session),
      dataDirectory: options.dataDirectory(in: session), face: .attached(socket))
    defer { repl.closeLibrary() }
    repl.remark("A player runs already: what is typed here is for that one.")
    session.status = try loop(repl, signals).run()
    session.sayingFailure = repl.sayingFailure
  }
}
