import MusicLibrary
import MusicModel
import Platform
import QueueFlow
import RemoteControl

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
