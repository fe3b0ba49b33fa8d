// SPDX-License-Identifier: GPL-3.0-or-later

/// The queue of tracks to play, with its current item: a value without side effects.
///
/// An item has an *ID*, which stays the same while it is in the queue and is never reused; a *position*, its index from
/// 0; and a place in the *playing order*, which is by position unless it is random. ``reduce(_:)`` is the only way to
/// change a queue.
///
/// Copies share their storage: copying is cheap even for a long queue.
public struct PlayQueue: Sendable {
  /// The name of the queue.
  public internal(set) var name = QueueName.standard
  /// The queues that were current before this one, since the program started, as they were left.
  public internal(set) var left: [QueueName: PlayQueue] = [:]
  var contents = QueueContents()
  /// The pages of tracks to which items of the contents and of the history refer.
  var table = TrackTable()
  /// The position of the current item, which plays or would resume; always a valid index of ``items``, or `nil` if no
  /// item is current.
  public internal(set) var currentPosition: Int?
  /// The playback modes.
  public internal(set) var modes = QueueModes()
  /// The version of the queue, which increases by one with every action that changes anything except ``elapsed``.
  public internal(set) var version: UInt64 = 0
  /// The random number generator for shuffled orders.
  var random = QueueRandom(seed: 0)
  /// The highest ID that was ever given to an item.
  var lastID: UInt64 = 0
  /// The edits that can be undone, each with the contents before it; the latest one is last.
  var undoSteps: [QueueStep] = []
  /// The edits that can be redone, each with the contents after it; the one to redo next is last.
  var redoSteps: [QueueStep] = []
  /// The number of edits so far, and of undone and redone ones, since the program started. It tells what was done
  /// before other changes, and what after them.
  public internal(set) var stepCount: UInt64 = 0
  /// The ``stepCount`` after the last edit. What was undone before it cannot be redone.
  public internal(set) var lastEdit: UInt64 = 0
  /// The log of positions that recent actions changed.
  var log = QueueChangeLog()
  /// Whether a stored queue can still be restored, and whether its modes are already set.
  var restoreState = RestoreState()
  /// The number of the last scan of the library whose moves of files the tracks follow; see ``FileMoves``.
  public internal(set) var lastScan: Int64 = 0
  /// The number of pages in the table after unused ones were last removed.
  var collectedCount = 0

  /// The state of a queue before a stored queue is restored.
  struct RestoreState: Sendable {
    /// Whether the modes were set from stored ones.
    var hasModes = false
    /// Whether a stored queue can no longer be restored: one has already been restored, or there was an edit other than
    /// a first ``QueueAction/enqueue(_:item:)``.
    var isOver = false
  }

  /// Creates an empty queue.
  public init(named name: QueueName = .standard) { self.name = name }

  /// The title of the collection that was loaded last; "" if there was none.
  public var title: String { contents.title }
  /// The items, in the order of their positions.
  public var items: Items { Items(list: contents.items, table: table) }
  /// The elapsed time of the current item, as last reported. Its playback begins there.
  public var elapsed: Duration { contents.elapsed }
  /// The names of the edits that can be undone, such as "clear (214 items)"; the latest one is last.
  public var undoable: [String] { undoSteps.map(\.name) }
  /// The names of the edits that can be redone; the one to redo next is last.
  public var redoable: [String] { redoSteps.map(\.name) }
  /// The ``stepCount`` after each of the edits in ``undoable`` was made or redone, ascending.
  public var undoableNumbers: [UInt64] { undoSteps.map(\.number) }
  /// The ``stepCount`` after each of the edits in ``redoable`` was undone, ascending.
  public var redoableNumbers: [UInt64] { redoSteps.map(\.number) }
  /// The current item; `nil` if there is none.
  public var current: Item? { currentPosition.map { items[$0] } }

  /// The total duration of the items, as far as their durations are known.
  public var duration: Duration { items.duration(of: 0..<contents.items.count) }

  /// Returns the position of the item with this ID, or `nil` if it is not in the queue.
  public func position(of id: Item.ID) -> Int? {
    // While an action is applied, the current item may have moved already.
    if let currentPosition, currentPosition < contents.items.count, contents.items[currentPosition].id == id.rawValue {
      return currentPosition
    }
    return contents.items.index(of: id.rawValue)
  }

  /// The version of the last change to the items; 0 if there was none. Changes to the current item or to the modes do
  /// not count.
  public var itemsVersion: UInt64 { log.lastVersion }

  /// Returns the positions whose items may have changed since an earlier version of this queue, as ascending ranges.
  /// Returns all positions if that version is too old.
  public func changes(since version: UInt64) -> [Range<Int>] {
    log.changes(since: version, count: contents.items.count)
  }
}

extension PlayQueue: Equatable {
  /// Whether both queues have the same name, version, items, playing order, current item and modes, and the same names
  /// in their histories.
  public static func == (left: PlayQueue, right: PlayQueue) -> Bool {
    left.name == right.name && left.version == right.version && left.currentPosition == right.currentPosition
      && left.elapsed == right.elapsed
      && left.modes == right.modes && left.lastID == right.lastID && left.random == right.random
      && left.title == right.title && left.contents.order == right.contents.order
      && left.undoable == right.undoable && left.redoable == right.redoable && left.items == right.items
  }
}

/// The playback modes of a queue.
public struct QueueModes: Sendable, Hashable {
  /// The repeat mode: what happens at the end of the queue.
  public enum Repeat: String, Sendable, Hashable, CaseIterable {
    /// Playback ends.
    case off
    /// The queue starts again; in random order, with a newly shuffled order.
    case all
    /// The current item repeats; `next` still moves to the next item.
    case one
    /// The current album repeats, that is, the adjacent items of the same album.
    case album
  }

  /// The playing order.
  public enum Random: String, Sendable, Hashable, CaseIterable {
    /// By position.
    case off
    /// Tracks in random order, each of them once.
    case tracks
    /// Albums in random order; the items of each album are played together, by position.
    case albums
    /// Tracks in random order, with those of an artist, and those of an album, as far apart as possible.
    case spread
  }

  /// Whether playback pauses after every item.
  public enum Single: String, Sendable, Hashable, CaseIterable {
    case off
    /// Playback pauses after every item, at the beginning of the next one. If repeat is on, the item repeats instead,
    /// unless it is consumed.
    case on
    /// Playback pauses once, after the current item; then the mode turns off. If repeat is on, or there is no next
    /// item, the mode stays on.
    case once
  }

  /// The point where playback stops once.
  public enum StopPoint: String, Sendable, Hashable, CaseIterable {
    /// After the current item.
    case current
    /// After the current album.
    case album
  }

  /// The repeat mode: what happens at the end of the queue.
  public var `repeat` = Repeat.off
  /// The playing order.
  public var random = Random.off
  /// Whether playback pauses after every item.
  public var single = Single.off
  /// Whether an item is removed from the queue after playback.
  public var consume = false
  /// Whether ``consume`` turns off after one item has been removed.
  public var consumesOnce = false
  /// The point where playback stops once; it becomes `nil` again afterwards.
  public var stopAfter: StopPoint?
  /// The music that is added before the queue ends; `nil` if none is.
  public var keepPlaying: KeepPlaying?

  /// Creates the default modes: everything off.
  public init() {}
}
