// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import PlayerFlow
import PlayerPort
import RemoteControl
import Screens
import Scrobbling
import SystemPackage
import UserSettings

/// The player of this process while clients can reach it: its server, its play counter, and what
/// keeps it playing.
struct ServedPlayer {
  private let server: RemoteServer
  private let counter: PlayCounter?
  private let playlists: Subscription
  private let hooks: EventHooks?
  private let scrobbler: Scrobbler
  /// `nil` if no thread could be created: then the queue just ends.
  private let refiller: QueueRefiller?

  /// The network addresses on which the server listens.
  var addresses: [ListenAddress] { server.addresses }

  /// Creates the served player of `session`, whose server has been started.
  init(_ server: RemoteServer, of player: LocalPlayer, in session: Session) {
    self.server = server
    playlists = player.observePlaylists { [weak server] in server?.announcePlaylists() }
    hooks = EventHooks(session.settings) { [weak player] in player?.report($0) }
    refiller = try? QueueRefiller(player, hours: session.settings.integer(.keepPlayingHours) ?? 48)
    let scrobbler = Scrobbler(session.scrobbling) { [weak player] in player?.report($0) }
    self.scrobbler = scrobbler
    if hooks != nil || session.scrobbling.settings.sendsLoves {
      player.forwardEvents { [hooks] event in
        hooks?.receive(event)
        if event.event == .rating { scrobbler.wake() }
      }
    }
    let record = session.openFlow.map { PlayRecord($0.flow.index, logsPlays: session.settings.flag(.history) ?? true) }
    // If no thread can be created, plays are not counted, but playback works.
    counter = try? PlayCounter(
      queue: session.services.queue, playback: session.services.playback, now: { WallClock.now / 1_000_000_000 },
      reportsStarts: { scrobbler.isOn }
    ) { event in
      scrobbler.receive(event)
      if record?.receive(event) == true { server.announceStickers() }
    }
  }

  /// Closes all connections, for a program that is about to exit. Waits at most `milliseconds` for responses in
  /// progress, and as long for plays that are being recorded and programs that are to be run.
  func shutDown(within milliseconds: UInt64) {
    server.close(within: milliseconds)
    let deadline = MonotonicInstant.now.advanced(byMilliseconds: milliseconds)
    counter?.finish(until: deadline)
    scrobbler.finish(until: deadline)
    hooks?.finish(until: deadline)
  }

  /// After ``shutDown(within:)``, waits at most until `deadline` until all plays have been recorded and all programs
  /// have been started.
  func finishRecording(until deadline: MonotonicInstant) {
    counter?.join(until: deadline)
    hooks?.finish(until: deadline)
  }
}

/// The addresses at which the player of this process can be reached.
struct PlayerServing {
  /// The path of the player's socket; `nil` for none.
  var socket: FilePath?
  /// The network addresses on which to listen.
  var addresses: [ListenAddress] = []
  /// The sockets on which the service manager listens already.
  var inherited: [ServiceManager.Socket] = []
  /// The permissions of network clients.
  var access = NetworkAccess()

  /// All network addresses, with those on which the service manager listens.
  var allAddresses: [ListenAddress] {
    addresses
      + inherited.compactMap { socket in
        guard case .network(let host, let port) = socket.address else { return nil }
        return ListenAddress(host: host, port: port)
      }
  }

  /// Uses sockets on which the service manager listens: of those in the file system, the first one instead of the
  /// player's own.
  mutating func adopt(_ sockets: [ServiceManager.Socket]) {
    inherited = sockets
    for case .path(let path) in sockets.map(\.address).reversed() { socket = path }
  }

  /// Starts the server for the player of `session`, and for the session's library if it is open.
  func start(_ session: Session, _ player: RunningPlayer) throws(RemoteServerError) -> ServedPlayer {
    let server = try session.services.remote.startServer(
      ServerRequest(
        socket: socket, ownsDirectory: socket == Environment.runtimeSocket, addresses: addresses, inherited: inherited,
        access: access,
        library: session.openFlow.map { (index: $0.index, flow: $0.flow) }, playlists: session.settings.playlists,
        port: player.port))
    player.positions?.onStore { [weak server] in server?.announceStickers() }
    return ServedPlayer(server, of: player.port, in: session)
  }
}

extension Scrobbler {
  /// Receives what a listener has done. Blocks until it is stored, if it is to be sent.
  fileprivate func receive(_ event: PlayCounter.Event) {
    switch event {
    case .started(let listening): started(listening.track, at: listening.start, duration: listening.duration)
    case .played(let listening): played(listening.track, at: listening.start, duration: listening.duration)
    case .finished, .skipped: break
    }
  }
}
