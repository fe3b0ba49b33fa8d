// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Flux
public import MusicModel
import Synchronization

/// Publishes the playback state.
public final class PlaybackStore: Sendable {
  private struct LevelReader: Sendable {
    let measure: @Sendable (Bool) -> Void
    let read: @Sendable () -> SoundLevels?
  }

  private let store: PlayerStore
  private let levelReader = Mutex<LevelReader?>(nil)

  /// Creates a store that publishes the playback state of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The present state. From any thread.
  public var state: PlaybackState { store.read { $0.playback } }

  /// Returns the elapsed time of `item` at this moment, or `nil` if it is not playing or has not started. From any
  /// thread.
  ///
  /// The published state is up to a second old; this value is exact.
  public func heard(of item: PlayQueue.Item.ID) -> Duration? { store.heard(of: item) }

  /// The levels of what is audible at this moment, or `nil` if nothing is playing or measured. From any thread.
  public var levels: SoundLevels? { levelReader.withLock { $0 }?.read() }

  /// Turns the measuring of ``levels`` on or off. It costs a little.
  public func measureLevels(_ isOn: Bool) { levelReader.withLock { $0 }?.measure(isOn) }

  /// Sets the functions that turn the measuring of levels on or off, and read them.
  func readLevels(
    measure: @escaping @Sendable (Bool) -> Void, _ read: @escaping @Sendable () -> SoundLevels?
  ) {
    levelReader.withLock { $0 = LevelReader(measure: measure, read: read) }
  }

  /// Calls `receive` with the present state at once and then with every new one, in order; see `Store.observe(_:)`.
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
