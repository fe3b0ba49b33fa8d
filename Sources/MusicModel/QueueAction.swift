/// What can happen to the queue.
public enum QueueAction: Sendable, Equatable {
  /// This collection is the queue now; play from the track at index `item`, or with `nil` only load it.
  ///
  /// An index that the collection does not have counts as `nil`.
  case enqueue(TrackCollection, item: Int?)
  /// Play this item from its beginning. An id that the queue does not have changes nothing.
  case play(PlayQueue.Item.ID)
  /// The engine went on to this item by itself. An id that the queue does not have changes nothing.
  case advanced(to: PlayQueue.Item.ID)
  /// The engine played the last item to its end: no item is current.
  case finished
}
