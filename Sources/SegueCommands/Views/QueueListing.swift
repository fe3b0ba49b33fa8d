import MusicModel
import UnicodeText

/// The queue as lines: position, title, artist, time, the current item marked, and the total.
enum QueueListing {
  /// The lines; with `columns`, none is wider.
  static func lines(_ queue: PlayQueue, columns: Int?) -> [String] {
    guard !queue.items.isEmpty else { return ["The queue is empty."] }
    let rows = queue.items.enumerated().map { index, item in
      [
        index == queue.currentPosition ? ">" : " ", "\(index + 1)", item.track.title.safeForTerminal,
        item.track.artists.joined(separator: ", ").safeForTerminal, TimeText.text(item.track.duration),
      ]
    }
    let table = Table(alignments: [.left, .right, .left, .left, .right], flexible: [2, 3])
    let known = queue.items.compactMap(\.track.duration)
    let total = known.reduce(Duration.zero, +)
    let isPartial = known.count < queue.items.count
    let count = queue.items.count == 1 ? "1 track" : "\(queue.items.count) tracks"
    let summary = "\(count), \(isPartial ? "at least " : "")\(TimeText.text(total))"
    return table.lines(rows, columns: columns) + [columns.map { summary.truncated(toCells: $0) } ?? summary]
  }
}
