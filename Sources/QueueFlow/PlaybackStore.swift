public import Flux

/// Publishes what plays: the one place where playback actions are reduced.
public final class PlaybackStore: Sendable {
  private let store: Store<PlaybackState>

  /// A store that begins with nothing playing and follows `dispatcher`, ahead of those who subscribe later.
  public init(dispatcher: PlaybackDispatcher) {
    store = Store(PlaybackState(), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The present state. From any thread.
  public var state: PlaybackState { store.state }

  /// Has `receive` called with the present state at once and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (PlaybackState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
