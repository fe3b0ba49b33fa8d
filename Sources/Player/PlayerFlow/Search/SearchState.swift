public import Flux
public import MusicModel

/// What is asked of a library, and what it answered.
///
/// What is shown always answers the request that is shown with it. It is another than the one that is wanted only while
/// that is being read: ``loading`` says so. At rest, the wanted one is shown, or ``failure`` says why not.
public struct SearchState: Sendable, Equatable {
  /// What all views together want.
  public private(set) var wanted = SearchRequest()
  /// The newest answer, with the request that it answers; `nil` where there is none yet, or the wanted one has none.
  public private(set) var shown: SearchResults?
  /// What is being read, or will be as soon as nothing more is typed.
  public private(set) var loading: SearchAsk?
  /// Why what was asked last has no answer; what is shown, if anything, answers the same request.
  public private(set) var failure: LibraryError?
  private let pageSize: Int
  private var lastNumber: UInt64 = 0

  /// Nothing is asked yet; a page will have at most `pageSize` rows, at least 1.
  public init(pageSize: Int = 100) { self.pageSize = max(1, pageSize) }

  /// Whether something was searched for.
  private var isSearching: Bool { shown != nil || loading != nil || failure != nil }

  /// Applies `action`, and says whether that changed anything.
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

  /// Reads again what was read.
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
