/// Some items of a queue.
public enum QueueSelection: Sendable, Hashable {
  /// Those at these positions; what lies outside of the queue counts for nothing.
  case positions([Range<Int>])
  /// Those with these ids; what the queue does not hold counts for nothing.
  case items([PlayQueue.Item.ID])
}
