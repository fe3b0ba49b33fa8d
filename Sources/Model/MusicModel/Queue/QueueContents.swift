/// What an edit changes and undoing it brings back; copies share their pages.
struct QueueContents: Sendable {
  /// The playing order where it is not by position.
  struct Order: Sendable, Equatable {
    /// The ids of all items.
    var ids: PageList<UInt64>
    /// What was shuffled: tracks or albums.
    let random: QueueModes.Random
  }

  /// The title of the collection that was loaded last.
  var title = ""
  /// The items by position.
  var items = PageList<QueueEntry>()
  /// The playing order; `nil` where it is by position.
  var order: Order?
  /// The id of the current item.
  var current: UInt64?
  /// How much of it was heard.
  var heard = Duration.zero

  /// Whether both differ in what an edit is there to change.
  func differs(from other: QueueContents) -> Bool {
    title != other.title || items != other.items || order != other.order
  }
}

/// An edit: its name, and what the queue held on the other side of it.
struct QueueStep: Sendable {
  var name: String
  var contents: QueueContents
}
