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
