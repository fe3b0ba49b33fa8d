import MusicModel

/// How much of an item was heard.
struct HeardItem: Sendable {
  let item: PlayQueue.Item.ID
  let position: Duration
}
