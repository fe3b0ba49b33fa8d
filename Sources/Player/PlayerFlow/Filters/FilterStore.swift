// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel

/// A change to the filters.
public enum FilterChange: Sendable, Hashable {
  /// Add a value.
  case insert(String, of: LibraryFilters.Kind)
  case remove(String, of: LibraryFilters.Kind)
  /// Remove all values of this kind; if it is `nil`, of all kinds.
  case clear(LibraryFilters.Kind?)

  /// Applies the change to `filters`.
  func apply(to filters: inout LibraryFilters) {
    switch self {
    case .insert(let value, of: let kind): filters.insert(value, of: kind)
    case .remove(let value, of: let kind): filters.remove(value, of: kind)
    case .clear(let kind): filters.removeAll(of: kind)
    }
  }
}

/// Delivers changes to the filters.
public typealias FilterDispatcher = Dispatcher<FilterChange>

extension FilterDispatcher {
  /// The shared dispatcher of the running program. Only the composition root uses it directly.
  public static var shared: FilterDispatcher { sharedFilterDispatcher }
}

private let sharedFilterDispatcher = FilterDispatcher()

/// Dispatches a view's changes to the filters: the only way from a view into the flow. Can be used from any thread.
public struct FilterActionCreator: Sendable {
  private let dispatcher: FilterDispatcher

  /// Creates an action creator for `dispatcher`.
  public init(dispatcher: FilterDispatcher) { self.dispatcher = dispatcher }

  /// Changes the filters.
  public func change(_ change: FilterChange) { dispatcher.dispatch(change) }
}

/// The store of the filters that narrow all listings and searches, and the only place where they change.
public final class FilterStore: Sendable {
  private let store: Store<LibraryFilters>

  /// Creates a store that starts without filters, and applies the changes of `dispatcher`.
  public init(dispatcher: FilterDispatcher) {
    store = Store(LibraryFilters(), reducing: dispatcher) { filters, change in
      let before = filters
      change.apply(to: &filters)
      return filters != before
    }
  }

  /// The current filters. Can be read from any thread.
  public var state: LibraryFilters { store.state }

  /// Calls `receive` immediately with the current filters, and then with every change of them, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (LibraryFilters) -> Void) -> Subscription {
    store.observe(receive)
  }
}
