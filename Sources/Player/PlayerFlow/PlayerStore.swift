// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Synchronization

/// The store of the player's state, and the only place where player actions are reduced.
///
/// ``QueueListener`` and ``PlaybackStore`` publish its two halves. Every member may be called from any thread.
public final class PlayerStore: Sendable {
  private let store: Store<PlayerState>
  private let dispatcher: QueueDispatcher
  private let effects: EffectReceiver

  /// Creates a store that starts with `state` and reduces the actions of `dispatcher`. Subscribers that are added later
  /// get each action after the store.
  public init(_ state: PlayerState = PlayerState(), dispatcher: QueueDispatcher) {
    self.dispatcher = dispatcher
    let effects = EffectReceiver()
    self.effects = effects
    store = Store(state, reducing: dispatcher.actions) {
      let reduction = $0.reduce($1.action, audible: $1.audible)
      return (!reduction.changes.isEmpty, reduction.effects)
    } performing: {
      effects.receive($0)
    }
  }

  /// Returns a value that `body` reads from the current state.
  func read<Value>(_ body: (borrowing PlayerState) -> Value) -> Value { store.read(body) }

  /// Returns the elapsed time of `item` at this moment; `nil` if it is not playing or has not started.
  func elapsed(of item: PlayQueue.Item.ID) -> Duration? {
    let now = dispatcher.audiblePosition
    return store.read { $0.elapsed(of: item, now) }
  }

  /// Sets the function that performs the effects of each action, before any observer hears of the new state. It runs on
  /// the delivering thread; `nil` ignores effects.
  func performEffects(_ perform: (@Sendable ([PlayerEffect]) -> Void)?) { effects.set(perform) }

  /// Calls `receive` immediately with the current state, and then with every new one; see `Store.observe(_:)`.
  func observe(_ receive: @escaping @Sendable (PlayerState) -> Void) -> Subscription { store.observe(receive) }
}

/// What performs the effects, once there is an engine.
private final class EffectReceiver: Sendable {
  private struct Performer: Sendable {
    let perform: @Sendable ([PlayerEffect]) -> Void
  }

  private let performer = Mutex<Performer?>(nil)

  func receive(_ effects: [PlayerEffect]) {
    guard !effects.isEmpty else { return }
    performer.withLock { $0 }?.perform(effects)
  }

  func set(_ perform: (@Sendable ([PlayerEffect]) -> Void)?) {
    performer.withLock { $0 = perform.map { Performer(perform: $0) } }
  }
}
