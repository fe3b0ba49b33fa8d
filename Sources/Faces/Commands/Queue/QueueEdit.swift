import MusicModel
import PlayerFlow
import Screens

/// A queue before and after something was done with it.
struct QueueEdit {
  let before: PlayQueue
  let after: PlayQueue

  /// What the user may want to know who did not mean it.
  static let undoHint = "`queue undo` takes it back"

  /// How many items fewer there are.
  var removedCount: Int { before.items.indices.count { after.position(of: before.items.id(at: $0)) == nil } }

  /// Where `tracks` stand, from 0, which entered together at `start` or behind; `nil` where they do not stand together
  /// any more: others may edit the queue meanwhile.
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
  /// Has `body` say what is wanted of the queue that `state` names, and gives the queue before and afterwards.
  ///
  /// - Throws: `CommandError` where `body` does, or the queue cannot be kept.
  func edit(_ state: StateOptions, _ body: (PlayQueue) throws(CommandError) -> Void) throws -> QueueEdit {
    var before = PlayQueue()
    try withQueue(state) {
      before = services.queue.queue
      try body(before)
    }
    return QueueEdit(before: before, after: services.queue.queue)
  }
}
