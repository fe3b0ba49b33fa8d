// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import MusicModel

/// Finds the IDs of one page of the tracks or albums of several libraries. Each library lists its own items, and only
/// the items on the page are sorted together.
struct MergedListing {
  private let listings: [Listing]
  /// The order by marks; `nil` for one by tags, in which the libraries are read.
  private let markOrder: MarkOrder?

  init(
    _ database: Database, _ libraries: LibraryScope, query: LibraryQuery, order: LibraryOrder,
    item: ListingOrder.Item, thresholds: QueryThresholds
  ) throws {
    markOrder = MarkOrder(
      order, of: item == .tracks ? .tracks : .albums, database, libraries, thresholds: thresholds)
    let order = markOrder == nil ? order : LibraryOrder(item == .tracks ? .title : .artist)
    listings = try libraries.all.map {
      try Listing(database, library: $0.id, query: query, order: order, item: item, thresholds: thresholds)
    }
  }

  /// Returns the IDs of a page, and whether more follow.
  func page(offset: Int, limit: Int?) throws -> (ids: [Int64], hasMore: Bool) {
    let end = limit.map { $0.addingReportingOverflow(offset) }.flatMap {
      $0.overflow ? nil : $0.partialValue
    }
    let needed = end.flatMap { $0 < .max ? $0 + 1 : nil } ?? .max
    let page: ArraySlice<Int64> =
      if let markOrder {
        try markOrder.sorted(Array(ids(offset: 0, needed: .max)), needed: needed).dropFirst(offset)
      } else { try ids(offset: offset, needed: needed) }
    guard let limit else { return (Array(page), false) }
    return (Array(page.prefix(limit)), page.count > limit)
  }

  /// Returns the first `needed` IDs, leaving out the first `offset` of them.
  private func ids(offset: Int, needed: Int) throws -> ArraySlice<Int64> {
    var lists = try listings.map { try $0.ids(needed: needed)[...] }
    guard lists.count > 1, let listing = listings.first else { return lists.first?.dropFirst(offset) ?? [] }
    try Self.drop(offset, of: &lists) { try listing.sorted($0, needed: 1).first }
    lists = lists.map { $0.prefix(needed - offset) }
    let filled = lists.filter { !$0.isEmpty }
    if filled.count < 2 { return filled.first ?? [] }
    return try listing.sorted(filled.flatMap { $0 }, needed: needed - offset)[...]
  }

  /// Removes the first `count` IDs of the union of several sorted lists, in a number of steps logarithmic in `count`.
  ///
  /// - Parameter first: Returns the one of these IDs that comes first in the sort order.
  static func drop(
    _ count: Int, of lists: inout [ArraySlice<Int64>], first: ([Int64]) throws -> Int64?
  ) rethrows {
    var remaining = count
    while remaining > 0 {
      let filled = lists.indices.filter { !lists[$0].isEmpty }
      guard filled.count > 1 else {
        if let last = filled.first { lists[last] = lists[last].dropFirst(remaining) }
        return
      }
      // No list has more than `step` IDs up to `end`, so in the list of `end`, all IDs up to it are among the first
      // `remaining` of the union.
      let step = max(1, remaining / filled.count)
      let ends = filled.compactMap { lists[$0].prefix(step).last }
      guard let end = try first(ends), let found = ends.firstIndex(of: end) else { return }
      let dropped = min(step, lists[filled[found]].count)
      lists[filled[found]] = lists[filled[found]].dropFirst(dropped)
      remaining -= dropped
    }
  }
}
