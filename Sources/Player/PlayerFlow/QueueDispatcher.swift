// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import PlaybackEngine
public import SystemPackage

/// An action of the player: anything that changes its state.
public enum PlayerAction: Sendable, Equatable {
  /// A change to the queue. The most important one is *(collection, item)*: "this collection is the queue now; start at
  /// item".
  case queue(QueueAction)
  /// A transport command or a playback setting.
  case playback(PlaybackAction)
  /// An event of the engine, with the commands that it had executed at the time.
  case engine(EngineEvent, after: ExecutedCommands)
  /// The server of this address is to be connected to again, for this reason; `nil` when that is over.
  case connection(FilePath, failure: String?)
  /// ReplayGain values that were looked up; they are empty for an item that has none.
  case replayGain([PlayQueue.Item.ID: ReplayGainTags])
  /// Store the elapsed time of the current item in the queue.
  case storeElapsed
  /// The engine is ready. `pausesOnLoss` says whether playback pauses when the device is lost, instead of resuming once
  /// the device is back.
  case begin(pausesOnLoss: Bool)
}

/// Delivers every action of the player, in one order that is the same for all subscribers.
public typealias QueueDispatcher = Dispatcher<PlayerAction>

extension QueueDispatcher {
  /// The shared dispatcher of the running program. Only the composition root uses it directly.
  public static var shared: QueueDispatcher { sharedQueueDispatcher }

  /// Dispatches an action that changes the queue.
  public func dispatch(_ action: QueueAction) { dispatch(.queue(action)) }

  /// Dispatches a transport command or a playback setting.
  public func dispatch(_ action: PlaybackAction) { dispatch(.playback(action)) }
}

private let sharedQueueDispatcher = QueueDispatcher()
