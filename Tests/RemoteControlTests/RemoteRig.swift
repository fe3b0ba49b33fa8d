import Flux
import MusicModel
import Platform
import QueueFlow
import Synchronization
import SystemPackage
import TestSupport

@testable import RemoteControl

/// A server in a directory of its own, around a queue and a playback state that no engine drives.
final class RemoteRig: Sendable {
  let directory: TemporaryDirectory
  let queueDispatcher = QueueDispatcher()
  var playbackDispatcher: QueueDispatcher { queueDispatcher }
  let queue: QueueListener
  let playback: PlaybackStore
  let actions: PlayerActionCreator
  let server: RemoteServer

  init(
    addresses: [ListenAddress] = [], access: NetworkAccess = NetworkAccess(), library: RemoteLibrary? = nil,
    queueLimit: Int = 1_000_000,
    obey: @escaping @Sendable (ForwardedCommand) -> ForwardedOutcome = RemoteRig.echo,
    quit: @escaping @Sendable () -> Void = {}
  ) throws {
    let directory = try TemporaryDirectory()
    let store = PlayerStore(dispatcher: queueDispatcher)
    let (queue, playback) = (QueueListener(store), PlaybackStore(store))
    let actions = PlayerActionCreator(dispatcher: queueDispatcher)
    let counter = KeepCounter()
    let player = RemotePlayer(
      queue: queue, playback: playback, actions: actions, library: library,
      queueLimit: queueLimit,
      keep: { counter.count() },
      obey: obey, quit: quit)
    server = try RemoteServer(
      player, socket: directory["run/socket"], addresses: addresses, access: access)
    self.directory = directory
    self.queue = queue
    self.playback = playback
    self.actions = actions
    keeps = counter
  }

  /// Answers with the words.
  static func echo(_ command: ForwardedCommand) -> ForwardedOutcome {
    ForwardedOutcome(
      output: command.words.map { String(decoding: $0, as: UTF8.self) }, errors: ["an error"], status: 3,
      saysTrack: true)
  }

  private let keeps: KeepCounter

  /// How often a client waited until something was kept.
  var keptCount: Int { keeps.value }

  deinit { server.shutDown() }

  /// A client of its socket.
  func client() throws -> ControlClient { try ControlClient(directory["run/socket"]) }

  /// An album of so many tracks below `~/Music`.
  static func album(_ count: Int, title: String = "Album") -> TrackCollection {
    TrackCollection(
      title: title,
      tracks: (0..<count).map { number in
        var track = Track(path: FilePath("/music/\(title)/\(number + 1).flac"), title: "Title \(number + 1)")
        track.album = title
        track.artists = ["Artist"]
        track.number = Ordinal(number + 1)
        track.duration = .seconds(60 + number)
        return track
      })
  }
}

/// Counts how often something was kept.
private final class KeepCounter: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func count() -> String? {
    number.withLock { $0 += 1 }
    return nil
  }
}
