public import MusicModel

/// The values of one kind that a filter can choose: of what the query and the other filters leave.
public struct FilterChoices: Sendable, Equatable {
  /// Whose values.
  public var kind: LibraryFilters.Kind { asked.kind }
  /// The values, by name; those read last while others are being read.
  public private(set) var entries: [NameEntry] = []
  /// Whether there are more than were read.
  public private(set) var hasMore = false
  /// Why they could not be read.
  public private(set) var fault: SearchFault?
  /// What was asked for last.
  public private(set) var asked: ChoiceAsk
  /// Whether it is being read, or will be.
  public private(set) var isLoading = true

  init(_ ask: ChoiceAsk) { asked = ask }

  /// Asks for other values, or for the same again.
  mutating func ask(_ ask: ChoiceAsk) {
    asked = ask
    isLoading = true
    fault = nil
  }

  /// Takes an answer; says whether it is the one that was waited for.
  mutating func take(_ result: Result<LibraryPage<NameEntry>, SearchFault>, of number: UInt64) -> Bool {
    guard isLoading, asked.number == number else { return false }
    isLoading = false
    switch result {
    case .success(let page):
      entries = page.elements
      hasMore = page.hasMore
    case .failure(let fault):
      self.fault = fault
      entries = []
      hasMore = false
    }
    return true
  }
}

/// Values to choose from that are being read, or will be as soon as nothing more is typed.
public struct ChoiceAsk: Sendable, Hashable {
  /// Its number: a later one has a greater number, and each has one of its own.
  public let number: UInt64
  /// Whose values.
  public let kind: LibraryFilters.Kind
  /// The query that they answer; empty where a text is searched for.
  public let text: String
  /// The filters that they answer: those of the other kinds.
  public let filters: LibraryFilters
  /// Whether its text is being typed, so that it waits for the next key.
  public let isTyped: Bool

  init(_ number: UInt64, _ kind: LibraryFilters.Kind, for request: SearchRequest, isTyped: Bool) {
    self.number = number
    self.kind = kind
    text = request.listing == .hits ? "" : request.text
    var others = request.filters
    others.removeAll(of: kind)
    filters = others
    self.isTyped = isTyped
  }

  /// Whether both have one answer.
  func isSame(as other: ChoiceAsk) -> Bool {
    kind == other.kind && text == other.text && filters == other.filters
  }
}

/// How filters change.
public enum FilterChange: Sendable, Hashable {
  /// Choose a value.
  case insert(String, of: LibraryFilters.Kind)
  /// Choose a value no longer.
  case remove(String, of: LibraryFilters.Kind)
  /// Choose a value, or no longer where it was chosen.
  case toggle(String, of: LibraryFilters.Kind)
  /// Choose no value of this kind, or with `nil` of any.
  case clear(LibraryFilters.Kind?)

  /// Applies the change to `filters`.
  func apply(to filters: inout LibraryFilters) {
    switch self {
    case .insert(let value, of: let kind): filters.insert(value, of: kind)
    case .remove(let value, of: let kind): filters.remove(value, of: kind)
    case .toggle(let value, of: let kind):
      if filters.values[kind]?.contains(value) == true {
        filters.remove(value, of: kind)
      } else {
        filters.insert(value, of: kind)
      }
    case .clear(let kind): filters.removeAll(of: kind)
    }
  }
}
