// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import PlayerPort
import Screens

/// The queue before and after an edit.
struct QueueEdit {
  let before: PlayQueue
  let after: PlayQueue

  /// A hint for the user who made the edit by mistake.
  static let undoHint = "`queue undo` reverts it"

  /// The number of items that the edit removed.
  var removedCount: Int { before.items.indices.count { after.position(of: before.items.id(at: $0)) == nil } }

  /// Returns the positions, counted from 0, at which the edit added `tracks`, which are `start` or later. Returns `nil`
  /// if the tracks are no longer next to each other, because someone else has edited the queue in the meantime.
  func range(of tracks: TrackList, from start: Int) -> Range<Int>? {
    guard let ends = tracks.first.map({ ($0.path, tracks[tracks.count - 1].path) }) else { return nil }
    for first in max(0, start)..<max(0, start, after.items.count - tracks.count + 1) {
      let last = first + tracks.count - 1
      let isNew = [first, last].allSatisfy { before.position(of: after.items.id(at: $0)) == nil }
      if isNew, (after.items[first].track.path, after.items[last].track.path) == ends { return first..<last + 1 }
    }
    return nil
  }
}

extension Session {
  /// Edits the queue of `state` by running `body`, and returns the queue before and after.
  ///
  /// - Throws: `PlayerError` if the queue cannot be stored, and the errors of `body`.
  func edit(_ state: StateOptions, _ body: (PlayQueue) throws(PlayerError) -> Void) throws -> QueueEdit {
    var before = PlayQueue()
    try withQueue(state) {
      before = services.queue.queue
      try body(before)
    }
    return QueueEdit(before: before, after: services.queue.queue)
  }
}
