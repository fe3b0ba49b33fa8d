/// How a queue is played.
public struct QueueModes: Sendable, Hashable {
  /// What comes behind the end.
  public enum Repeat: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case off
    /// The queue, from its beginning; under random in another order.
    case all
    /// The current item, again and again; `next` still goes on.
    case one
    /// The current album, from its beginning: the items around the current one that are of its album.
    case album
  }

  /// In which order.
  public enum Random: String, Sendable, Hashable, CaseIterable {
    /// By position.
    case off
    /// Shuffled, each item once.
    case tracks
    /// The albums shuffled, each whole and by position.
    case albums
  }

  /// Whether playing waits behind every item.
  public enum Single: String, Sendable, Hashable, CaseIterable {
    /// No.
    case off
    /// Behind every item, at the beginning of the next one; where something is repeated, the item plays again instead,
    /// unless it leaves the queue.
    case on
    /// The same behind the present item, and then it is off again; where something is repeated, or nothing follows, it
    /// stays.
    case once
  }

  /// Where playing stops once.
  public enum StopPoint: String, Sendable, Hashable, CaseIterable {
    /// Behind the current item.
    case current
    /// Behind the current album.
    case album
  }

  /// What comes behind the end.
  public var `repeat` = Repeat.off
  /// In which order.
  public var random = Random.off
  /// Whether playing waits behind every item.
  public var single = Single.off
  /// Whether an item leaves the queue once playing has gone on from it.
  public var consume = false
  /// Whether ``consume`` is off again once an item has left the queue.
  public var consumesOnce = false
  /// Where playing stops once; then it is `nil` again.
  public var stopAfter: StopPoint?

  /// By position, once, and all of it kept.
  public init() {}
}
