// SPDX-License-Identifier: GPL-3.0-or-later

/// The queue of tracks to play, and its current item: a value without side effects.
///
/// An item has an *id*, which it keeps as long as it is in the queue and which is never reused; a *position*, its index
/// from 0; and a place in the *playing order*, which is by position unless it is random. ``reduce(_:)`` is the only way
/// to change a queue.
///
/// Copies share their storage: copying is cheap however long the queue is.
public struct PlayQueue: Sendable {
  /// The contents of the queue.
  var contents = QueueContents()
  /// The pages of tracks to which items of the contents and of the history refer.
  var table = TrackTable()
  /// The position of the item that plays, or that would resume; always a valid index of ``items``.
  public internal(set) var currentPosition: Int?
  /// The playback modes.
  public internal(set) var modes = QueueModes()
  /// Increases by one with every action that changes anything except ``heard``.
  public internal(set) var version: UInt64 = 0
  /// The generator of the shuffled orders.
  var random = QueueRandom(seed: 0)
  /// The highest id that an item has had.
  var lastID: UInt64 = 0
  /// The edits that can be undone, the latest last, each with the contents before it.
  var undoSteps: [QueueStep] = []
  /// The edits that can be redone, the next one last, each with the contents after it.
  var redoSteps: [QueueStep] = []
  /// The positions changed by recent actions.
  var log = QueueChangeLog()
  /// Whether a stored queue can still be restored.
  var beginning = Beginning()
  /// The number of pages in the table after unused ones were last removed.
  var collectedCount = 0

  /// What happened before a stored queue is restored.
  struct Beginning: Sendable {
    /// Whether the modes were set from stored ones.
    var hasModes = false
    /// Whether there was an edit other than a first ``QueueAction/enqueue(_:item:)``, or a queue was restored.
    var isOver = false
  }

  /// Creates an empty queue.
  public init() {}

  /// The title of the collection that was loaded last; "" if there was none.
  public var title: String { contents.title }
  /// The items by position.
  public var items: Items { Items(list: contents.items, table: table) }
  /// The elapsed time in the current item, as last reported, at which its playback begins.
  public var heard: Duration { contents.heard }
  /// The names of the edits that can be undone, such as "clear (214 items)", the latest last.
  public var undoable: [String] { undoSteps.map(\.name) }
  /// The names of the edits that can be redone, the next one last.
  public var redoable: [String] { redoSteps.map(\.name) }
  /// The item at ``currentPosition``.
  public var current: Item? { currentPosition.map { items[$0] } }

  /// The total duration of the items, as far as it is known.
  public var duration: Duration { items.duration(of: 0..<contents.items.count) }

  /// Returns the position of the item with this id, or `nil` if it is not in the queue.
  public func position(of id: Item.ID) -> Int? {
    if let currentPosition, contents.current == id.rawValue { return currentPosition }
    return contents.items.index(of: id.rawValue)
  }

  /// The version of the last change to the items; 0 if there was none. Changes of the current item or of the modes do
  /// not count.
  public var itemsVersion: UInt64 { log.lastVersion }

  /// Returns the positions whose items may differ from those at an earlier version of this queue, in ascending order;
  /// all positions if that version is too old.
  public func changes(since version: UInt64) -> [Range<Int>] {
    log.changes(since: version, count: contents.items.count)
  }
}

extension PlayQueue: Equatable {
  /// Whether both have the same items and playing order, the same modes, and histories with the same names.
  public static func == (left: PlayQueue, right: PlayQueue) -> Bool {
    left.version == right.version && left.currentPosition == right.currentPosition
      && left.heard == right.heard
      && left.modes == right.modes && left.lastID == right.lastID && left.random == right.random
      && left.title == right.title && left.contents.order == right.contents.order
      && left.undoable == right.undoable && left.redoable == right.redoable && left.items == right.items
  }
}
