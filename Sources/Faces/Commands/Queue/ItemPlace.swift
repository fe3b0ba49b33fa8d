import MusicModel
import Screens

/// POS and TO as the user writes them: where something goes in a queue.
enum ItemPlace: Equatable {
  /// To this position, from 1.
  case number(Int)
  /// To where the current item is, which comes behind it.
  case current
  /// Right behind the current item.
  case next
  /// Behind the last item.
  case end

  /// How it is written, for the help.
  static let help = "a position from 1, next (behind the current item), . (before it) or end."

  /// Understands `text`.
  ///
  /// - Throws: `CommandError` where it is no place.
  init(_ text: String) throws(CommandError) {
    switch text {
    case ".": self = .current
    case "next": self = .next
    case "end": self = .end
    default:
      guard let number = PositionNumber(text) else {
        throw CommandError(
          .usage, "\"\(text)\" is no place: write a position from 1, next, end, or . for the current item")
      }
      self = .number(number.value)
    }
  }

  /// Where something enters `queue`.
  ///
  /// - Throws: `CommandError` where the queue has no such place.
  func entry(in queue: PlayQueue) throws(CommandError) -> QueuePlace {
    switch self {
    case .next: return .next
    case .end: return .end
    case .current:
      guard let position = queue.currentPosition else { throw .noCurrentItem }
      return .position(position)
    case .number(let number):
      // Behind the last item is a place, too.
      guard number - 1 <= queue.items.count else { throw .noItem("\(number)", queue.items.count) }
      return .position(number - 1)
    }
  }

  /// The position from 0 that the first of the items at `moved` has afterwards, where they move here in `queue`.
  ///
  /// - Parameter moved: positions in rising order, apart.
  /// - Throws: `CommandError` where the queue has no such place.
  func target(of moved: [Range<Int>], in queue: PlayQueue) throws(CommandError) -> Int {
    let count = queue.items.count
    // Those that stay, before a position.
    func staying(before position: Int) -> Int {
      position - moved.reduce(0) { $0 + $1.clamped(to: 0..<position).count }
    }
    switch self {
    case .end: return staying(before: count)
    case .current, .next:
      guard let position = queue.currentPosition else { throw .noCurrentItem }
      return staying(before: self == .next ? position + 1 : position)
    case .number(let number):
      guard number <= count else { throw .noItem("\(number)", count) }
      return min(number - 1, staying(before: count))
    }
  }
}
