import MusicModel
import Platform
import SystemPackage

/// Prints the items of a queue as they are read.
struct QueueListing {
  /// How many rows are made at a time.
  private static let pageSize = 200
  /// A pager that begins at a later line would have to wait until so many are made.
  private static let lineLimit = 10_000

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
      widest: [entry(count - 1), current.map(entry)].compactMap { $0 })
    for first in stride(from: start, to: end, by: Self.pageSize) {
      guard try printer.print((first..<min(first + Self.pageSize, end)).map(entry)) else { break }
    }
    if isForPeople { try printer.printBelow(QueueSummary.text(queue, session.manner)) }
    try printer.finish()
  }

  private func entry(_ position: Int) -> ListedItem {
    let item = queue.items[position]
    return ListedItem(
      position: position, item: item, isCurrent: position == queue.currentPosition, isGone: Self.isGone(item))
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
