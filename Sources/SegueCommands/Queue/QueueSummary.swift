import MusicModel

/// A queue in one line: how many tracks, how long in all, how long from here, and how it is played.
enum QueueSummary {
  /// "5 tracks, 1:20, 0:31 left · repeat all".
  ///
  /// It looks at every item.
  static func text(_ queue: PlayQueue) -> String {
    var total = Duration.zero
    var isPartial = false
    for item in queue.items {
      if let duration = item.track.duration { total += duration } else { isPartial = true }
    }
    var text = ItemCount.text(queue.items.count, "track")
    text += ", \(isPartial ? "at least " : "")\(TimeText.text(total))"
    if let rest = rest(of: queue), rest < total { text += ", \(TimeText.text(rest)) left" }
    return ([text] + ModeText.words(queue.modes)).joined(separator: " · ")
  }

  /// How long the current item and those behind it in playing order last, without what was heard, as far as that is known; `nil` where none
  /// is current.
  private static func rest(of queue: PlayQueue) -> Duration? {
    guard let position = queue.currentPosition, let current = queue.current else { return nil }
    var rest = Duration.zero
    if queue.modes.random == .off {
      for item in queue.items[position...] { rest += item.track.duration ?? .zero }
    } else {
      var once = queue
      once.reduce(.setRepeat(.off))
      var item: PlayQueue.Item? = current
      var count = 0
      while let present = item, count < queue.items.count {
        rest += present.track.duration ?? .zero
        item = once.item(after: present.id)
        count += 1
      }
    }
    return max(.zero, rest - queue.heard)
  }
}
