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
  /// The engine's functions for the audible sound, and how many want to read it.
  private struct SoundReader: Sendable {
    var record: @Sendable (Bool) -> Void = { _ in }
    var read: @Sendable () -> AudibleSound? = { nil }
    var listenerCount = 0
  }

  private let store: PlayerStore
  private let soundReader = Mutex(SoundReader())

  /// Creates a store that publishes the playback state of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The current playback state. Can be read from any thread.
  public var state: PlaybackState { store.read { $0.playback } }

  /// Returns the elapsed time of `item` at this moment; `nil` if it is not playing or has not started. Can be called
  /// from any thread.
  ///
  /// The published state is up to a second old; this value is exact.
  public func elapsed(of item: PlayQueue.Item.ID) -> Duration? { store.elapsed(of: item) }

  /// The sound that is audible at this moment; `nil` if there is none, or nobody listens. Can be read from any thread.
  public var audibleSound: AudibleSound? { soundReader.withLock { $0.read }() }

  /// Lets ``audibleSound`` be read until the subscription is cancelled. It takes a little processor time.
  public func listen() -> Subscription {
    changeListeners(by: 1)
    return Subscription { [weak self] in self?.changeListeners(by: -1) }
  }

  private func changeListeners(by change: Int) {
    soundReader.withLock { reader in
      let wasOn = reader.listenerCount > 0
      reader.listenerCount += change
      if wasOn != (reader.listenerCount > 0) { reader.record(!wasOn) }
    }
  }

  /// Sets the functions that turn the recording of the sound on or off, and that read what is audible.
  package func readSound(
    record: @escaping @Sendable (Bool) -> Void, _ read: @escaping @Sendable () -> AudibleSound?
  ) {
    soundReader.withLock { reader in
      (reader.record, reader.read) = (record, read)
      if reader.listenerCount > 0 { record(true) }
    }
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
