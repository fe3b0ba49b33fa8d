import TestSupport
import Testing

@testable import MusicLibrary

@Suite struct MergedListingTests {
  @Test func `As many are dropped, and the first ones, however the lists are filled`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let listCount = Int.random(in: 1...5, using: &random)
      var lists: [ArraySlice<Int64>] = Array(repeating: [], count: listCount)
      let total = Int64.random(in: 0...40, using: &random)
      // Some lists are short, and some begin late.
      let bias = Int.random(in: 1...listCount, using: &random)
      for id in 0..<total {
        let range = Bool.random(using: &random) ? 0..<bias : 0..<listCount
        lists[Int.random(in: range, using: &random)].append(id)
      }
      let count = Int.random(in: 0...45, using: &random)
      var calls = 0
      MergedListing.drop(count, of: &lists) { ids in
        calls += 1
        return ids.min()
      }
      #expect(lists.flatMap { $0 }.sorted() == Array(0..<total).dropFirst(count).map { $0 })
      #expect(calls <= 30)
    }
  }

  @Test func `Of long lists few are compared`() {
    var lists: [ArraySlice<Int64>] = (0..<2).map { list in (0..<50_000).map { Int64($0 * 2 + list) }[...] }
    var calls = 0
    MergedListing.drop(99_000, of: &lists) { ids in
      calls += 1
      return ids.min()
    }
    #expect(lists.flatMap { $0 }.min() == 99_000 && lists.map(\.count).reduce(0, +) == 1_000)
    #expect(calls < 40)
  }
}
