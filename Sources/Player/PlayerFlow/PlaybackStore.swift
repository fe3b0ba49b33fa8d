// SPDX-License-Identifier: GPL-3.0-or-later

public import AudioCore
public import Flux
public import MusicModel
import Synchronization

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
