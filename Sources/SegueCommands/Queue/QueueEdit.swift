import MusicModel
import QueueFlow

/// A queue before and after something was done with it.
struct QueueEdit {
  let before: PlayQueue
  let after: PlayQueue

  /// What the user may want to know who did not mean it.
  static let undoHint = "`queue undo` takes it back"

  /// How many items fewer there are.
  var removedCount: Int { before.items.count - after.items.count }

  /// How many items more there are.
  var addedCount: Int { after.items.count - before.items.count }

  /// Where items that entered together stand, from 0: from `start` on, unless items that were there stand before them.
  func entered(from start: Int) -> Range<Int> {
    var first = start
    while first < after.items.count, before.position(of: after.items[first].id) != nil { first += 1 }
    return first..<min(after.items.count, first + max(0, addedCount))
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
