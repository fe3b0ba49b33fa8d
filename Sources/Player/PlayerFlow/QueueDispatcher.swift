// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Flux
public import MusicModel
public import PlaybackEngine

/// Anything that happens to the player.
public enum PlayerAction: Sendable, Equatable {
  /// A change to the queue: above all *(collection, item)*, "this collection is the queue now; start at item".
  case queue(QueueAction)
  /// A transport command or a playback setting.
  case playback(PlaybackAction)
  /// An event of the engine, with the source of the last play command at the time of the event.
  case engine(EngineEvent, commanded: PlaybackSource.ID?)
  /// ReplayGain values that were looked up; empty for an item that has none.
  case replayGain([PlayQueue.Item.ID: ReplayGainTags])
  /// Stores the elapsed time of the current item in the queue.
  case noteHeard
  /// The engine is ready. When the device is lost, playback pauses, or continues once the device is back.
  case begin(pausesOnLoss: Bool)
}

/// Delivers every action of the player, in one order that is the same for all subscribers.
public typealias QueueDispatcher = Dispatcher<PlayerAction>

extension QueueDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: QueueDispatcher { sharedQueueDispatcher }

  /// Dispatches a change to the queue.
  public func dispatch(_ action: QueueAction) { dispatch(.queue(action)) }

  /// Dispatches a transport command or a playback setting.
  public func dispatch(_ action: PlaybackAction) { dispatch(.playback(action)) }
}

private let sharedQueueDispatcher = QueueDispatcher()
