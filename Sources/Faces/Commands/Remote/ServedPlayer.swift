import MusicModel
import Platform
import PlayerFlow
import RemoteControl
import Screens
import SystemPackage
import UserSettings

/// A player that can be reached, and that counts in its library what it plays.
struct ServedPlayer {
  private let server: RemoteServer
  private let counter: PlayCounter?

  /// The addresses in the network at which it listens.
  var addresses: [ListenAddress] { server.addresses }

  /// The player of `session`, which `server` serves.
  init(_ server: RemoteServer, in session: Session) {
    self.server = server
    session.services.listChanges.observe { [weak server] in server?.announcePlaylists() }
    // Without a thread for it nothing is counted, and all plays.
    counter = session.openFlow.flatMap { open in
      let index = open.flow.index
      return try? PlayCounter(queue: session.services.queue, playback: session.services.playback) { track in
        let isCounted = try? index.countPlay(of: track.path, track.segment, at: WallClock.now / 1_000_000_000)
        if isCounted == true { server.announceStickers() }
      }
    }
  }

  /// Closes all connections, at the end of the program.
  func shutDown() { server.close() }
}

/// Where the player of this process can be reached.
struct PlayerServing {
  /// Its socket; `nil` for none.
  var socket: FilePath?
  /// Where it listens in the network.
  var addresses: [ListenAddress] = []
  /// What clients from the network may do.
  var access = NetworkAccess()

  /// Has the player of `session` be reached; its library is open, where there is one.
  func start(_ session: Session, _ keeper: QueuePersister) throws(RemoteServerError) -> ServedPlayer {
    let services = session.services
    let run = ForwardedRun(session, keeper)
    let server = try services.reach.startServer(
      ServerRequest(
        socket: socket, ownsDirectory: socket == Environment.runtimeSocket, addresses: addresses, access: access,
        library: session.openFlow.map { (index: $0.index, flow: $0.flow) }, playlists: session.settings.playlists,
        keep: { keeper.ownership == .own ? keeper.flush()?.ofEdit : nil }, obey: { run.obey($0) },
        quit: { services.endRequest.make() }))
    return ServedPlayer(server, in: session)
  }
}
