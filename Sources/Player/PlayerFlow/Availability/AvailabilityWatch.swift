// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
import MusicModel
import Platform
import SystemPackage

/// Checks whether the files of the queue's items have disappeared, returned or been moved, and reports that as
/// actions. It uses a thread of its own, since checks block on slow mounts.
///
/// It checks only when an item starts, when one could not be read, and after a library scan. Otherwise its thread
/// sleeps.
final class AvailabilityWatch: Sendable {
  struct Checks: OptionSet, Sendable {
    let rawValue: UInt8

    /// Checks the next items and some of the missing ones, because an item has started.
    static let nearby = Checks(rawValue: 1)
    /// Checks the next items until one exists, because the file of an item was missing.
    static let untilPresent = Checks(rawValue: 2)
    /// Checks many of the next items and all missing ones, because the library has changed.
    static let far = Checks(rawValue: 4)
  }

  private let availability: AvailabilityCheck
  private let moves: @Sendable (_ since: Int64) -> FileMoves
  private let dispatcher: QueueDispatcher
  private let worker = Worker<Checks>(named: "segue-files", [])

  /// Creates a watch that checks the items of `queue` and dispatches to `dispatcher`.
  ///
  /// - Parameters:
  ///   - moves: Returns the moves of files that scans after this one have found; it may block.
  ///   - fileExists: Returns whether a file exists, or `nil` if that is unknown; it may block.
  init(
    queue: QueueListener, dispatcher: QueueDispatcher,
    moves: @escaping @Sendable (_ since: Int64) -> FileMoves = { FileMoves(lastScan: $0) },
    fileExists: @escaping @Sendable (FilePath) -> Bool?
  ) {
    self.moves = moves
    availability = AvailabilityCheck(queue: queue, fileExists: fileExists)
    self.dispatcher = dispatcher
  }

  /// Runs these checks on the thread. If the system cannot create the thread, nothing is checked. Can be called from
  /// any thread.
  func check(_ checks: Checks) {
    worker.post { $0.formUnion(checks) }
    try? worker.start(taking: Self.takeAll) { [availability, dispatcher, worker, moves] checks in
      if checks.contains(.far) {
        let found = moves(availability.queue.queue.lastScan)
        if !found.isEmpty { dispatcher.dispatch(.moved(found)) }
      }
      availability.run(checks, isCancelled: { worker.isClosed }) { missing, found in
        dispatcher.dispatch(.availability(missing: missing, found: found))
      }
    }
  }

  /// Ends the thread as soon as its current check returns.
  func end() { worker.close() }

  private static func takeAll(_ checks: inout Checks) -> Checks? {
    defer { checks = [] }
    return checks.isEmpty ? nil : checks
  }
}

/// Checks the files of some of the queue's items.
struct AvailabilityCheck: Sendable {
  /// The number of items that are checked before results are reported.
  private static let batchCount = 256
  /// The number of next items that are checked when an item starts.
  private static let nearbyCount = 4
  /// The number of missing items that are checked when an item starts.
  private static let returningCount = 64
  /// The number of next items that are checked after the library has changed.
  private static let farCount = 1000

  let queue: QueueListener
  /// A function that returns whether a file exists, or `nil` if that is unknown.
  let fileExists: @Sendable (FilePath) -> Bool?

  /// Runs `checks`; after each batch, calls `report` with the items whose files have disappeared and with those whose
  /// files have returned.
  func run(
    _ checks: AvailabilityWatch.Checks, isCancelled: () -> Bool,
    _ report: (_ missing: [PlayQueue.Item.ID], _ found: [PlayQueue.Item.ID]) -> Void
  ) {
    if !checks.isDisjoint(with: [.nearby, .far]) {
      var missing = queue.queue.missingItems[...]
      if !checks.contains(.far) { missing = missing.prefix(Self.returningCount) }
      while !missing.isEmpty, !isCancelled() {
        reportChanges(missing.prefix(Self.batchCount).compactMap { id in queue.queue.item(id) }, report)
        missing = missing.dropFirst(Self.batchCount)
      }
    }
    var remaining = checks.contains(.untilPresent) ? Int.max : checks.contains(.far) ? Self.farCount : Self.nearbyCount
    var last = queue.queue.current?.id
    while remaining > 0, !isCancelled() {
      let batch = next(after: last, min(remaining, Self.batchCount))
      let isPresent = reportChanges(batch, report)
      // The remaining items are checked when their turn comes.
      if batch.isEmpty || isPresent && !checks.contains(.far) { return }
      if isPresent { remaining = min(remaining, Self.farCount) }
      remaining -= batch.count
      last = batch.last?.id
    }
  }

  private func next(after id: PlayQueue.Item.ID?, _ count: Int) -> [PlayQueue.Item] {
    let queue = queue.queue
    let start = id.flatMap { queue.placeInPlayingOrder(of: $0) }.map { $0 + 1 } ?? 0
    return queue.itemsInPlayingOrder(from: start, count: count)
  }

  /// Reports which of these items have disappeared or returned. Returns whether at least one of them exists, or may
  /// exist.
  @discardableResult
  private func reportChanges(
    _ items: [PlayQueue.Item], _ report: ([PlayQueue.Item.ID], [PlayQueue.Item.ID]) -> Void
  ) -> Bool {
    var (missing, found): ([PlayQueue.Item.ID], [PlayQueue.Item.ID]) = ([], [])
    var isAnyPresent = false
    for item in items {
      let fileExists = fileExists(item.track.path)
      if fileExists != false { isAnyPresent = true }
      guard let fileExists else { continue }
      if fileExists, item.isMissing { found.append(item.id) }
      if !fileExists, !item.isMissing { missing.append(item.id) }
    }
    if !missing.isEmpty || !found.isEmpty { report(missing, found) }
    return isAnyPresent
  }
}

extension PlayQueue {
  /// Returns the item with this ID; `nil` if it is not in the queue.
  func item(_ id: Item.ID) -> Item? { position(of: id).map { items[$0] } }
}
