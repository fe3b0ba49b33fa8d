import MusicModel
import PlayerFlow
import TestSupport
import Testing

/// What a listing makes of actions, whoever reads.
@Suite struct SearchStateTests {
  private let fault = SearchFault.library(LibraryFault(.index, "no index"))

  private func state(_ actions: SearchAction...) -> Reduced {
    let state = Reduced(SearchState(pageSize: 3))
    for action in actions { _ = state.reduce(action) }
    return state
  }

  private func page(_ ids: Int64..., hasMore: Bool = false) -> SearchPage {
    SearchPage(.albums(ids.map { .numbered($0) }), hasMore: hasMore)
  }

  @Test func `at first nothing is asked, and filters are only kept`() {
    let state = state()
    #expect(state.reduce(.filter(.insert("Jazz", of: .genre))))
    #expect(state.loading == nil && state.wanted.filters.values == [.genre: ["Jazz"]])
    #expect(state.reduce(.list(.albums, text: nil, order: nil)))
    #expect(state.loading?.request.filters.values == [.genre: ["Jazz"]])
  }

  @Test func `the query of one view and the filters of another meet in one request`() {
    let state = state(
      .list(.tracks, text: "blue", order: nil), .filter(.insert("Jazz", of: .genre)),
      .filter(.insert("Bebop", of: .genre)), .filter(.insert("1950s", of: .decade)),
      .order(LibraryOrder(.year)))
    let request = state.loading?.request
    #expect(request == state.wanted)
    #expect(request?.text == "blue" && request?.listing == .tracks && request?.order.key == .year)
    #expect(request?.filters.values == [.genre: ["Jazz", "Bebop"], .decade: ["1950s"]])
  }

  @Test func `an answer that comes late is dropped, in whatever order answers come`() {
    let state = state(.list(.albums, text: "a", order: nil), .submit("ab"), .submit("abc"))
    #expect(state.loading?.number == 3)
    #expect(!state.reduce(.report(.answered(2, page(2)))))
    #expect(state.reduce(.report(.answered(3, page(3)))))
    #expect(!state.reduce(.report(.answered(1, page(1)))))
    #expect(!state.reduce(.report(.failed(2, fault))))
    #expect(state.shown?.rows.albumIDs == [3] && state.shown?.request.text == "abc")
    #expect(state.loading == nil && state.failure == nil)
  }

  @Test func `what is shown goes with the request that it answers until the next answer`() {
    let state = state(
      .list(.albums, text: "a", order: nil), .report(.answered(1, page(1))), .type("ab", in: nil))
    #expect(state.shown?.request.text == "a" && state.wanted.text == "ab" && state.loading?.isTyped == true)
    _ = state.reduce(.report(.answered(2, page(2))))
    #expect(state.shown?.request == state.wanted)
  }

  @Test func `a request that fails leaves nothing of another to be seen, and retry asks it again`() {
    let state = state(
      .list(.albums, text: "a", order: nil), .report(.answered(1, page(1))), .submit("ab"),
      .report(.failed(2, fault)))
    #expect(state.shown == nil && state.failure?.fault == fault && state.loading == nil)
    #expect(state.reduce(.retry))
    #expect(state.failure == nil && state.loading?.request.text == "ab" && state.loading?.number == 3)
    #expect(!state.reduce(.retry))
  }

  @Test func `pages follow each other, and a row that comes twice is shown once`() {
    let state = state(
      .list(.albums, text: nil, order: nil), .report(.answered(1, page(1, 2, 3, hasMore: true))))
    #expect(state.reduce(.loadMore))
    #expect(state.loading?.part == .more(behind: 3) && state.loading?.limit == 3)
    #expect(!state.reduce(.loadMore))
    _ = state.reduce(.report(.answered(2, page(3, 4, 5, hasMore: true))))
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5])
    _ = state.reduce(.loadMore)
    #expect(state.loading?.part == .more(behind: 6))
    _ = state.reduce(.report(.answered(3, page(6))))
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5, 6])
    #expect(!state.reduce(.loadMore))
  }

  @Test func `where more cannot be read, what there is stays, and retry reads on behind it`() {
    let state = state(
      .list(.albums, text: nil, order: nil), .report(.answered(1, page(1, 2, 3, hasMore: true))), .loadMore,
      .report(.failed(2, fault)))
    #expect(state.shown?.rows.albumIDs == [1, 2, 3] && state.failure?.fault == fault)
    #expect(!state.reduce(.loadMore))
    #expect(state.reduce(.retry))
    #expect(state.loading?.part == .more(behind: 3))
  }

  @Test func `reading again reads as much as there was, in one piece`() {
    let state = state(
      .list(.albums, text: nil, order: nil), .report(.answered(1, page(1, 2, 3, hasMore: true))), .loadMore,
      .report(.answered(2, page(4, 5, 6, hasMore: true))), .report(.libraryChanged))
    #expect(state.loading?.part == .again(6) && state.loading?.limit == 6)
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5, 6])
    _ = state.reduce(.report(.answered(3, page(1, 2, 9, 4, 5, 6, hasMore: true))))
    #expect(state.shown?.rows.albumIDs == [1, 2, 9, 4, 5, 6] && state.shown?.hasMore == true)
    _ = state.reduce(.loadMore)
    _ = state.reduce(.refresh)
    #expect(state.loading?.part == .again(9))
  }

  @Test func `a library that changes while a page is read has it read again`() {
    let state = state(.list(.albums, text: nil, order: nil), .report(.libraryChanged))
    #expect(state.loading?.number == 2 && state.loading?.part == .first)
    #expect(!state.reduce(.report(.answered(1, page(1)))))
    #expect(state.reduce(.report(.answered(2, page(2)))))
    #expect(state.shown?.rows.albumIDs == [2])
  }

  @Test func `a library that changes is asked again where it failed, but not for a query that is wrong`() {
    let failed = state(.list(.albums, text: "a", order: nil), .report(.failed(1, fault)))
    #expect(failed.reduce(.report(.libraryChanged)))
    #expect(failed.loading != nil)
    let wrong = state(
      .list(.albums, text: "(", order: nil), .report(.failed(1, .query("there is no )", column: 1))))
    #expect(!wrong.reduce(.report(.libraryChanged)))
    #expect(wrong.failure?.fault.description == "column 1: there is no )")
    let unused = state()
    #expect(!unused.reduce(.report(.libraryChanged)))
  }

  @Test func `the same text again is nothing new, unless it was not finished`() {
    let state = state(
      .list(.albums, text: nil, order: nil), .report(.answered(1, page(1))), .type("a", in: nil))
    #expect(!state.reduce(.type("a", in: nil)))
    #expect(state.reduce(.submit("a")))
    #expect(state.loading?.number == 3 && state.loading?.isTyped == false)
    #expect(!state.reduce(.submit("a")))
    _ = state.reduce(.report(.answered(3, page(2))))
    #expect(!state.reduce(.submit("a")))
  }
}

/// A state that a test reduces within its expectations.
@dynamicMemberLookup
private final class Reduced {
  private var state: SearchState

  init(_ state: SearchState) { self.state = state }

  subscript<Value>(dynamicMember path: KeyPath<SearchState, Value>) -> Value { state[keyPath: path] }

  func reduce(_ action: SearchAction) -> Bool { state.reduce(action) }
}

/// What is shown in the end, whatever came in between.
@Suite struct SearchOrderTests {
  private static let editionLimit: Int64 = 1000

  /// The one album that answers `request`: each request has another, in each edition of the library.
  private func answer(_ request: SearchRequest, _ edition: Int64) -> Int64 {
    key(request) * Self.editionLimit + edition
  }

  private func key(_ request: SearchRequest) -> Int64 {
    let filters = LibraryFilters.Kind.allCases.map {
      (request.filters.values[$0] ?? []).joined(separator: ",")
    }
    let text = "\(request.text)|\(filters.joined(separator: ";"))|\(request.order.key.rawValue)"
    return text.utf8.reduce(7) { ($0 &* 31 &+ Int64($1)) & 0x7FFF_FFFF_FFFF }
  }

  private func action(_ random: inout SeededGenerator) -> SearchAction {
    let letters = ["", "a", "ab", "abc", "b"]
    let values = ["Jazz", "Bebop", "1950s", "flac"]
    let text = letters.randomElement(using: &random) ?? ""
    let value = values.randomElement(using: &random) ?? ""
    let kind = LibraryFilters.Kind.allCases.randomElement(using: &random) ?? .genre
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1, 2: return .type(text, in: nil)
    case 3: return .submit(text)
    case 4, 5: return .filter(Bool.random(using: &random) ? .insert(value, of: kind) : .remove(value, of: kind))
    case 6: return .filter(.clear(nil))
    case 7: return .order(LibraryOrder(Bool.random(using: &random) ? .year : .title))
    case 8: return .refresh
    default: return .loadMore
    }
  }

  @Test(arguments: 0..<100)
  func `at rest the answer to the last request is shown, and never one that is not its own`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var state = SearchState()
    _ = state.reduce(.list(.albums, text: nil, order: nil))
    var edition: Int64 = 0
    // Each ask as it was read, at the edition that the library had then.
    var running: [(ask: SearchAsk, edition: Int64)] = []
    var known: UInt64 = 0
    func read() {
      if let ask = state.loading, ask.number > known {
        known = ask.number
        running.append((ask, edition))
      }
    }
    func answerOne() {
      guard let index = running.indices.randomElement(using: &random) else { return }
      let (ask, edition) = running.remove(at: index)
      if Int.random(in: 0..<8, using: &random) == 0 {
        _ = state.reduce(.report(.failed(ask.number, .library(LibraryFault(.index, "\(ask.number)")))))
      } else {
        let page = SearchPage(.albums([.numbered(answer(ask.request, edition))]), hasMore: true)
        _ = state.reduce(.report(.answered(ask.number, page)))
      }
    }
    for _ in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: answerOne()
      case 3:
        edition += 1
        _ = state.reduce(.report(.libraryChanged))
      default: _ = state.reduce(action(&random))
      }
      read()
      if let shown = state.shown {
        let key = self.key(shown.request)
        #expect(shown.rows.albumIDs.allSatisfy { $0 / Self.editionLimit == key })
      }
    }
    while !running.isEmpty {
      answerOne()
      read()
    }
    #expect(state.loading == nil)
    if let failure = state.failure {
      #expect(failure.ask.request == state.wanted && failure.ask.number == known)
      #expect(state.shown == nil || state.shown?.request == state.wanted)
      _ = state.reduce(.retry)
      while let ask = state.loading {
        let page = SearchPage(.albums([.numbered(answer(ask.request, edition))]))
        _ = state.reduce(.report(.answered(ask.number, page)))
      }
    }
    #expect(state.shown?.request == state.wanted)
    #expect(state.shown?.rows.albumIDs == [answer(state.wanted, edition)])
  }
}
