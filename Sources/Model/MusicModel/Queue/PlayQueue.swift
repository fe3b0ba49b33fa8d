/// The tracks that are played one after the other, and which of them is current: a pure value.
///
/// An item has an *id*, which it keeps as long as it is in the queue and which is never used again, a *position*, its
/// index, from 0, and a place in the *playing order*, which is by position unless it is random. ``reduce(_:)`` is the
/// only way to change a queue.
///
/// A copy shares what it holds with the original: it costs nothing, however long the queue is.
public struct PlayQueue: Sendable {
  /// What the queue holds.
  var contents = QueueContents()
  /// The pages of tracks that the items of the contents and of the history name.
  var table = TrackTable()
  /// The position of the item that plays, or would go on playing; always an index of ``items``.
  public internal(set) var currentPosition: Int?
  /// How it is played.
  public internal(set) var modes = QueueModes()
  /// Rises by one with every action that changed anything but ``heard``.
  public internal(set) var version: UInt64 = 0
  /// What the shuffled orders come from.
  var random = QueueRandom(seed: 0)
  /// The highest number that an item has had.
  var lastID: UInt64 = 0
  /// The edits that can be undone, the newest last, each with what the queue held before it.
  var undoSteps: [QueueStep] = []
  /// The edits that can be made again, the next last, each with what the queue held after it.
  var redoSteps: [QueueStep] = []
  /// What the last changes touched.
  var log = QueueChangeLog()
  /// Whether a kept queue can still be recalled.
  var beginning = Beginning()
  /// How many pages the table had when those that nobody names were taken out last.
  var collectedCount = 0

  /// What came before a kept queue is recalled.
  struct Beginning: Sendable {
    /// Whether the modes were given.
    var hasModes = false
    /// Whether there was an edit other than a first ``QueueAction/enqueue(_:item:)``, or a queue was recalled.
    var isOver = false
  }

  /// An empty queue.
  public init() {}

  /// The title of the collection that was loaded last, "" for a queue that was never filled.
  public var title: String { contents.title }
  /// The items by position.
  public var items: Items { Items(list: contents.items, table: table) }
  /// How much of the current item was heard when that was last told: where playing it begins.
  public var heard: Duration { contents.heard }
  /// The edits that can be undone, the newest last, by their names, as in "clear (214 items)".
  public var undoable: [String] { undoSteps.map(\.name) }
  /// The edits that were taken back and can be made again, the next last.
  public var redoable: [String] { redoSteps.map(\.name) }
  /// The item at ``currentPosition``.
  public var current: Item? { currentPosition.map { items[$0] } }

  /// How long the items last in all, as far as that is known.
  public var duration: Duration { items.duration(of: 0..<contents.items.count) }

  /// The position of the item with this id, or `nil` if the queue does not hold it.
  public func position(of id: Item.ID) -> Int? {
    if let currentPosition, contents.current == id.rawValue { return currentPosition }
    return contents.items.index(of: id.rawValue)
  }

  /// The version that the last change of the items made, 0 where there was none: what is current and how it is played
  /// are other matters.
  public var itemsVersion: UInt64 { log.lastVersion }

  /// The positions whose item may be another than at this earlier version of this queue, in rising order; all where
  /// that is too long ago to be known.
  public func changes(since version: UInt64) -> [Range<Int>] {
    log.changes(since: version, count: contents.items.count)
  }
}

extension PlayQueue: Equatable {
  /// Whether both hold the same, are played alike, and can undo and redo edits of the same names.
  public static func == (left: PlayQueue, right: PlayQueue) -> Bool {
    left.version == right.version && left.currentPosition == right.currentPosition
      && left.heard == right.heard
      && left.modes == right.modes && left.lastID == right.lastID && left.random == right.random
      && left.title == right.title && left.contents.order == right.contents.order
      && left.undoable == right.undoable && left.redoable == right.redoable && left.items == right.items
  }
}
