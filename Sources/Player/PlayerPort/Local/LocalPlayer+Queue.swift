// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import PlayerFlow
import UnicodeText

/// The requests that edit the queue. They name items by their IDs, so that they never change others than those that
/// were meant, whatever else happens to the queue.
extension LocalPlayer {
  /// Edits the queue by running `body`, which gets the queue before, and dispatches actions. Returns the queue before
  /// and after, once the edit is stored.
  func edit(_ body: (PlayQueue) throws(PlayerError) -> Void) throws(PlayerError) -> (
    before: PlayQueue, after: PlayQueue
  ) {
    let before = parts.queue.queue
    try body(before)
    parts.actions.awaitDelivery()
    SeenListing.edited(before, parts.queue.queue)
    if let error = parts.flush() { throw error }
    return (before, parts.queue.queue)
  }

  func perform(_ edit: QueueEdit) throws(PlayerError) -> PlayerReply {
    var positions: [Range<Int>] = []
    var (target, title, names): (Int?, String?, [String]) = (nil, nil, [])
    let actions = parts.actions
    let (before, after) = try self.edit { queue throws(PlayerError) in
      switch edit {
      case .remove(let items):
        positions = try items.positions(in: queue)
        actions.remove(.items(queue.ids(at: positions)))
      case .crop(nil):
        if !queue.items.isEmpty, queue.currentPosition == nil { throw .noCurrentItem }
        actions.crop()
      case .crop(let range?):
        positions = try QueueItems.range(range).positions(in: queue)
        actions.crop(to: .items(queue.ids(at: positions)))
      case .move(let items, let place):
        positions = try items.positions(in: queue)
        guard !positions.isEmpty else { throw .missing }
        let position =
          switch place {
          case .position(let position): position
          case .point(let point): try point.target(of: positions, in: queue)
          }
        target = position
        actions.move(.items(queue.ids(at: positions)), to: position)
      case .swap(let one, let other):
        let (first, second) = (try one.position(in: queue), try other.position(in: queue))
        positions = [first..<first + 1, second..<second + 1]
        actions.swap(first, second)
      case .clear: actions.clear()
      case .dedupe: actions.dedupe()
      case .shuffle(let range, let unit):
        let part = try range?.contiguousPositions(in: queue)
        positions = part.map { [$0] } ?? []
        actions.shuffle(part, by: unit)
      case .sort(let range, let key, let descending):
        let part = try range?.contiguousPositions(in: queue)
        positions = part.map { [$0] } ?? []
        actions.sort(part, by: key, descending: descending)
      case .undo(let steps):
        names = queue.undoable.suffix(max(0, steps)).reversed()
        if names.isEmpty { throw PlayerError(.notFound, "nothing to undo") }
        actions.undo(steps: steps)
      case .redo(let steps):
        names = queue.redoable.suffix(max(0, steps)).reversed()
        if names.isEmpty { throw PlayerError(.notFound, "nothing to redo") }
        actions.redo(steps: steps)
      }
      if let only = positions.first, positions.count == 1, only.count == 1 {
        title = queue.items[only.lowerBound].track.title
      }
    }
    var edited = EditedQueue(before, after)
    (edited.positions, edited.target, edited.title, edited.names) = (positions, target, title, names)
    return PlayerReply(.edited(edited))
  }

  /// Plays an item of the queue.
  func play(_ items: QueueItems, _ options: PlaybackOptions) throws(PlayerError) -> PlayerReply {
    try check(options)
    let queue = parts.queue.queue
    let position: Int
    switch items {
    case .range(let range): position = try range.position(in: queue)
    case .ids(let ids):
      guard let known = ids.first.flatMap({ queue.position(of: PlayQueue.Item.ID(rawValue: $0)) }) else {
        throw .missing
      }
      position = known
    }
    apply(options)
    parts.actions.play(queue.items.id(at: position))
    parts.actions.awaitDelivery()
    let track = TrackRow(queue.items[position].track)
    return done(
      .playing(StartedTrack(track: track, index: position, count: queue.items.count, title: queue.title)))
  }
}

extension QueueItems {
  /// Returns the positions of the items in `queue`, as separate ranges in ascending order.
  package func positions(in queue: PlayQueue) throws(PlayerError) -> [Range<Int>] {
    switch self {
    case .range(let range): return try range.positions(in: queue)
    case .ids(let ids):
      let positions = ids.compactMap { queue.position(of: PlayQueue.Item.ID(rawValue: $0)) }.sorted()
      return positions.reduce(into: []) { ranges, position in
        if let last = ranges.last, last.upperBound == position {
          ranges[ranges.count - 1] = last.lowerBound..<position + 1
        } else if ranges.last?.contains(position) != true {
          ranges.append(position..<position + 1)
        }
      }
    }
  }
}

extension PlayQueue {
  fileprivate func ids(at positions: [Range<Int>]) -> [Item.ID] { positions.flatMap { $0.map { items.id(at: $0) } } }
}
