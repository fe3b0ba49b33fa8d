public import AudioCore
public import Flux
public import MusicModel
import Synchronization

/// Publishes what plays.
public final class PlaybackStore: Sendable {
  private struct LevelReader: Sendable {
    let measure: @Sendable (Bool) -> Void
    let read: @Sendable () -> SoundLevels?
  }

  private let store: PlayerStore
  private let levelReader = Mutex<LevelReader?>(nil)

  /// One that publishes the playback of `store`.
  public init(_ store: PlayerStore) { self.store = store }

  /// The present state. From any thread.
  public var state: PlaybackState { store.read { $0.playback } }

  /// How much of `item` has been heard at this moment; `nil` where it is not playing, or has not begun. From any
  /// thread.
  ///
  /// The state says it once a second; this says it exactly.
  public func heard(of item: PlayQueue.Item.ID) -> Duration? { store.heard(of: item) }

  /// How loud what is heard at this moment is; `nil` where nothing is, or nothing is measured. From any thread.
  public var levels: SoundLevels? { levelReader.withLock { $0 }?.read() }

  /// Has levels be measured from now on, or not, for ``levels``: it costs a little.
  public func measureLevels(_ isOn: Bool) { levelReader.withLock { $0 }?.measure(isOn) }

  /// Has these measure levels and say them from now on.
  func readLevels(
    measure: @escaping @Sendable (Bool) -> Void, _ read: @escaping @Sendable () -> SoundLevels?
  ) {
    levelReader.withLock { $0 = LevelReader(measure: measure, read: read) }
  }

  /// Has `receive` called with the present state at once and then with every new one, in order; see
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
