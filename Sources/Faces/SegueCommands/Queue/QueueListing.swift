import MusicModel
import Platform
import SystemPackage

/// Prints the items of a queue as they are read.
struct QueueListing {
  /// How many rows are made at a time.
  private static let pageSize = 200
  /// A pager that begins at a later line would have to wait until so many are made.
  private static let lineLimit = 10_000
  /// How long a disk may take to answer, in milliseconds.
  private static let patience: UInt64 = 2_000

  let queue: PlayQueue
  let options: WindowOptions

  /// Prints what is asked for of the queue, and on a terminal a summary below.
  func print(in session: Session) throws(CommandError) {
    let isForPeople = session.manner.isForPeople && !options.json && !session.manner.isQuiet
    if queue.items.isEmpty {
      if isForPeople { session.remark("The queue is empty.") }
      return
    }
    let count = queue.items.count
    let start = min(options.offset ?? 0, count)
    let end = start + min(options.limit ?? count, count - start)
    let current = queue.currentPosition
    let line = current.flatMap { (start..<end).contains($0) ? $0 - start + 1 : nil }
    let printer = ListingPrinter<ListedItem>(
      session, isJSON: options.json, mayPage: !options.noPager,
      first: line.flatMap { $0 <= Self.lineLimit ? $0 : nil },
      widest: [entry(count - 1), current.map { entry($0) }].compactMap { $0 })
    var isAnswering = true
    for first in stride(from: start, to: end, by: Self.pageSize) {
      let positions = first..<min(first + Self.pageSize, end)
      let items = positions.map { queue.items[$0] }
      let gone = isAnswering ? Self.gone(items) : nil
      if isAnswering, gone == nil {
        session.complain("segue: the disk does not answer: which files are gone is what was known last")
        isAnswering = false
      }
      guard try printer.print(positions.map { entry($0, isGone: gone?[$0 - first]) }) else { break }
    }
    if isForPeople { try printer.printBelow(QueueSummary.text(queue, session.manner)) }
    try printer.finish()
  }

  private func entry(_ position: Int, isGone: Bool? = nil) -> ListedItem {
    let item = queue.items[position]
    return ListedItem(
      position: position, item: item, isCurrent: position == queue.currentPosition, isGone: isGone ?? item.isGone)
  }

  /// Which files are not there; `nil` where the disk does not say.
  private static func gone(_ items: [PlayQueue.Item]) -> [Bool]? {
    LeavableWork.value(patience: patience) { pulse in
      items.map { item in
        pulse.beat()
        return !pulse.isLeft && isGone(item)
      }
    }
  }

  /// Whether the file is not there at this moment, whatever was known of it when the queue was kept.
  private static func isGone(_ item: PlayQueue.Item) -> Bool {
    do throws(Errno) {
      _ = try FileStatus(of: item.track.path)
      return false
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory || item.isGone
    }
  }
}
