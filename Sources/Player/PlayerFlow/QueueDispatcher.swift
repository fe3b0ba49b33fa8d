// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import PlaybackEngine
import Synchronization
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
  /// What was measured of these items, which was looked up.
  case measurements([PlayQueue.Item.ID: AudioMeasurement])
  /// The position at which this item was left, which was looked up; zero if it begins at its beginning.
  case storedPosition(PlayQueue.Item.ID, Duration)
  /// Store the elapsed time of the current item in the queue.
  case storeElapsed
  /// The engine is ready. `pausesOnLoss` says whether playback pauses when the device is lost, instead of resuming once
  /// the device is back, `resuming` which tracks resume where they were left (`nil` for none), and `skipping` how
  /// silence is skipped (`nil` if it is not).
  case begin(pausesOnLoss: Bool, resuming: ResumeRule? = nil, skipping: SilenceSkipping? = nil)
}

/// Delivers every action of the player, in one order that is the same for all subscribers; see `Dispatcher`. Every
/// member may be called from any thread.
public final class QueueDispatcher: Sendable {
  /// The shared dispatcher of the running program. Only the composition root uses it directly.
  public static let shared = QueueDispatcher()

  /// Delivers the actions, each with the position that is audible when it gets its place in the order.
  let actions = Dispatcher<DispatchedAction>()
  private let positionSource = Mutex(WeakPositionSource())

  public init() {}

  /// Delivers `action` to all subscribers; if another action is being delivered, only queues it.
  public func dispatch(_ action: PlayerAction) {
    let source = positionSource.withLock { $0.source }
    actions.dispatch(making: { DispatchedAction(action: action, audible: source?.sourcePosition) })
  }

  /// Dispatches an action that changes the queue.
  public func dispatch(_ action: QueueAction) { dispatch(.queue(action)) }

  /// Dispatches a transport command or a playback setting.
  public func dispatch(_ action: PlaybackAction) { dispatch(.playback(action)) }

  /// Calls `receive` with every action that is dispatched from now on, until the subscription is cancelled or released.
  public func subscribe(_ receive: @escaping @Sendable (PlayerAction) -> Void) -> Subscription {
    actions.subscribe { receive($0.action) }
  }

  /// Calls `act` once, after everything dispatched so far has reached all subscribers; see `Dispatcher`.
  public func afterDelivery(_ act: @escaping @Sendable () -> Void) { actions.afterDelivery(act) }

  /// The source and position that are audible at this moment; `nil` if nothing is.
  var audiblePosition: SourcePosition? { positionSource.withLock { $0.source }?.sourcePosition }

  /// Sets what knows the audible position. It is not retained.
  func readPosition(from source: any PositionSource) { positionSource.withLock { $0.source = source } }
}

/// An action, with what it needs to know of the world.
struct DispatchedAction: Sendable {
  let action: PlayerAction
  /// The source and position that were audible when the action got its place; `nil` if nothing was.
  let audible: SourcePosition?
}

/// What knows the audible position.
protocol PositionSource: AnyObject, Sendable {
  /// The source and position that are audible at this moment; `nil` if nothing is. Reading it must not block.
  var sourcePosition: SourcePosition? { get }
}

extension PlaybackEngine: PositionSource {
  var sourcePosition: SourcePosition? {
    audiblePosition.map { SourcePosition(source: $0.source, position: $0.position) }
  }
}

private struct WeakPositionSource: Sendable {
  weak var source: (any PositionSource)?
}
