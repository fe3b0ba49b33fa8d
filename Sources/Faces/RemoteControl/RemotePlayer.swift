import MusicModel
import Platform
public import QueueFlow

/// What the commands of clients act on: they dispatch by `actions`, and read what the stores publish.
public struct RemotePlayer: Sendable {
  /// Publishes the queue.
  public let queue: QueueListener
  /// Publishes what plays.
  public let playback: PlaybackStore
  /// Says what a client wants.
  public let actions: PlayerActionCreator
  /// The library of this player; `nil` where it cannot be opened.
  public let library: RemoteLibrary?
  /// For how long it has played.
  let playedTime: PlayedTime
  /// When it was made.
  let started = MonotonicInstant.now
  /// How many items clients may have in the queue.
  let queueLimit: Int
  /// Blocks until all that was dispatched is kept; gives why it could not be, in one line, if it could not.
  let keep: @Sendable () -> String?
  /// Obeys a command of the command line for a client that is the player's owner.
  let obey: @Sendable (ForwardedCommand) -> ForwardedOutcome
  /// Has the program end.
  let quit: @Sendable () -> Void

  /// A player of these parts.
  ///
  /// - Parameters:
  ///   - queueLimit: how many items clients may have in the queue.
  ///   - keep: blocks until all that was dispatched is kept; gives why it could not be, if it could not. On any thread.
  ///   - obey: obeys a command of the command line. On any thread.
  ///   - quit: has the program end, and comes back before it does. On any thread.
  public init(
    queue: QueueListener, playback: PlaybackStore, actions: PlayerActionCreator, library: RemoteLibrary?,
    queueLimit: Int = 1_000_000,
    keep: @escaping @Sendable () -> String?,
    obey: @escaping @Sendable (ForwardedCommand) -> ForwardedOutcome, quit: @escaping @Sendable () -> Void
  ) {
    self.queue = queue
    self.playback = playback
    playedTime = PlayedTime(playback)
    self.actions = actions
    self.library = library
    self.queueLimit = queueLimit
    self.keep = keep
    self.obey = obey
    self.quit = quit
  }

  /// What it does now.
  var status: PlayerStatus {
    let queue = queue.queue
    return PlayerStatus(
      playback.state, queue: queue, elapsed: queue.current.flatMap { playback.heard(of: $0.id) })
  }
}
