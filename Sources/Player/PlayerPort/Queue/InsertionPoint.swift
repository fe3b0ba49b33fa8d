// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel

/// A place in the queue at which items are inserted, written by the user as POS or TO.
package enum InsertionPoint: Codable, Sendable, Equatable {
  /// The position with this number, counted from 1.
  case number(Int)
  /// Before the current item.
  case current
  /// After the current item.
  case next
  /// After the last item.
  case end

  /// The syntax of an insertion point, as part of the help.
  package static let help = "a number (1 or higher), next (after the current item), . (before it) or end."

  /// Parses the text that the user wrote.
  ///
  /// - Throws: `PlayerError` if `text` is invalid.
  package init(_ text: String) throws(PlayerError) {
    switch text {
    case ".": self = .current
    case "next": self = .next
    case "end": self = .end
    default:
      guard let number = PositionNumber(text) else {
        throw PlayerError(
          .usage, "invalid position \"\(text)\": use a number (1 or higher), next, end, or . for the current item")
      }
      self = .number(number.value)
    }
  }

  /// Returns the point in `queue` at which new items are inserted.
  ///
  /// - Throws: `PlayerError` if the queue has no such position.
  package func resolved(in queue: PlayQueue) throws(PlayerError) -> QueueInsertionPoint {
    switch self {
    case .next: return .next
    case .end: return .end
    case .current:
      guard let position = queue.currentPosition else { throw .noCurrentItem }
      return .position(position)
    case .number(let number):
      // A position directly after the last item is valid, too.
      let position = try Self.position(number, in: queue)
      guard position <= queue.items.count else { throw .noItem("\(number)", queue.items.count) }
      return .position(position)
    }
  }

  /// Returns the position, counted from 0, of the first moved item after a move to this point.
  ///
  /// - Parameter moved: The positions of the items before the move, as separate ranges in ascending order.
  /// - Throws: `PlayerError` if the queue has no such position.
  package func target(of moved: [Range<Int>], in queue: PlayQueue) throws(PlayerError) -> Int {
    let count = queue.items.count
    // Returns the number of items before `position` that do not move.
    func unmovedCount(before position: Int) -> Int {
      position - moved.reduce(0) { $0 + $1.clamped(to: 0..<position).count }
    }
    switch self {
    case .end: return unmovedCount(before: count)
    case .current, .next:
      guard let position = queue.currentPosition else { throw .noCurrentItem }
      return unmovedCount(before: self == .next ? position + 1 : position)
    case .number(let number):
      let position = try Self.position(number, in: queue)
      guard position < count else { throw .noItem("\(number)", count) }
      return min(position, unmovedCount(before: count))
    }
  }

  /// Returns the position, counted from 0, of the item that the user has seen at a number, wherever that is now.
  private static func position(_ number: Int, in queue: PlayQueue) throws(PlayerError) -> Int {
    guard number > 0 else { throw .noItem("\(number)", queue.items.count) }
    guard let listed = SeenListing.current?.listed else { return number - 1 }
    return try listed.position(of: number - 1, in: queue)
  }
}
