public import Flux

/// Publishes how the library stands: the one place where library actions are reduced.
public final class LibraryStore: Sendable {
  private let store: Store<LibraryState>

  /// A store that begins with nothing read and follows `dispatcher`, ahead of those who subscribe later.
  public init(dispatcher: LibraryDispatcher) {
    store = Store(LibraryState(), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The present state. From any thread.
  public var state: LibraryState { store.state }

  /// Has `receive` called with the present state at once and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (LibraryState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
