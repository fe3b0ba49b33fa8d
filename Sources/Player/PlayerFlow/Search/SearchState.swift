// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel

/// The state of the search: the request, and its results.
///
/// ``shown`` always answers the request that it contains. That request differs from ``wanted`` only while the wanted
/// one is ``loading``. Otherwise the results of the wanted request are shown, or ``failure`` says why there are none.
public struct SearchState: Sendable, Equatable {
  /// The request that all views share.
  public private(set) var wanted = SearchRequest()
  /// The newest results, with their request; `nil` if there are none yet, or the wanted request has none.
  public private(set) var shown: SearchResults?
  /// The request that is loading, or will be as soon as the user stops typing; `nil` if there is none.
  public private(set) var loading: PageRequest?
  /// The error with which the last request failed; `nil` if it did not. If ``shown`` is not `nil`, it then answers the
  /// same request.
  public private(set) var failure: LibraryError?
  private let pageSize: Int
  private var lastNumber: UInt64 = 0

  /// Creates the state before the first request. A page has at most `pageSize` rows; a value below 1 counts as 1.
  public init(pageSize: Int = 100) { self.pageSize = max(1, pageSize) }

  /// Whether any search has been requested.
  private var isSearching: Bool { shown != nil || loading != nil || failure != nil }

  /// Applies `action`; returns whether the state changed.
  public mutating func reduce(_ action: SearchAction) -> Bool {
    var request = wanted
    switch action {
    case .type(let text):
      request.text = text
      guard request != wanted || !isSearching else { return false }
      wanted = request
      requestPage(.first, isTyped: true)
      return true
    case .filter(let change):
      change.apply(to: &request.filters)
      guard request != wanted else { return false }
      wanted = request
      if isSearching { requestPage(.first, isTyped: loading?.isTyped == true) }
      return true
    case .loadMore: return loadMore()
    case .report(let report): return reduce(report)
    }
  }

  private mutating func reduce(_ report: SearchReport) -> Bool {
    switch report {
    case .answered(let number, let page):
      guard let pageRequest = loading, pageRequest.number == number else { return false }
      loading = nil
      if case .more = pageRequest.part { shown?.append(page) } else { shown = SearchResults(pageRequest.request, page) }
      return true
    case .failed(let number, let error):
      guard let pageRequest = loading, pageRequest.number == number else { return false }
      loading = nil
      failure = error
      if shown?.request != pageRequest.request { shown = nil }
      return true
    case .libraryChanged:
      guard isSearching else { return false }
      refresh()
      return true
    }
  }

  // MARK: Requesting

  /// Reads all loaded rows again.
  private mutating func refresh() {
    let isTyped = loading?.isTyped == true
    switch loading?.part {
    case .first?: requestPage(.first, isTyped: isTyped)
    case .more?: requestPage(.reload(readCount + pageSize))
    case .reload(let count)?: requestPage(.reload(count), isTyped: isTyped)
    case nil: requestPage(shown?.request == wanted ? .reload(readCount) : .first)
    }
  }

  private mutating func loadMore() -> Bool {
    guard loading == nil, failure == nil, let shown, shown.hasMore else { return false }
    requestPage(.more(after: shown.readCount))
    return true
  }

  private var readCount: Int { max(shown?.readCount ?? 0, pageSize) }

  private mutating func requestPage(_ part: PageRequest.Part, isTyped: Bool = false) {
    lastNumber += 1
    let limit = if case .reload(let count) = part { count } else { pageSize }
    failure = nil
    loading = PageRequest(number: lastNumber, request: wanted, part: part, limit: limit, isTyped: isTyped)
  }
}

/// The store of the search state, and the only place where search actions are reduced.
public final class SearchStore: Sendable {
  private let store: Store<SearchState>

  /// Creates a store that starts without a request and reduces the actions of `dispatcher`. Subscribers that are added
  /// later get each action after the store. A page has at most `pageSize` rows; a value below 1 counts as 1.
  public init(pageSize: Int = 100, dispatcher: SearchDispatcher) {
    store = Store(SearchState(pageSize: pageSize), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The current state. Can be read from any thread.
  public var state: SearchState { store.state }

  /// Calls `receive` immediately with the current state, and then with every new one, in order; see
  /// `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (SearchState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
