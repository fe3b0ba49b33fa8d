// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Platform
import Synchronization

/// A queue as a user has seen it: the IDs of the items at some positions.
package struct ListedQueue: Codable, Sendable, Equatable {
  /// Successive items with successive IDs, as those have that were added together.
  private struct Run: Codable, Sendable, Equatable {
    var position: Int
    var id: UInt64
    var count: Int

    var end: Int { position + count }
  }

  /// The maximum number of runs. Nobody chooses by number from a longer listing.
  private static let limit = 10_000

  /// The directory in which the queue is stored.
  package var directory: PathText
  private var runs: [Run] = []

  /// Creates an empty listing of the queue that is stored in `directory`.
  package init(of directory: PathText) { self.directory = directory }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    directory = try container.decode(PathText.self, forKey: .directory)
    runs = try container.decode([Run].self, forKey: .runs)
    var end = 0
    for run in runs {
      let sum = run.position.addingReportingOverflow(run.count)
      let last = run.id.addingReportingOverflow(UInt64(clamping: run.count))
      guard run.position >= end, run.count > 0, !sum.overflow, !last.overflow else {
        throw DecodingError.dataCorruptedError(forKey: .runs, in: container, debugDescription: "not in order")
      }
      end = sum.partialValue
    }
  }

  /// Whether no position has been seen.
  package var isEmpty: Bool { runs.isEmpty }

  /// Adds the item at a position after those that were added before.
  package mutating func append(_ id: UInt64, at position: Int) {
    if let last = runs.last, last.end == position, last.id + UInt64(last.count) == id {
      runs[runs.count - 1].count += 1
    } else if runs.count < Self.limit {
      runs.append(Run(position: position, id: id, count: 1))
    }
  }

  /// Returns the ID of the item that was seen at a position; `nil` if none was.
  func id(at position: Int) -> PlayQueue.Item.ID? {
    let index = runs.partitioningIndex { $0.end > position }
    guard index < runs.count, runs[index].position <= position else { return nil }
    return PlayQueue.Item.ID(rawValue: runs[index].id + UInt64(position - runs[index].position))
  }

  /// Whether the items of `queue` are those that were seen.
  private func matches(_ queue: PlayQueue) -> Bool {
    runs.allSatisfy { run in
      run.end <= queue.items.count
        && (0..<run.count).allSatisfy {
          queue.items.id(at: run.position + $0).rawValue == run.id + UInt64($0)
        }
    }
  }

  /// Records that the user has changed the queue `before` into `after`. If anyone else has changed it since it was
  /// seen, the listing stays as it is.
  mutating func edit(_ before: PlayQueue, _ after: PlayQueue) {
    guard let first = runs.first?.position, let end = runs.last?.end, matches(before),
      after.itemsVersion <= before.version + 1
    else { return }
    let isWhole = end == before.items.count
    runs = []
    for position in first..<max(first, isWhole ? after.items.count : min(end, after.items.count)) {
      append(after.items.id(at: position).rawValue, at: position)
    }
  }

  // MARK: Positions

  /// Returns the position of the item that was seen at a position or, if none was seen there, the same position.
  ///
  /// - Throws: `PlayerError` if the item is no longer in `queue`.
  func position(of position: Int, in queue: PlayQueue) throws(PlayerError) -> Int {
    guard let id = id(at: position) else { return position }
    guard let present = queue.position(of: id) else { throw Self.changed("item \(position + 1)", "is no longer in it") }
    return present
  }

  /// Returns a part of a range as it must be written for the items of `queue` that were seen at its positions.
  ///
  /// - Throws: `PlayerError` if they are no longer in the queue, or no longer together.
  func translated(_ part: ItemRange.Part, in queue: PlayQueue) throws(PlayerError) -> ItemRange.Part {
    // What is written without a number is meant as it is now.
    guard part.first.isNumber || part.last.isNumber else { return part }
    var shift = 0
    for case .number(let number) in [part.first, part.last] where number > 0 && id(at: number - 1) != nil {
      shift = try position(of: number - 1, in: queue) - (number - 1)
      break
    }
    var translated = part
    translated.first = part.first.moved(by: shift)
    translated.last = part.last.moved(by: shift)
    let range: Range<Int>
    do throws(PlayerError) {
      range = try translated.positions(in: queue.items.count, current: queue.currentPosition)
    } catch {
      if shift == 0 { throw error }
      throw Self.changed("items \(part.text)", "are no longer together")
    }
    // Whoever means all items to the last means the last that was seen, too.
    if part.last == .last, part.first != .last, range.upperBound - shift < runs.last?.end ?? 0 {
      throw Self.changed("items \(part.text)", "are no longer together")
    }
    for position in range {
      let seen = id(at: position - shift)
      if shift != 0 && seen == nil || seen != nil && seen != queue.items.id(at: position) {
        throw Self.changed("items \(part.text)", "are no longer together")
      }
    }
    return translated
  }

  private static func changed(_ items: String, _ reason: String) -> PlayerError {
    PlayerError(
      .notFound, "the queue has changed since it was listed: \(items) \(reason); `segue queue` lists it again")
  }
}

extension ItemRange.Bound {
  fileprivate var isNumber: Bool { if case .number = self { true } else { false } }

  fileprivate func moved(by shift: Int) -> Self {
    guard case .number(let number) = self else { return self }
    let (moved, overflows) = number.addingReportingOverflow(shift)
    return .number(overflows ? .max : moved)
  }
}

extension Array {
  /// Returns the index of the first element that satisfies `predicate`, which all later ones must satisfy, too.
  fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The listing to which the positions of a request refer, while that is performed. Safe to use from any thread.
package final class SeenListing: Sendable {
  /// The listing of the request that this thread performs; `nil` if its positions are those of the queue as it is.
  @TaskLocal static var current: SeenListing?

  /// The listing as the user has seen it.
  let listed: ListedQueue
  private let left: Mutex<ListedQueue>

  private init(_ listed: ListedQueue) {
    self.listed = listed
    left = Mutex(listed)
  }

  /// Calls `body`, in which positions are those of `listed` if that is the queue in `directory`. Returns the listing as
  /// the request has left it, too; `nil` if it is the same.
  package static func use<Result>(
    _ listed: ListedQueue?, ofQueueIn directory: PathText, _ body: () throws(PlayerError) -> Result
  ) throws(PlayerError) -> (result: Result, listed: ListedQueue?) {
    guard let listed, listed.directory == directory else { return (try body(), nil) }
    let seen = SeenListing(listed)
    let result = try $current.withValue(seen) { Swift.Result { () throws(PlayerError) in try body() } }.get()
    let left = seen.left.withLock(\.self)
    return (result, left == listed ? nil : left)
  }

  /// Records that the request has changed the queue `before` into `after`.
  static func edited(_ before: PlayQueue, _ after: PlayQueue) { current?.left.withLock { $0.edit(before, after) } }

  /// Records that the request has replaced the queue, so that nothing of it has been seen.
  static func replaced() { current?.left.withLock { $0 = ListedQueue(of: $0.directory) } }
}
