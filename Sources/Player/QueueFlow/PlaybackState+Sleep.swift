public import MusicModel
public import Platform

extension PlaybackState {
  /// Whether the sleep timer has playing end with this item of `queue`.
  func stops(after item: PlayQueue.Item.ID, in queue: PlayQueue) -> Bool {
    switch sleep?.end {
    case nil, .at, .afterQueue: return false
    case .afterTrack: return true
    case .afterAlbum:
      guard let position = queue.position(of: item), let next = queue.successor(of: item) else { return true }
      return !queue.items[position].track.isContinued(by: next.track)
    }
  }

  /// How long it takes until the sleep timer ends playing, as far as that is known at `now`, when so much of the item
  /// has been `heard`: by default, ``position``.
  public func timeToSleep(in queue: PlayQueue, at now: MonotonicInstant, heard: Duration? = nil) -> Duration? {
    guard let sleep else { return nil }
    if case .at(let end) = sleep.end {
      return .nanoseconds(Int64(clamping: end > now ? end.nanoseconds - now.nanoseconds : 0))
    }
    guard phase == .playing, let item, let duration else { return nil }
    let isLast = sleep.end == .afterQueue ? queue.successor(of: item) == nil : stops(after: item, in: queue)
    return isLast ? max(.zero, duration - (heard ?? position)) : nil
  }
}
