// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import UnicodeText

/// A set of queue items, written by the user as RANGE, with positions counted from 1.
///
/// The syntax is `3`, `3-7`, `3-` (to the last item), `-4` (from the first item), or several of these separated by
/// commas. Instead of a number, `.` stands for the current item, and `last` for the last one.
package struct ItemRange: Codable, Sendable, Equatable {
  /// The first or the last item of a part.
  package enum Bound: Codable, Sendable, Equatable {
    /// The item at this position, counted from 1.
    case number(Int)
    case current
    /// The last item.
    case last
  }

  /// A part of a range, which is the text between two commas.
  package struct Part: Codable, Sendable, Equatable {
    /// The first item of the part.
    package var first: Bound
    /// The last item of the part.
    package var last: Bound
    /// The text of the part as the user wrote it.
    package var text: String

    /// Returns the positions of the items in a queue of `count` items.
    func positions(in count: Int, current: Int?) throws(PlayerError) -> Range<Int> {
      let first = try ItemRange.position(first, count, current)
      let last = try ItemRange.position(last, count, current)
      guard first <= last else {
        throw PlayerError(
          .usage, "invalid range \"\(text)\": it ends before it starts; the queue has \(ItemCount.text(count))"
        )
      }
      return first..<last + 1
    }
  }

  /// The syntax of a range, as part of the help.
  package static let help = """
    RANGE is 3, 3-7, 3- (to the last item), -4 (from the first to the fourth), or several of these: 3,5,9-12. Instead of a number, . is \
    the current item and last the last one.
    """

  /// The parts of the range, in the order in which they were written.
  package let parts: [Part]

  /// Parses the text that the user wrote.
  ///
  /// - Throws: `PlayerError` if `text` is invalid.
  package init(_ text: String) throws(PlayerError) {
    var parts: [Part] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      parts.append(try Self.part(String(piece)))
    }
    self.parts = parts
  }

  /// Parses words, each of which is a range, and combines them.
  package init(_ words: [String]) throws(PlayerError) { try self.init(words.joined(separator: ",")) }

  /// Returns the positions of the items in a queue of `count` items, counted from 0, as separate ranges in ascending
  /// order.
  ///
  /// - Parameter current: The position of the current item, counted from 0; `nil` if there is none.
  /// - Throws: `PlayerError` if the queue has no such item, or if a part ends before it begins.
  package func positions(in count: Int, current: Int?) throws(PlayerError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for part in parts { ranges.append(try part.positions(in: count, current: current)) }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    return ranges.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }

  /// Returns the positions of the items in `queue`, as separate ranges in ascending order. A number means the item that
  /// the user has seen at it, wherever that is now.
  ///
  /// - Throws: `PlayerError` if the queue has no such item, or if a part ends before it begins.
  package func positions(in queue: PlayQueue) throws(PlayerError) -> [Range<Int>] {
    var present = parts
    if let listed = SeenListing.current?.listed {
      for index in parts.indices { present[index] = try listed.translated(parts[index], in: queue) }
    }
    return try ItemRange(parts: present).positions(in: queue.items.count, current: queue.currentPosition)
  }

  /// Returns the positions of the items in `queue` as a single range, counted from 0.
  ///
  /// - Throws: `PlayerError` if the queue has no such item, or if there are gaps between the items.
  package func contiguousPositions(in queue: PlayQueue) throws(PlayerError) -> Range<Int> {
    let positions = try positions(in: queue)
    guard let range = positions.first, positions.count == 1 else {
      throw PlayerError(.usage, "invalid range \"\(text)\": use one range without gaps, such as 3-7")
    }
    return range
  }

  /// Returns the position of the only item in the range, counted from 0.
  ///
  /// - Throws: `PlayerError` if the queue has no such item, or if the range has several.
  package func position(in queue: PlayQueue) throws(PlayerError) -> Int {
    let positions = try positions(in: queue)
    guard let range = positions.first, positions.count == 1, range.count == 1 else {
      throw PlayerError(.usage, "invalid position \"\(text)\": use a single item")
    }
    return range.lowerBound
  }

  private init(parts: [Part]) { self.parts = parts }

  private var text: String { parts.map(\.text).joined(separator: ",") }

  private static func part(_ text: String) throws(PlayerError) -> Part {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    switch ends.count {
    case 1:
      if let bound = bound(ends[0]) { return Part(first: bound, last: bound, text: text) }
    case 2 where !ends.allSatisfy(\.isEmpty):
      let first = ends[0].isEmpty ? .number(1) : bound(ends[0])
      let last = ends[1].isEmpty ? .last : bound(ends[1])
      if let first, let last { return Part(first: first, last: last, text: text) }
    default: break
    }
    throw PlayerError(
      .usage, "invalid range \"\(text)\": use 3, 3-7, 3-, -4, 3,5,9-12, . for the current item, or last")
  }

  private static func bound(_ text: String) -> Bound? {
    switch text {
    case ".": .current
    case "last": .last
    default: PositionNumber(text).map { .number($0.value) }
    }
  }

  fileprivate static func position(_ bound: Bound, _ count: Int, _ current: Int?) throws(PlayerError) -> Int {
    switch bound {
    case .number(let number):
      guard (1...max(1, count)).contains(number), count > 0 else { throw .noItem("\(number)", count) }
      return number - 1
    case .last:
      guard count > 0 else { throw .noItem("last", count) }
      return count - 1
    case .current:
      guard let current else { throw count == 0 ? .noItem(".", 0) : .noCurrentItem }
      return current
    }
  }
}

extension PlayerError {
  /// Returns the error for a position at which a queue of `count` items has no item.
  package static func noItem(_ position: String, _ count: Int) -> PlayerError {
    let size = count == 0 ? "is empty" : "has \(ItemCount.text(count))"
    return PlayerError(.notFound, "there is no item \(position): the queue \(size)")
  }

  /// The error for a queue that has no current item.
  package static var noCurrentItem: PlayerError {
    PlayerError(.notFound, "the queue has no current item: use a position instead of .")
  }
}

/// The position of an item as the user writes it, counted from 1.
package struct PositionNumber: Equatable {
  /// The position; at least 1.
  package let value: Int

  /// Parses a position. Returns `nil` if `text` is not a whole number of at least 1. A number that is too large becomes
  /// `Int.max`.
  package init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = Int(text) ?? .max
    guard number > 0 else { return nil }
    value = number
  }
}

/// Formats positions as people read them, counted from 1.
package enum PositionText {
  /// Returns text such as "12-16" or "3" for positions counted from 0.
  package static func text(_ positions: Range<Int>) -> String {
    positions.count == 1
      ? "\(positions.lowerBound + 1)" : "\(positions.lowerBound + 1)-\(positions.upperBound)"
  }

  /// Returns text such as " at 12-16" for positions counted from 0; empty text for `nil`.
  package static func suffix(_ positions: Range<Int>?) -> String { positions.map { " at \(text($0))" } ?? "" }
}
