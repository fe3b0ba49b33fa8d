public import Flux
import MusicModel
import Synchronization

/// Holds the state of the player: the one place where its actions are reduced.
///
/// ``QueueListener`` and ``PlaybackStore`` publish the two halves of it. Every member may be called from any thread.
public final class PlayerStore: Sendable {
  private let store: Store<PlayerState>
  private let reading: PositionReading

  /// A store that begins with `state` and follows `dispatcher`, ahead of those who subscribe later.
  public init(_ state: PlayerState = PlayerState(), dispatcher: QueueDispatcher) {
    let reading = PositionReading()
    self.reading = reading
    store = Store(state, reducing: dispatcher) { $0.reduce($1, heard: reading.now) }
  }

  /// A part of the present state.
  func read<Value>(_ body: (borrowing PlayerState) -> Value) -> Value { store.read(body) }

  /// How much of `item` has been heard at this moment; `nil` where it does not play, or has not begun.
  func heard(of item: PlayQueue.Item.ID) -> Duration? {
    let now = reading.now
    return store.read { $0.heard(of: item, now) }
  }

  /// Has `read` say from now on what is heard at the moment: it must not block.
  func readPosition(_ read: @escaping @Sendable () -> HeardSource?) { reading.set(read) }

  /// See `Store.observe(_:)`.
  func observe(_ receive: @escaping @Sendable (PlayerState) -> Void) -> Subscription { store.observe(receive) }
}

/// Says what is heard at the moment, once there is an engine that knows.
private final class PositionReading: Sendable {
  private struct Reader: Sendable {
    let read: @Sendable () -> HeardSource?
  }

  private let reader = Mutex<Reader?>(nil)

  var now: HeardSource? { reader.withLock { $0 }?.read() }

  func set(_ read: @escaping @Sendable () -> HeardSource?) { reader.withLock { $0 = Reader(read: read) } }
}
