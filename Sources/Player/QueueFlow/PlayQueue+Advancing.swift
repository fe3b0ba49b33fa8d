import MusicModel

extension PlayQueue {
  /// The queue when playing has gone on through these items, one after the other.
  func advanced(through items: [Item.ID]) -> PlayQueue {
    var queue = self
    for item in items where item != queue.current?.id { queue.reduce(.advanced(to: item)) }
    return queue
  }
}
