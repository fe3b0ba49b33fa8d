public import AudioCore
public import Flux
public import MusicModel
import Synchronization

/// Publishes what plays: the one place where playback actions are reduced.
public final class PlaybackStore: Sendable {
  private struct PositionReader: Sendable {
    let read: @Sendable () -> HeardItem?
  }

  private let store: Store<PlaybackState>
  private struct LevelReader: Sendable {
    let measure: @Sendable (Bool) -> Void
    let read: @Sendable () -> SoundLevels?
  }

  private let levelReader = Mutex<LevelReader?>(nil)
  private let positionReader = Mutex<PositionReader?>(nil)

  /// A store that begins with nothing playing and follows `dispatcher`, ahead of those who subscribe later.
  public init(dispatcher: PlaybackDispatcher) {
    store = Store(PlaybackState(), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The present state. From any thread.
  public var state: PlaybackState { store.state }

  /// How much of `item` has been heard at this moment; `nil` where it is not playing, or has not begun. From any
  /// thread.
  ///
  /// The state says it once a second; this says it exactly.
  public func heard(of item: PlayQueue.Item.ID) -> Duration? {
    let state = state
    guard state.enginePhase != .stopped, state.item == item, !state.isAwaited else { return nil }
    let read = state.isHeard ? positionReader.withLock { $0 }?.read() : nil
    return read?.item == item ? read?.position : state.position
  }

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

  /// Has `read` say from now on what is heard at the moment.
  func readPosition(_ read: @escaping @Sendable () -> HeardItem?) {
    positionReader.withLock { $0 = PositionReader(read: read) }
  }

  /// Has `receive` called with the present state at once and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlaybackState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
