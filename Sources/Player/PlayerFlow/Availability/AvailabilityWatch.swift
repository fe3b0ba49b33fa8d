// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import SystemPackage

/// Checks whether the files of the queue's items have disappeared or returned, and dispatches actions that mark the
/// items. It uses a thread of its own, since checks block on slow mounts.
///
/// It checks only when an item starts, when one could not be read, and after a library scan. Otherwise its thread
/// sleeps.
final class AvailabilityWatch: Sendable {
  /// The set of checks to make.
  struct Look: OptionSet, Sendable {
    let rawValue: UInt8

    /// Checks the next items and some of the missing ones, because an item has started.
    static let nearby = Look(rawValue: 1)
    /// Checks the next items until one exists, because the file of an item was missing.
    static let untilPresent = Look(rawValue: 2)
    /// Checks many of the next items and all missing ones, because the library has changed.
    static let far = Look(rawValue: 4)
  }

  private let search: AvailabilitySearch
  private let dispatcher: QueueDispatcher
  private let worker = Worker<Look>(named: "segue-files", [])

  /// Creates a watch that checks the items of `queue` and dispatches to `dispatcher`. `isThere` returns whether a file
  /// exists, or `nil` if that is unknown; it may block.
  init(
    queue: QueueListener, dispatcher: QueueDispatcher, isThere: @escaping @Sendable (FilePath) -> Bool?
  ) {
    search = AvailabilitySearch(queue: queue, isThere: isThere)
    self.dispatcher = dispatcher
  }

  /// Makes these checks on the thread. If the system cannot create the thread, nothing is checked. Can be called from
  /// any thread.
  func look(_ look: Look) {
    worker.post { $0.formUnion(look) }
    try? worker.start(taking: Self.takeAll) { [search, dispatcher, worker] look in
      search.run(look, isCancelled: { worker.isClosed }) { gone, back in
        dispatcher.dispatch(.availability(gone: gone, back: back))
      }
    }
  }

  /// Ends the thread as soon as its current check returns.
  func end() { worker.close() }

  private static func takeAll(_ look: inout Look) -> Look? {
    defer { look = [] }
    return look.isEmpty ? nil : look
  }
}

/// Checks the files of some of the queue's items.
struct AvailabilitySearch: Sendable {
  /// The number of items that are checked before results are reported.
  private static let batchCount = 256
  /// The numbers of next items, and of missing ones, that are checked when an item starts.
  private static let nearbyCount = 4
  private static let returningCount = 64
  /// The number of next items that are checked after the library has changed.
  private static let farCount = 1000

  let queue: QueueListener
  /// A function that returns whether a file exists, or `nil` if that is unknown.
  let isThere: @Sendable (FilePath) -> Bool?

  /// Makes the checks of `look`; after each batch, calls `tell` with the items that have disappeared and with those
  /// that have returned.
  func run(
    _ look: AvailabilityWatch.Look, isCancelled: () -> Bool,
    _ tell: (_ gone: [PlayQueue.Item.ID], _ back: [PlayQueue.Item.ID]) -> Void
  ) {
    if !look.isDisjoint(with: [.nearby, .far]) {
      var gone = queue.queue.goneItems[...]
      if !look.contains(.far) { gone = gone.prefix(Self.returningCount) }
      while !gone.isEmpty, !isCancelled() {
        tellNews(gone.prefix(Self.batchCount).compactMap { id in queue.queue.item(id) }, tell)
        gone = gone.dropFirst(Self.batchCount)
      }
    }
    var left = look.contains(.untilPresent) ? Int.max : look.contains(.far) ? Self.farCount : Self.nearbyCount
    var last = queue.queue.current?.id
    while left > 0, !isCancelled() {
      let batch = next(behind: last, min(left, Self.batchCount))
      let isPresent = tellNews(batch, tell)
      // The remaining items are checked when their turn comes.
      if batch.isEmpty || isPresent && !look.contains(.far) { return }
      if isPresent { left = min(left, Self.farCount) }
      left -= batch.count
      last = batch.last?.id
    }
  }

  private func next(behind id: PlayQueue.Item.ID?, _ count: Int) -> [PlayQueue.Item] {
    let queue = queue.queue
    let place = id.flatMap { queue.placeInPlayingOrder(of: $0) }.map { $0 + 1 } ?? 0
    return queue.itemsInPlayingOrder(from: place, count: count)
  }

  /// Reports which of these items have disappeared or returned. Returns whether at least one of them exists, or may
  /// exist.
  @discardableResult
  private func tellNews(
    _ items: [PlayQueue.Item], _ tell: ([PlayQueue.Item.ID], [PlayQueue.Item.ID]) -> Void
  ) -> Bool {
    var (gone, back): ([PlayQueue.Item.ID], [PlayQueue.Item.ID]) = ([], [])
    var isOnePresent = false
    for item in items {
      let isThere = isThere(item.track.path)
      if isThere != false { isOnePresent = true }
      guard let isThere else { continue }
      if isThere, item.isMissing { back.append(item.id) }
      if !isThere, !item.isMissing { gone.append(item.id) }
    }
    if !gone.isEmpty || !back.isEmpty { tell(gone, back) }
    return isOnePresent
  }
}

extension PlayQueue {
  /// Returns the item with this ID; `nil` if it is not in the queue.
  func item(_ id: Item.ID) -> Item? { position(of: id).map { items[$0] } }
}
