public import Flux

/// Publishes what is asked of a library and what it answers: the one place where search actions are reduced.
public final class SearchStore: Sendable {
  private let store: Store<SearchState>

  /// A store that begins with nothing asked and follows `dispatcher`, ahead of those who subscribe later. A page has at
  /// most `pageSize` rows, at least 1.
  public init(pageSize: Int = 100, dispatcher: SearchDispatcher) {
    store = Store(SearchState(pageSize: pageSize), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The present state. From any thread.
  public var state: SearchState { store.state }

  /// Has `receive` called with the present state at once and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (SearchState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
