import ArgumentParser
import Flux
import MusicModel
import Platform
import PlayerFlow
import RemoteControl
import Screens
import SystemPackage
import Terminal
import UnicodeText
import UserSettings

/// The `serve` command: runs the player as a background server.
struct ServeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Be a player without a terminal, for other terminals and for MPD clients.",
    discussion: """
      It is reached through its socket by `segue` itself (segue play, next, queue, status...) and by every client of the MPD protocol \
      (mpc -h SOCKET), and with --listen through the network, too: HOST:PORT, where HOST alone means port 6600, PORT alone this machine, \
      and * every address of it. It ends by Ctrl-C, or when it is asked to by the system.

      --passwords names a file with lines PASSWORD@PERMISSION,PERMISSION...: read, add, control, admin. Whoever gives no password may then \
      do what a line without one says, or else nothing. The socket's owner may do everything. Beyond this machine, a player listens with \
      --passwords, or with --open, which lets everybody there do everything.

      Examples:
        serve
        serve --listen 127.0.0.1:6600
        serve --listen '*' --passwords ~/.config/segue/passwords
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("Listen in the network, too: HOST:PORT. May be repeated.", valueName: "address"))
  var listen: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("The file that says what clients from the network may do.", valueName: "file"))
  var passwords: String?

  @Flag(
    name: .customLong("open"), help: "Let everybody in the network do everything, where no passwords are asked for.")
  var isOpen = false

  @OptionGroup var options: PlayerOptions

  var manner: MannerOptions { options.manner }

  func run(in session: Session) throws {
    let serving = try serving(session)
    let events = try EventQueue<ForegroundView.Event>()
    let watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    let stateDirectory = options.stateDirectory(in: session)
    let served = session.repl(
      library: options.library(in: session), stateDirectory: stateDirectory,
      dataDirectory: options.dataDirectory(in: session))
    let player: RunningPlayer
    do {
      player = try RunningPlayer(
        served, options, stateDirectory: stateDirectory, isServing: true, unlessAt: serving.socket)
      try player.keeper.checkThatItKeeps(stateDirectory)
    } catch let elsewhere as PlayerIsElsewhere {
      throw CommandError(.failure, "another player runs already: \(elsewhere.refusal.message)")
    }
    player.prepareOutput()
    player.awaitRecall()
    var mark = PlayingMark(in: stateDirectory)
    if mark.isLeft, session.settings.restoresPlayback, !session.services.queue.queue.items.isEmpty {
      session.services.actions.resume()
    }
    served.follow(LibraryRequest(roots: served.library, dataDirectory: served.dataDirectory, in: served))
    let outcome = Result { () throws(CommandError) -> ExitStatus in
      let server: ServedPlayer
      do throws(RemoteServerError) { server = try serving.start(served, player.keeper) } catch {
        let isForeign = if case .foreign = error { true } else { false }
        throw CommandError(isForeign ? .noAnswer : .failure, error.description)
      }
      defer { server.shutDown() }
      for address in server.addresses { session.remark("listening at \(address)") }
      if let socket = serving.socket { session.remark("listening at \(socket)".safeForTerminal) }
      return withExtendedLifetime(watch) { ServeLoop(served, events).run(marking: &mark) }
    }
    served.closeLibrary()
    let end = Result { () throws(CommandError) in try player.shutDown() }
    session.status = try outcome.get()
    try end.get()
  }

  private func serving(_ session: Session) throws(CommandError) -> PlayerServing {
    var serving = PlayerServing(socket: session.socket(options.socket, stateDirectory: options.stateDir))
    for text in listen {
      guard let address = ListenAddress(parsing: text) else {
        throw CommandError(.usage, "no address is \"\(text)\": write HOST:PORT, HOST or PORT")
      }
      guard address.isLoopback || passwords != nil || isOpen else {
        throw CommandError(
          .usage,
          "\(address) lets everybody in the network do everything: name a file of passwords with --passwords, or say --open"
        )
      }
      serving.addresses.append(address)
    }
    guard let passwords else { return serving }
    serving.access = try Self.access(FilePath(typed: passwords))
    return serving
  }

  private static func access(_ path: FilePath) throws(CommandError) -> NetworkAccess {
    let bytes: [UInt8]?
    do throws(Errno) { bytes = try AtomicFile.read(path, limit: 1 << 16) } catch {
      throw CommandError(.failure, "\(path.shown) cannot be read: \(error)")
    }
    guard let bytes else { throw CommandError(.failure, "there is no file \(path.shown)") }
    do throws(RemoteServerError) {
      return try NetworkAccess(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw CommandError(.usage, "\(path.shown), \(error.description)")
    }
  }
}

/// Waits for the end of the server, and prints problems to standard error meanwhile.
private struct ServeLoop {
  let session: Session
  let events: EventQueue<ForegroundView.Event>

  init(_ session: Session, _ events: EventQueue<ForegroundView.Event>) {
    self.session = session
    self.events = events
  }

  func run(marking mark: inout PlayingMark) -> ExitStatus {
    let subscription = session.services.playback.observe { [events] _ in events.post(.changed) }
    defer { subscription.cancel() }
    var news = PlaybackNotices()
    var details = PlaybackDetails()
    while true {
      switch events.next() {
      case .event(.signal(let signal)):
        if signal == .hangUp, session.settings.keepsPlayingOnHangup { continue }
        guard let status = signal.endingStatus else { continue }
        // After `segue quit`, the next server does not resume playback.
        if session.services.endRequest.isMade { mark.remove() }
        return status
      case .event(.changed):
        let state = session.services.playback.state
        mark.note(state)
        for line in session.takeWarnings() + news.take(from: state) { session.complain("segue: \(line)") }
        if session.manner.isVerbose {
          for line in details.take(from: state, session.services.queue.queue) { session.complain(line) }
        }
      default: break
      }
    }
  }
}
