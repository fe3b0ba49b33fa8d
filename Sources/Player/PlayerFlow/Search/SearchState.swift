// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel

/// The state of a search: the request, and its answer.
///
/// ``shown`` always answers the request that it contains. That request differs from ``wanted`` only while the wanted
/// one is ``loading``. Otherwise the answer to the wanted request is shown, or ``failure`` says why there is none.
public struct SearchState: Sendable, Equatable {
  /// The request that all views share.
  public private(set) var wanted = SearchRequest()
  /// The newest answer, with its request; `nil` if there is none yet, or the wanted request has none.
  public private(set) var shown: SearchResults?
  /// The request that is loading, or will be as soon as no more is typed.
  public private(set) var loading: SearchAsk?
  /// The reason why the last request has no answer. ``shown``, if it is not `nil`, then answers the same request.
  public private(set) var failure: LibraryError?
  private let pageSize: Int
  private var lastNumber: UInt64 = 0

  /// Creates the state before the first request. A page has at most `pageSize` rows; values below 1 count as 1.
  public init(pageSize: Int = 100) { self.pageSize = max(1, pageSize) }

  /// Whether a search was ever requested.
  private var isSearching: Bool { shown != nil || loading != nil || failure != nil }

  /// Applies `action`. Returns whether the state changed.
  public mutating func reduce(_ action: SearchAction) -> Bool {
    var request = wanted
    switch action {
    case .type(let text):
      request.text = text
      guard request != wanted || !isSearching else { return false }
      wanted = request
      ask(.first, isTyped: true)
      return true
    case .filter(let change):
      change.apply(to: &request.filters)
      guard request != wanted else { return false }
      wanted = request
      if isSearching { ask(.first, isTyped: loading?.isTyped == true) }
      return true
    case .loadMore: return loadMore()
    case .report(let report): return reduce(report)
    }
  }

  private mutating func reduce(_ report: SearchReport) -> Bool {
    switch report {
    case .answered(let number, let page):
      guard let ask = loading, ask.number == number else { return false }
      loading = nil
      if case .more = ask.part { shown?.append(page) } else { shown = SearchResults(ask.request, page) }
      return true
    case .failed(let number, let fault):
      guard let ask = loading, ask.number == number else { return false }
      loading = nil
      failure = fault
      if shown?.request != ask.request { shown = nil }
      return true
    case .libraryChanged:
      guard isSearching else { return false }
      refresh()
      return true
    }
  }

  // MARK: Asking

  /// Reads all loaded rows again.
  private mutating func refresh() {
    let isTyped = loading?.isTyped == true
    switch loading?.part {
    case .first?: ask(.first, isTyped: isTyped)
    case .more?: ask(.again(readCount + pageSize))
    case .again(let count)?: ask(.again(count), isTyped: isTyped)
    case nil: ask(shown?.request == wanted ? .again(readCount) : .first)
    }
  }

  private mutating func loadMore() -> Bool {
    guard loading == nil, failure == nil, let shown, shown.hasMore else { return false }
    ask(.more(behind: shown.readCount))
    return true
  }

  private var readCount: Int { max(shown?.readCount ?? 0, pageSize) }

  private mutating func ask(_ part: SearchAsk.Part, isTyped: Bool = false) {
    lastNumber += 1
    let limit = if case .again(let count) = part { count } else { pageSize }
    failure = nil
    loading = SearchAsk(number: lastNumber, request: wanted, part: part, limit: limit, isTyped: isTyped)
  }
}

/// Publishes the state of the search, and is the only place where search actions are reduced.
public final class SearchStore: Sendable {
  private let store: Store<SearchState>

  /// Creates a store that starts without a request and follows `dispatcher`. Later subscribers get each action after
  /// it. A page has at most `pageSize` rows; values below 1 count as 1.
  public init(pageSize: Int = 100, dispatcher: SearchDispatcher) {
    store = Store(SearchState(pageSize: pageSize), reducing: dispatcher) { $0.reduce($1) }
  }

  /// The present state. From any thread.
  public var state: SearchState { store.state }

  /// Calls `receive` with the present state at once and then with every new one, in order; see `Store.observe(_:)`.
  public func observe(_ receive: @escaping @Sendable (SearchState) -> Void) -> Subscription {
    store.observe(receive)
  }
}
