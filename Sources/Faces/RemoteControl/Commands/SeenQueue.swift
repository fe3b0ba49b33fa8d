// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel

/// The queue as a client knows it: as it has last read it, or as its own edits have left it. What a client says of
/// positions refers to that queue, which the player or other clients may have changed since.
struct SeenQueue: Sendable {
  /// The queue; `nil` if the client has read nothing of it.
  private var queue: PlayQueue?
  /// Whether the client has read positions of items, and not only which one is current.
  private var hasReadItems = false

  /// Records that the client reads the items of `queue`.
  mutating func read(_ queue: PlayQueue) { (self.queue, hasReadItems) = (queue, true) }

  /// Records that the client reads which item of `queue` is current.
  mutating func readCurrent(_ queue: PlayQueue) { if !hasReadItems { self.queue = queue } }

  /// Records that a command of the client has changed the queue `before` into `after`.
  mutating func edited(_ before: PlayQueue, _ after: PlayQueue) {
    // If there was more than one change, another one was not made by the client.
    guard let queue, queue.itemsVersion == before.itemsVersion, after.version <= before.version + 1 else { return }
    self.queue = after
  }

  /// Returns the IDs of the items at positions, as the client knows them. `now` is the queue at present.
  ///
  /// - Throws: `argument` if there are no such positions, and `noExist` if none of the items is in the queue any more.
  func items(
    in now: PlayQueue, at positions: (PlayQueue) throws(ProtocolError) -> Range<Int>
  ) throws(ProtocolError) -> [PlayQueue.Item.ID] {
    let known = isCurrent(now) ? now : queue ?? now
    let ids = try positions(known).map { known.items.id(at: $0) }
    if !ids.isEmpty, ids.allSatisfy({ now.position(of: $0) == nil }) { throw ProtocolError(.noExist, "No such song") }
    return ids
  }

  /// Returns the queue at present, for a command whose positions cannot be those of an earlier one.
  ///
  /// - Throws: `playerSync` if the client knows an earlier one.
  func checked(_ now: PlayQueue) throws(ProtocolError) -> PlayQueue {
    guard isCurrent(now) else {
      throw ProtocolError(.playerSync, "The queue has changed: read it again, or use song IDs")
    }
    return now
  }

  private func isCurrent(_ now: PlayQueue) -> Bool { queue.map { $0.itemsVersion == now.itemsVersion } ?? true }
}
