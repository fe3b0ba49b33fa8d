import MusicModel
import QueueFlow

/// What the now-playing view shows of the queue.
///
/// It is kept from frame to frame, since finding an item and what follows it takes its time in a long queue.
struct NowPlayingScene {
  /// The most items that are shown of those that come next.
  private static let nextLimit = 5

  /// The item that plays, or would go on playing.
  let item: PlayQueue.Item?
  /// Its position.
  let position: Int?
  /// How many items there are.
  let count: Int
  /// What the queue is called.
  let title: String
  /// What comes next by itself, in playing order.
  let next: [PlayQueue.Item]
  /// How the queue is played.
  let modes: QueueModes

  private let version: UInt64
  private let currentPosition: Int?
  private let playing: PlayQueue.Item.ID?

  /// The scene of a queue of which `playing` is heard.
  init(_ queue: PlayQueue, playing: PlayQueue.Item.ID?) {
    position = playing.flatMap { queue.position(of: $0) } ?? queue.currentPosition
    item = position.map { queue.items[$0] }
    count = queue.items.count
    title = queue.title
    modes = queue.modes
    (version, currentPosition, self.playing) = (queue.version, queue.currentPosition, playing)
    var next: [PlayQueue.Item] = []
    var seen: Set<PlayQueue.Item.ID> = []
    while next.count < Self.nextLimit,
      let follower = (next.last ?? item).flatMap({ queue.successor(of: $0.id) }),
      seen.insert(follower.id).inserted
    {
      next.append(follower)
    }
    self.next = next
  }

  /// Whether it is still the scene of this queue, of which `playing` is heard.
  func isOf(_ queue: PlayQueue, playing: PlayQueue.Item.ID?) -> Bool {
    version == queue.version && currentPosition == queue.currentPosition && self.playing == playing
  }
}
