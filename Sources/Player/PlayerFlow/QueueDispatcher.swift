public import AudioCore
public import Flux
public import MusicModel
public import PlaybackEngine

/// Everything that happens to the player.
public enum PlayerAction: Sendable, Equatable {
  /// What happens to the queue: first of all *(collection, item)*, "this collection is the queue now; start at item".
  case queue(QueueAction)
  /// A command to the transport, or one of its settings.
  case playback(PlaybackAction)
  /// What the engine reports, with the source that it was commanded to play last when it happened.
  case engine(EngineEvent, commanded: PlaybackSource.ID?)
  /// ReplayGain values that were looked up; nothing where an item has none.
  case replayGain([PlayQueue.Item.ID: ReplayGainTags])
  /// How much of the current item was heard is noted in the queue.
  case noteHeard
  /// An engine is there, which pauses when the device is lost, or plays on when it is back.
  case begin(pausesOnLoss: Bool)
}

/// Carries every action of the player, in one order that is the same for all subscribers.
public typealias QueueDispatcher = Dispatcher<PlayerAction>

extension QueueDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: QueueDispatcher { sharedQueueDispatcher }

  /// Dispatches what happens to the queue.
  public func dispatch(_ action: QueueAction) { dispatch(.queue(action)) }

  /// Dispatches a command to the transport, or one of its settings.
  public func dispatch(_ action: PlaybackAction) { dispatch(.playback(action)) }
}

private let sharedQueueDispatcher = QueueDispatcher()
