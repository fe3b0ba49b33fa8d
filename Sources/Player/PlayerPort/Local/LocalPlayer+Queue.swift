// SPDX-License-Identifier: GPL-3.0-or-later

package import MusicModel
import PlayerFlow
import UnicodeText

/// The requests that edit the queue. Positions are resolved to the IDs of items at once, so that no others are changed
/// than those that were meant, whatever else happens to the queue.
extension LocalPlayer {
  /// Edits the queue by running `body`, which gets the queue before, and dispatches actions. Returns the queue before
  /// and after.
  func edit(_ body: (PlayQueue) throws(PlayerError) -> Void) throws(PlayerError) -> (
    before: PlayQueue, after: PlayQueue
  ) {
    let before = parts.queue.queue
    try body(before)
    parts.actions.awaitDelivery()
    SeenListing.edited(before, parts.queue.queue)
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
        actions.swap(queue.items.id(at: first), queue.items.id(at: second))
      case .clear: actions.clear()
      case .dedupe: actions.dedupe()
      case .shuffle(let items, let unit, let startsWithCurrent):
        positions = try items?.contiguousPositions(in: queue) ?? []
        let isPlaying = parts.playback.state.phase != .stopped
        actions.shuffle(
          items.map { _ in .items(queue.ids(at: positions)) }, by: unit,
          first: startsWithCurrent && isPlaying ? queue.current?.id : nil)
      case .sort(let items, let key, let descending):
        positions = try items?.contiguousPositions(in: queue) ?? []
        actions.sort(items.map { _ in .items(queue.ids(at: positions)) }, by: key, descending: descending)
      case .prioritise(let items, let priority):
        positions = try items.positions(in: queue)
        actions.prioritise(.items(queue.ids(at: positions)), priority)
      case .setRange(let id, let start, let end):
        positions = try QueueItems.ids([id]).positions(in: queue)
        actions.setRange(PlayQueue.Item.ID(rawValue: id), from: start.bounded, to: end?.bounded)
      case .undo(let steps): names = try undo(steps, redoes: false)
      case .redo(let steps): names = try undo(steps, redoes: true)
      }
      if let only = positions.first, positions.count == 1, only.count == 1 {
        title = queue.items[only.lowerBound].track.title
      }
    }
    let affected: [Range<Int>]? =
      switch edit {
      case .remove: positions
      case .crop, .clear, .dedupe, .undo, .redo: nil
      case .move, .swap, .shuffle, .sort, .prioritise, .setRange: []
      }
    var edited = EditedQueue(before, after, affecting: affected)
    (edited.positions, edited.target, edited.title, edited.names) = (positions, target, title, names)
    return PlayerReply(.edited(edited))
  }

  /// Plays an item of the queue.
  func play(_ items: QueueItems, _ options: PlaybackOptions) throws(PlayerError) -> PlayerReply {
    try check(options)
    let queue = parts.queue.queue
    let position = try items.position(in: queue)
    apply(options)
    let track = queue.items[position].track
    let resumedAt = resumedSeconds(of: track)
    parts.actions.play(queue.items.id(at: position))
    parts.actions.awaitDelivery()
    let started = StartedTrack(
      track: TrackRow(track), index: position, count: queue.items.count, title: queue.title, resumedAt: resumedAt)
    return done(.playing(started))
  }
}

extension QueueItems {
  /// Returns the positions of the items in `queue`, as separate ranges in ascending order.
  package func positions(in queue: PlayQueue) throws(PlayerError) -> [Range<Int>] {
    switch self {
    case .range(let range): return try range.positions(in: queue)
    case .ids(let ids): return queue.positions(.items(ids.map { PlayQueue.Item.ID(rawValue: $0) }))
    }
  }

  /// Returns the positions of the items in `queue`. A range must not have gaps.
  fileprivate func contiguousPositions(in queue: PlayQueue) throws(PlayerError) -> [Range<Int>] {
    if case .range(let range) = self { [try range.contiguousPositions(in: queue)] } else { try positions(in: queue) }
  }

  /// Returns the position of the only item, or of the first one that is named by ID.
  fileprivate func position(in queue: PlayQueue) throws(PlayerError) -> Int {
    switch self {
    case .range(let range): return try range.position(in: queue)
    case .ids(let ids):
      guard let position = ids.first.flatMap({ queue.position(of: PlayQueue.Item.ID(rawValue: $0)) }) else {
        throw .missing
      }
      return position
    }
  }
}
