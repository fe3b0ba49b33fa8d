import QueueFlow
import UnicodeText

/// The queue as lines: position, title, artist, time, the current item marked, and the total.
enum QueueListing {
  /// The lines; with `columns`, none is wider.
  static func lines(_ queue: QueueSnapshot, columns: Int?) -> [String] {
    guard !queue.entries.isEmpty else { return ["The queue is empty."] }
    let rows = queue.entries.enumerated().map { index, entry in
      [
        index == queue.currentPosition ? ">" : " ", "\(index + 1)", entry.title.safeForTerminal,
        (entry.artist ?? "").safeForTerminal, TimeText.text(entry.seconds.flatMap(duration)),
      ]
    }
    let table = Table(alignments: [.left, .right, .left, .left, .right], flexible: [2, 3])
    let known = queue.entries.compactMap { $0.seconds.flatMap(duration) }
    let total = known.reduce(Duration.zero, +)
    let isPartial = known.count < queue.entries.count
    let count = queue.entries.count == 1 ? "1 track" : "\(queue.entries.count) tracks"
    let summary = "\(count), \(isPartial ? "at least " : "")\(TimeText.text(total))"
    return table.lines(rows, columns: columns) + [columns.map { summary.truncated(toCells: $0) } ?? summary]
  }

  /// What a file says of seconds, where it can be.
  private static func duration(_ seconds: Double) -> Duration? {
    seconds >= 0 && seconds < 1e9 ? .seconds(seconds) : nil
  }
}
