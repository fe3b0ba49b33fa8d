import MusicModel

/// A queue in one line: how many tracks, how long in all, how long from here, and how it is played.
enum QueueSummary {
  /// In a longer queue, nobody waits until each item is asked.
  private static let countLimit = 10_000

  /// "5 tracks, 1:20, 0:31 left · repeat all".
  static func text(_ queue: PlayQueue, _ manner: TerminalManner = TerminalManner()) -> String {
    let total = queue.duration
    let time = { manner.isPlain ? TimeText.words($0) : TimeText.text($0) }
    let count = queue.items.count
    let isPartial = count <= countLimit && queue.items.contains { $0.track.duration == nil }
    var text = ItemCount.text(count, "track") + ", \(isPartial ? "at least " : "")\(time(total))"
    if let rest = rest(of: queue), rest < total { text += ", \(time(rest)) left" }
    return ([text] + ModeText.words(queue.modes)).joined(separator: manner.isPlain ? "; " : " · ")
  }

  /// How long the current item and those behind it in playing order last, without what was heard, as far as that is
  /// known; `nil` where none is current.
  private static func rest(of queue: PlayQueue) -> Duration? {
    guard let position = queue.currentPosition, let current = queue.current else { return nil }
    let count = queue.items.count
    if queue.modes.random == .off {
      return max(.zero, queue.items.duration(of: position..<count) - queue.heard)
    }
    guard count <= countLimit else { return nil }
    var once = queue
    once.reduce(.setRepeat(.off))
    var rest = Duration.zero
    var item: PlayQueue.Item? = current
    var passed = 0
    while let present = item, passed < count {
      rest += present.track.duration ?? .zero
      item = once.item(after: present.id)
      passed += 1
    }
    return max(.zero, rest - queue.heard)
  }
}
