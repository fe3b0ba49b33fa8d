// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
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
    abstract: "Run the player as a background server (MPD protocol).",
    discussion: """
      Other `segue` commands (play, next, queue, status...) and MPD clients (mpc -h SOCKET) control the server through its socket. With \
      --listen HOST:PORT, MPD clients can also connect over the network: HOST alone means port 6600, PORT alone means this machine, and * \
      means all addresses of this machine. The server runs until `segue quit`, Ctrl-C or a termination signal. \
      If systemd listens for it (segue.socket), it uses those sockets.

      In the file of --passwords, a line is PASSWORD@PERMISSION,PERMISSION..., with the permissions read, add, control, admin, and \
      addresses, which is needed to add addresses of streams. A line that begins with @ gives permissions to clients without a password, \
      which otherwise have none. The owner of the socket always has all permissions. To listen beyond this machine, use --passwords, or \
      --open, which gives everyone all permissions but addresses.

      Examples:
        serve
        serve --listen 127.0.0.1:6600
        serve --listen '*' --passwords ~/.config/segue/passwords
      """)

  @Option(
    name: .long,
    help: ArgumentHelp("Network address to listen on, HOST:PORT; can be repeated.", valueName: "address"))
  var listen: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("File with the passwords and permissions of network clients.", valueName: "file"))
  var passwords: String?

  @Flag(
    name: .customLong("open"), help: "Give all network clients all permissions but addresses, without passwords.")
  var isOpen = false

  @OptionGroup var options: PlayerOptions

  var outputStyle: OutputStyleOptions { options.outputStyle }

  func run(in session: Session) throws {
    let serving = try serving(session)
    let events = try EventQueue<ViewEvent>()
    let watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { events.post(.signal($0)) }
    let stateDirectory = options.stateDirectory(in: session)
    let served = session.repl(options)
    let player: RunningPlayer
    do {
      player = try RunningPlayer(
        served, options, stateDirectory: stateDirectory, isServing: true,
        unlessAt: serving.inherited.isEmpty ? serving.socket : nil)
      try player.persister.checkOwnership(of: stateDirectory)
    } catch let error as PlayerRunsElsewhereError {
      // Other commands reach this socket, not that player's.
      guard serving.inherited.isEmpty else { throw error.refusal }
      throw PlayerError(
        .failure,
        "a player is already running, and other commands control it, such as `segue status`; \(error.refusal.message)")
    }
    player.prepareOutput()
    player.awaitRecall()
    var marker = PlaybackMarker(in: stateDirectory)
    if marker.wasPlaying, session.settings.restoresPlayback, !session.services.queue.queue.items.isEmpty {
      session.services.actions.resume()
    }
    served.follow(served.libraryRequest())
    var server: ServedPlayer?
    let outcome = Result { () throws(PlayerError) -> ExitStatus in
      let started: ServedPlayer
      do throws(RemoteServerError) { started = try serving.start(served, player) } catch {
        let isOtherProgram = if case .notAPlayer = error { true } else { false }
        throw PlayerError(isOtherProgram ? .noAnswer : .failure, error.description)
      }
      server = started
      for address in started.addresses { session.printRemark("listening on \(address)") }
      if let socket = serving.socket { session.printRemark("listening on \(socket)".safeForTerminal) }
      ServiceManager.notify("READY=1")
      defer { ServiceManager.notify("STOPPING=1") }
      return withExtendedLifetime(watch) { ServeLoop(served, events).run(marking: &marker) }
    }
    let end = Result { () throws(PlayerError) in try player.shutDown(server, after: try? outcome.get()) }
    session.status = try outcome.get()
    try end.get()
  }

  private func serving(_ session: Session) throws(PlayerError) -> PlayerServing {
    if isOpen, passwords != nil { throw PlayerError(.usage, "use --passwords or --open, not both") }
    var serving = PlayerServing(socket: session.socket(options.socket, stateDirectory: options.stateDir))
    serving.adopt(ServiceManager.sockets)
    for text in listen {
      guard let address = ListenAddress(parsing: text) else {
        throw PlayerError(.usage, "invalid address \"\(text)\": use HOST:PORT, HOST or PORT")
      }
      serving.addresses.append(address)
    }
    if let address = serving.allAddresses.first(where: { !$0.isLoopback }), passwords == nil {
      guard isOpen else {
        throw PlayerError(
          .usage,
          "\(address) would give everyone on the network all permissions: use --passwords FILE, or --open to allow that"
        )
      }
      serving.access = .open
    }
    guard let passwords else { return serving }
    serving.access = try Self.access(FilePath(typed: passwords))
    return serving
  }

  /// Reads the passwords in the file at `path`.
  private static func access(_ path: FilePath) throws(PlayerError) -> NetworkAccess {
    if let ownership = try? FileOwnership(of: path) {
      guard ownership.isOwn || ownership.isSystem else {
        throw PlayerError(.failure, "\(path.shown) belongs to another user: copy it, and run `chmod 600` on the copy")
      }
      guard !ownership.isOpenToOthers else {
        throw PlayerError(
          .failure, "other users can read the passwords in \(path.shown): run `chmod 600` on it, and change them")
      }
    }
    let bytes: [UInt8]?
    do throws(Errno) { bytes = try AtomicFile.read(path, limit: 1 << 16) } catch {
      throw PlayerError(.failure, "cannot read \(path.shown): \(error)")
    }
    guard let bytes else { throw PlayerError(.failure, "no such file: \(path.shown)") }
    do throws(RemoteServerError) {
      return try NetworkAccess(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw PlayerError(.usage, "\(path.shown), \(error.description)")
    }
  }
}

/// Waits until a signal ends the server. Meanwhile, prints problems on standard error.
private struct ServeLoop {
  let session: Session
  let events: EventQueue<ViewEvent>

  init(_ session: Session, _ events: EventQueue<ViewEvent>) {
    self.session = session
    self.events = events
  }

  func run(marking marker: inout PlaybackMarker) -> ExitStatus {
    let subscription = session.services.playback.observe { [events] _ in events.post(.changed) }
    defer { subscription.cancel() }
    var notices = PlaybackNotices()
    var details = PlaybackDetails()
    while true {
      switch events.next() {
      case .event(.signal(let signal)):
        if signal == .hangUp, session.settings.keepsPlayingOnHangup { continue }
        guard let status = signal.endingStatus else { continue }
        // After `segue quit`, the next server must not resume playback.
        if session.services.endRequest.isMade { marker.remove() }
        return status
      case .event(.changed):
        let state = session.services.playback.state
        marker.note(state)
        for line in session.takeWarnings() + notices.notices(for: state) {
          session.printError("segue: \(line)", level: .warning)
        }
        if session.outputStyle.isVerbose {
          for line in details.take(from: PlayerStatus(state, queue: session.services.queue.queue)) {
            session.printError(line, level: .debugging)
          }
        }
      default: break
      }
    }
  }
}
