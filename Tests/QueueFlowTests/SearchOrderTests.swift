import MusicModel
import QueueFlow
import TestSupport
import Testing

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
    case 4, 5: return .filter(.toggle(value, of: kind))
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
