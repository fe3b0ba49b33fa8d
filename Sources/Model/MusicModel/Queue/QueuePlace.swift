/// Where something enters a queue.
public enum QueuePlace: Sendable, Hashable {
  /// Behind the last item.
  case end
  /// Right behind the current item and what was put there in this way before; at the beginning where no item is
  /// current. It is played next under random, too.
  case next
  /// At this position, the nearest that there is.
  case position(Int)
}
