import GRDB
import MusicModel

/// Finds the ids of the tracks or albums of a page of several libraries: each gives its own, and of these only the page
/// is put in order.
struct MergedListing {
  private let parts: [Listing]

  init(
    _ database: Database, _ libraries: LibraryScope, query: LibraryQuery, order: LibraryOrder,
    item: ListingOrder.Item, effort: ReadingEffort
  ) throws {
    parts = try libraries.all.map {
      try Listing(database, library: $0.id, query: query, order: order, item: item, effort: effort)
    }
  }

  /// The ids of the window, and whether there are more behind it.
  func page(offset: Int, limit: Int?) throws -> (ids: [Int64], hasMore: Bool) {
    let wanted = limit.map { $0.addingReportingOverflow(offset) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    let needed = wanted.flatMap { $0 < .max ? $0 + 1 : nil } ?? .max
    let page = try ids(offset: offset, needed: needed)
    guard let limit else { return (Array(page), false) }
    return (Array(page.prefix(limit)), page.count > limit)
  }

  /// The ids behind the first `offset` of the first `needed`.
  private func ids(offset: Int, needed: Int) throws -> ArraySlice<Int64> {
    var lists = try parts.map { try $0.ids(needed: needed)[...] }
    guard lists.count > 1, let listing = parts.first else { return lists.first?.dropFirst(offset) ?? [] }
    try Self.drop(offset, of: &lists) { try listing.sorted($0, needed: 1).first }
    lists = lists.map { $0.prefix(needed - offset) }
    let filled = lists.filter { !$0.isEmpty }
    if filled.count < 2 { return filled.first ?? [] }
    return try listing.sorted(filled.flatMap { $0 }, needed: needed - offset)[...]
  }

  /// Drops the first `count` of what `lists` hold together, each of which is in order: so many steps as the logarithm
  /// of `count`.
  ///
  /// - Parameter first: the first of these ids, in order.
  static func drop(
    _ count: Int, of lists: inout [ArraySlice<Int64>], first: ([Int64]) throws -> Int64?
  ) rethrows {
    var left = count
    while left > 0 {
      let filled = lists.indices.filter { !lists[$0].isEmpty }
      guard filled.count > 1 else {
        if let last = filled.first { lists[last] = lists[last].dropFirst(left) }
        return
      }
      // Ahead of the first of these, each list has less than a step: all up to it are among the first that are left.
      let step = max(1, left / filled.count)
      let ends = filled.compactMap { lists[$0].prefix(step).last }
      guard let end = try first(ends), let found = ends.firstIndex(of: end) else { return }
      let dropped = min(step, lists[filled[found]].count)
      lists[filled[found]] = lists[filled[found]].dropFirst(dropped)
      left -= dropped
    }
  }
}
