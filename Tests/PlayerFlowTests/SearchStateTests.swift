// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import TestSupport
import Testing

/// The state of a search after actions, without a library.
@Suite struct SearchStateTests {
  private let error = LibraryError(.index, "no index")

  private func state(_ actions: SearchAction...) -> ReducibleState {
    let state = ReducibleState(SearchState(pageSize: 3))
    for action in actions { _ = state.reduce(action) }
    return state
  }

  private func page(_ ids: Int64..., hasMore: Bool = false) -> LibraryPage<SearchHit> {
    LibraryPage(ids.map { .album(.numbered($0)) }, hasMore: hasMore)
  }

  @Test func `at first nothing is requested, and filters are only stored`() {
    let state = state()
    #expect(state.reduce(.filter(.insert("Jazz", of: .genre))))
    #expect(state.loading == nil && state.wanted.filters.values == [.genre: ["Jazz"]])
    #expect(state.reduce(.type("")))
    #expect(state.loading?.request.filters.values == [.genre: ["Jazz"]])
  }

  @Test func `the text of one view and the filters of another are combined in one request`() {
    let state = state(
      .type("blue"), .filter(.insert("Jazz", of: .genre)), .filter(.insert("Bebop", of: .genre)),
      .filter(.insert("1950s", of: .decade)))
    let request = state.loading?.request
    #expect(request == state.wanted)
    #expect(request?.text == "blue")
    #expect(request?.filters.values == [.genre: ["Jazz", "Bebop"], .decade: ["1950s"]])
  }

  @Test func `late answers are dropped, in whatever order they arrive`() {
    let state = state(.type("a"), .type("ab"), .type("abc"))
    #expect(state.loading?.number == 3)
    #expect(!state.reduce(.report(.answered(2, page(2)))))
    #expect(state.reduce(.report(.answered(3, page(3)))))
    #expect(!state.reduce(.report(.answered(1, page(1)))))
    #expect(!state.reduce(.report(.failed(2, error))))
    #expect(state.shown?.rows.albumIDs == [3] && state.shown?.request.text == "abc")
    #expect(state.loading == nil && state.failure == nil)
  }

  @Test func `shown rows keep the request that they answer until the next answer`() {
    let state = state(.type("a"), .report(.answered(1, page(1))), .type("ab"))
    #expect(state.shown?.request.text == "a" && state.wanted.text == "ab" && state.loading?.isTyped == true)
    _ = state.reduce(.report(.answered(2, page(2))))
    #expect(state.shown?.request == state.wanted)
  }

  @Test func `a failed request leaves no rows of another request visible`() {
    let state = state(.type("a"), .report(.answered(1, page(1))), .type("ab"), .report(.failed(2, error)))
    #expect(state.shown == nil && state.failure == error && state.loading == nil)
    #expect(!state.reduce(.type("ab")))
    #expect(state.reduce(.type("abc")))
    #expect(state.failure == nil && state.loading?.request.text == "abc" && state.loading?.number == 3)
  }

  @Test func `pages are appended, and duplicate rows are shown once`() {
    let state = state(.type("a"), .report(.answered(1, page(1, 2, 3, hasMore: true))))
    #expect(state.reduce(.loadMore))
    #expect(state.loading?.part == .more(after: 3) && state.loading?.limit == 3)
    #expect(!state.reduce(.loadMore))
    _ = state.reduce(.report(.answered(2, page(3, 4, 5, hasMore: true))))
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5])
    _ = state.reduce(.loadMore)
    #expect(state.loading?.part == .more(after: 6))
    _ = state.reduce(.report(.answered(3, page(6))))
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5, 6])
    #expect(!state.reduce(.loadMore))
  }

  @Test func `loaded rows stay visible if loading more fails`() {
    let state = state(
      .type("a"), .report(.answered(1, page(1, 2, 3, hasMore: true))), .loadMore, .report(.failed(2, error)))
    #expect(state.shown?.rows.albumIDs == [1, 2, 3] && state.failure == error)
    #expect(!state.reduce(.loadMore))
  }

  @Test func `a reload reads as many rows as before in one request`() {
    let state = state(
      .type("a"), .report(.answered(1, page(1, 2, 3, hasMore: true))), .loadMore,
      .report(.answered(2, page(4, 5, 6, hasMore: true))), .report(.libraryChanged))
    #expect(state.loading?.part == .reload(6) && state.loading?.limit == 6)
    #expect(state.shown?.rows.albumIDs == [1, 2, 3, 4, 5, 6])
    _ = state.reduce(.report(.answered(3, page(1, 2, 9, 4, 5, 6, hasMore: true))))
    #expect(state.shown?.rows.albumIDs == [1, 2, 9, 4, 5, 6] && state.shown?.hasMore == true)
    _ = state.reduce(.loadMore)
    _ = state.reduce(.report(.libraryChanged))
    #expect(state.loading?.part == .reload(9))
  }

  @Test func `a change of the library during loading repeats the request`() {
    let state = state(.type("a"), .report(.libraryChanged))
    #expect(state.loading?.number == 2 && state.loading?.part == .first)
    #expect(!state.reduce(.report(.answered(1, page(1)))))
    #expect(state.reduce(.report(.answered(2, page(2)))))
    #expect(state.shown?.rows.albumIDs == [2])
  }

  @Test func `a change of the library repeats a failed request`() {
    let failed = state(.type("a"), .report(.failed(1, error)))
    #expect(failed.reduce(.report(.libraryChanged)))
    #expect(failed.loading != nil)
    let unused = state()
    #expect(!unused.reduce(.report(.libraryChanged)))
  }

  @Test func `typing the same text again changes nothing`() {
    let state = state(.type("a"))
    #expect(!state.reduce(.type("a")))
    _ = state.reduce(.report(.answered(1, page(2))))
    #expect(!state.reduce(.type("a")))
  }
}

/// A state that a test can reduce within an expectation.
@dynamicMemberLookup
private final class ReducibleState {
  private var state: SearchState

  init(_ state: SearchState) { self.state = state }

  subscript<Value>(dynamicMember path: KeyPath<SearchState, Value>) -> Value { state[keyPath: path] }

  func reduce(_ action: SearchAction) -> Bool { state.reduce(action) }
}

/// The results that are shown in the end, in any order of requests and answers.
@Suite struct SearchOrderTests {
  private static let versionLimit: Int64 = 1000

  /// Returns the id of the only album that answers `request`. It differs for each request and each version of the
  /// library.
  private func albumID(_ request: SearchRequest, _ version: Int64) -> Int64 {
    key(request) * Self.versionLimit + version
  }

  private func key(_ request: SearchRequest) -> Int64 {
    let filters = LibraryFilters.Kind.allCases.map {
      (request.filters.values[$0] ?? []).joined(separator: ",")
    }
    let text = "\(request.text)|\(filters.joined(separator: ";"))"
    return text.utf8.reduce(7) { ($0 &* 31 &+ Int64($1)) & 0x7FFF_FFFF_FFFF }
  }

  private func action(_ random: inout SeededGenerator) -> SearchAction {
    let letters = ["", "a", "ab", "abc", "b"]
    let values = ["Jazz", "Bebop", "1950s", "flac"]
    let text = letters.randomElement(using: &random) ?? ""
    let value = values.randomElement(using: &random) ?? ""
    let kind = LibraryFilters.Kind.allCases.randomElement(using: &random) ?? .genre
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2, 3: return .type(text)
    case 4, 5: return .filter(Bool.random(using: &random) ? .insert(value, of: kind) : .remove(value, of: kind))
    case 6: return .filter(.clear(nil))
    default: return .loadMore
    }
  }

  @Test(arguments: 0..<100)
  func `at rest the answer to the last request is shown, and never one to another request`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var state = SearchState()
    _ = state.reduce(.type(""))
    var version: Int64 = 0
    // The requests in progress, each with the version of the library at the time it was made.
    var running: [(pageRequest: PageRequest, version: Int64)] = []
    var lastNumber: UInt64 = 0
    func startRequest() {
      if let pageRequest = state.loading, pageRequest.number > lastNumber {
        lastNumber = pageRequest.number
        running.append((pageRequest, version))
      }
    }
    func answerOne() {
      guard let index = running.indices.randomElement(using: &random) else { return }
      let (pageRequest, version) = running.remove(at: index)
      if Int.random(in: 0..<8, using: &random) == 0 {
        _ = state.reduce(.report(.failed(pageRequest.number, LibraryError(.index, "\(pageRequest.number)"))))
      } else {
        let page = LibraryPage([SearchHit.album(.numbered(albumID(pageRequest.request, version)))], hasMore: true)
        _ = state.reduce(.report(.answered(pageRequest.number, page)))
      }
    }
    for _ in 0..<60 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2: answerOne()
      case 3:
        version += 1
        _ = state.reduce(.report(.libraryChanged))
      default: _ = state.reduce(action(&random))
      }
      startRequest()
      if let shown = state.shown {
        let key = self.key(shown.request)
        #expect(shown.rows.albumIDs.allSatisfy { $0 / Self.versionLimit == key })
      }
    }
    while !running.isEmpty {
      answerOne()
      startRequest()
    }
    #expect(state.loading == nil)
    if state.failure != nil {
      #expect(state.shown == nil || state.shown?.request == state.wanted)
      _ = state.reduce(.report(.libraryChanged))
      while let pageRequest = state.loading {
        let page = LibraryPage([SearchHit.album(.numbered(albumID(pageRequest.request, version)))])
        _ = state.reduce(.report(.answered(pageRequest.number, page)))
      }
    }
    #expect(state.shown?.request == state.wanted)
    #expect(state.shown?.rows.albumIDs == [albumID(state.wanted, version)])
  }
}
