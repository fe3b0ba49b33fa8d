// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
import MusicModel
import Synchronization

/// The store of the player's state, and the only place where player actions are reduced.
///
/// ``QueueListener`` and ``PlaybackStore`` publish its two halves. Every member may be called from any thread.
public final class PlayerStore: Sendable {
  private let store: Store<PlayerState>
  private let positionSource: PositionSource

  /// Creates a store that starts with `state` and reduces the actions of `dispatcher`. Subscribers that are added later
  /// get each action after the store.
  public init(_ state: PlayerState = PlayerState(), dispatcher: QueueDispatcher) {
    let positionSource = PositionSource()
    self.positionSource = positionSource
    store = Store(state, reducing: dispatcher) { $0.reduce($1, audible: positionSource.now) }
  }

  /// Returns a value that `body` reads from the current state.
  func read<Value>(_ body: (borrowing PlayerState) -> Value) -> Value { store.read(body) }

  /// Returns the elapsed time of `item` at this moment; `nil` if it is not playing or has not started.
  func elapsed(of item: PlayQueue.Item.ID) -> Duration? {
    let now = positionSource.now
    return store.read { $0.elapsed(of: item, now) }
  }

  /// Sets the function that returns the position that is audible at this moment. It must not block.
  func readPosition(_ read: @escaping @Sendable () -> SourcePosition?) { positionSource.set(read) }

  /// Calls `receive` immediately with the current state, and then with every new one; see `Store.observe(_:)`.
  func observe(_ receive: @escaping @Sendable (PlayerState) -> Void) -> Subscription { store.observe(receive) }
}

/// The source of the audible position, once there is an engine that knows it.
private final class PositionSource: Sendable {
  private struct Reader: Sendable {
    let read: @Sendable () -> SourcePosition?
  }

  private let reader = Mutex<Reader?>(nil)

  var now: SourcePosition? { reader.withLock { $0 }?.read() }

  func set(_ read: @escaping @Sendable () -> SourcePosition?) { reader.withLock { $0 = Reader(read: read) } }
}
