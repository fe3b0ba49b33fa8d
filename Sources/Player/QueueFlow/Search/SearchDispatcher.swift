public import Flux

/// Carries what is wanted of a listing, and what was read of it.
public typealias SearchDispatcher = Dispatcher<SearchAction>

extension SearchDispatcher {
  /// The dispatcher of the running program. Only the composition root names it.
  public static var shared: SearchDispatcher { sharedSearchDispatcher }
}

private let sharedSearchDispatcher = SearchDispatcher()
