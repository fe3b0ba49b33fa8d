public import MusicModel

/// What plays of a queue, and what comes next: as much as a view shows.
public struct PlayingScene: Sendable, Equatable {
  /// The most tracks that a view shows of those that come next.
  public static let nextLimit = 5

  /// The track that plays, or would go on playing.
  public var track: Track?
  /// Its position in the queue, from 0.
  public var position: Int?
  /// How many items the queue has.
  public var count: Int
  /// What the queue is called.
  public var title: String
  /// What comes next by itself, in playing order.
  public var next: [Track]
  /// How the queue is played.
  public var modes: PlayerStatus.Modes

  /// A scene of these parts.
  public init(
    track: Track?, position: Int?, count: Int, title: String, next: [Track], modes: PlayerStatus.Modes
  ) {
    self.track = track
    self.position = position
    self.count = count
    self.title = title
    self.next = next
    self.modes = modes
  }

  /// The scene of a queue of which `playing` is heard, with at most so many tracks that come next.
  ///
  /// Finding them takes its time in a long queue.
  public init(_ queue: PlayQueue, playing: PlayQueue.Item.ID?, nextLimit: Int = Self.nextLimit) {
    position = playing.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    let item = position.map { queue.items[$0] }
    track = item?.track
    count = queue.items.count
    title = queue.title
    modes = PlayerStatus.Modes(queue.modes)
    next = []
    var last = item?.id
    var seen: Set<PlayQueue.Item.ID> = []
    while next.count < nextLimit, let follower = last.flatMap({ queue.successor(of: $0) }),
      seen.insert(follower.id).inserted
    {
      next.append(follower.track)
      last = follower.id
    }
  }
}
