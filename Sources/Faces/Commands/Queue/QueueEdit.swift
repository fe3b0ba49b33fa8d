// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import PlayerFlow
import Screens

/// The queue before and after an edit.
struct QueueEdit {
  let before: PlayQueue
  let after: PlayQueue

  /// The hint for users who made the edit by mistake.
  static let undoHint = "`queue undo` reverts it"

  /// The number of items removed.
  var removedCount: Int { before.items.indices.count { after.position(of: before.items.id(at: $0)) == nil } }

  /// Returns the positions, counted from 0, of `tracks`, which were added together at `start` or later; `nil` if they
  /// are no longer together, since others may edit the queue meanwhile.
  func place(of tracks: TrackList, from start: Int) -> Range<Int>? {
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
  /// Runs `body` to edit the queue of `state`, and returns the queue before and after.
  ///
  /// - Throws: `CommandError` if `body` throws, or the queue cannot be stored.
  func edit(_ state: StateOptions, _ body: (PlayQueue) throws(CommandError) -> Void) throws -> QueueEdit {
    var before = PlayQueue()
    try withQueue(state) {
      before = services.queue.queue
      try body(before)
    }
    return QueueEdit(before: before, after: services.queue.queue)
  }
}
