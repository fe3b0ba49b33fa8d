import Flux
import MusicModel
import PlayerFlow
import UnicodeText

/// Offers the values of a kind, and chooses among them.
struct FilterViewModel: ViewModel {
  /// What the user wants.
  enum Input: Sendable, Equatable {
    /// Offer the values of this kind.
    case open(LibraryFilters.Kind)
    /// Offer none any more.
    case close
    /// Choose this value, or no longer.
    case toggle(String, of: LibraryFilters.Kind)
    /// Choose no value of this kind, or with `nil` of any.
    case clear(LibraryFilters.Kind?)
    /// Try again what failed.
    case retry
  }

  /// What is shown. Its texts are not yet safe for a terminal.
  struct Output: Sendable, Equatable {
    /// All that is chosen, in words; `nil` where nothing is.
    var chosen: String?
    /// What kind is offered.
    var kind: LibraryFilters.Kind?
    /// Its values.
    var choices: [FilterChoice] = []
    /// Whether there are more than can be shown.
    var hasMore = false
    /// Whether they are being read.
    var isLoading = false
    /// Why there are none.
    var problem: ViewProblem?
  }

  private let store: SearchStore
  private let actions: SearchActionCreator

  /// Filters of what `store` publishes.
  init(store: SearchStore, actions: SearchActionCreator) {
    self.store = store
    self.actions = actions
  }

  func accept(_ input: Input) {
    switch input {
    case .open(let kind): actions.offerChoices(kind)
    case .close: actions.offerChoices(nil)
    case .toggle(let value, of: let kind):
      // It may have been chosen in another spelling.
      let chosen = store.state.wanted.filters.values[kind] ?? []
      let spelling = chosen.first { $0.foldedForMatching == value.foldedForMatching } ?? value
      actions.filter(.toggle(spelling, of: kind))
    case .clear(let kind): actions.filter(.clear(kind))
    case .retry: actions.retry()
    }
  }

  func observeStates(_ receive: @escaping @Sendable (Output) -> Void) -> Subscription {
    store.observe { receive(Self.output($0)) }
  }

  /// What is shown in `state`.
  static func output(_ state: SearchState) -> Output {
    let filters = state.wanted.filters
    var output = Output(chosen: RequestTitle.text(filters))
    guard let choices = state.choices else { return output }
    output.kind = choices.kind
    output.choices = FilterChoice.choices(choices.entries, chosen: filters.values[choices.kind] ?? [])
    output.hasMore = choices.hasMore
    output.isLoading = choices.isLoading
    output.problem = choices.fault.map { ViewProblem($0) }
    return output
  }
}

/// A value that a filter can choose.
struct FilterChoice: Sendable, Equatable {
  /// The value. Not yet safe for a terminal.
  var name: String
  /// How many albums there are under it; `nil` where it was chosen, but is not among those that were read.
  var albumCount: Int?
  /// How many tracks there are under it; `nil` likewise.
  var trackCount: Int?
  /// Whether it is chosen.
  var isChosen: Bool

  /// What can be chosen of `entries`, and what is chosen besides, behind them.
  static func choices(_ entries: [NameEntry], chosen: [String]) -> [FilterChoice] {
    if chosen.isEmpty { return entries.map { FilterChoice($0, isChosen: false) } }
    let keys = Set(chosen.map(\.foldedForMatching))
    var found: Set<String> = []
    let offered = entries.map { entry in
      let key = entry.name.foldedForMatching
      found.insert(key)
      return FilterChoice(entry, isChosen: keys.contains(key))
    }
    let others = chosen.filter { !found.contains($0.foldedForMatching) }
    return offered + others.map { FilterChoice(name: $0, isChosen: true) }
  }
}

extension FilterChoice {
  private init(_ entry: NameEntry, isChosen: Bool) {
    self.init(
      name: entry.name, albumCount: entry.albumCount, trackCount: entry.trackCount, isChosen: isChosen)
  }
}
