// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Flux
public import MusicModel
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

/// Publishes the current queue to observers.
public final class QueueListener: Sendable {
  private let store: PlayerStore

  /// Creates a listener that publishes the queue of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The current queue. Can be read from any thread.
  public var queue: PlayQueue { store.read { $0.queue } }

  /// Calls `receive` immediately with the current queue, and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    observe(withElapsed: false, receive)
  }

  /// Calls `receive` immediately with the current queue, and then with every new one, in order. If `withElapsed` is
  /// set, a queue also counts as new if only the position in its current item has changed.
  func observe(withElapsed: Bool, _ receive: @escaping @Sendable (PlayQueue) -> Void) -> Subscription {
    let last = Mutex<(version: UInt64, elapsed: Duration)?>(nil)
    return store.observe { state in
      let new = (state.queue.version, withElapsed ? state.queue.elapsed : .zero)
      let isNew = last.withLock { last in
        defer { last = new }
        return last.map { $0 != new } ?? true
      }
      if isNew { receive(state.queue) }
    }
  }
}

/// Publishes the playback state to observers.
public final class PlaybackStore: Sendable {
  private struct LevelReader: Sendable {
    let measure: @Sendable (Bool) -> Void
    let read: @Sendable () -> SoundLevels?
  }

  private let store: PlayerStore
  private let levelReader = Mutex<LevelReader?>(nil)

  /// Creates a store that publishes the playback state of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The current playback state. Can be read from any thread.
  public var state: PlaybackState { store.read { $0.playback } }

  /// Returns the elapsed time of `item` at this moment; `nil` if it is not playing or has not started. Can be called
  /// from any thread.
  ///
  /// The published state is up to a second old; this value is exact.
  public func elapsed(of item: PlayQueue.Item.ID) -> Duration? { store.elapsed(of: item) }

  /// The levels of what is audible at this moment; `nil` if nothing is playing, or levels are not measured. Can be read
  /// from any thread.
  public var levels: SoundLevels? { levelReader.withLock { $0 }?.read() }

  /// Turns the measurement of ``levels`` on or off. It takes a little processor time.
  public func measureLevels(_ isOn: Bool) { levelReader.withLock { $0 }?.measure(isOn) }

  /// Sets the functions that turn the measurement of levels on or off, and that read the levels.
  func readLevels(
    measure: @escaping @Sendable (Bool) -> Void, _ read: @escaping @Sendable () -> SoundLevels?
  ) {
    levelReader.withLock { $0 = LevelReader(measure: measure, read: read) }
  }

  /// Calls `receive` immediately with the current state, and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlaybackState) -> Void) -> Subscription {
    let last = Mutex<PlaybackState?>(nil)
    return store.observe { state in
      let isNew = last.withLock { last in
        defer { last = state.playback }
        return last != state.playback
      }
      if isNew { receive(state.playback) }
    }
  }
}
