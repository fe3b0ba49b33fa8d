// SPDX-License-Identifier: GPL-3.0-or-later

/// A queue with its history, in a form that can be stored and restored: see ``PlayQueue/stored`` and
/// ``PlayQueue/init(_:)``.
public struct StoredQueue: Sendable {
  /// The contents of a queue, including which item is current.
  public struct Contents: Sendable {
    /// The title of the collection that was loaded last.
    public var title: String
    /// The pages of items, in the order of their positions.
    public var items: [QueuePage]
    /// The pages of item IDs in playing order; `nil` if items are played in the order of their positions.
    public var order: [QueuePage]?
    /// The ID of the current item; `nil` if there is none.
    public var current: UInt64?
    /// The elapsed time of the current item.
    public var elapsed: Duration

    /// Creates contents from these values.
    public init(
      title: String, items: [QueuePage], order: [QueuePage]?, current: UInt64?, elapsed: Duration
    ) {
      self.title = title
      self.items = items
      self.order = order
      self.current = current
      self.elapsed = elapsed
    }
  }

  /// An edit that can be undone or redone.
  public struct Step: Sendable {
    /// The name of the edit, such as "clear (214 items)".
    public var name: String
    /// The contents of the queue after undoing or redoing the edit.
    public var contents: Contents

    /// Creates a step from its name and contents.
    public init(name: String, contents: Contents) {
      self.name = name
      self.contents = contents
    }
  }

  /// The contents of the queue.
  public var contents: Contents
  /// The pages of tracks, by page number. Items refer to tracks by these numbers.
  public var tracks: [UInt32: QueuePage]
  /// The playback modes.
  public var modes: QueueModes
  /// The seed for shuffled orders.
  public var seed: UInt64
  /// The highest ID that was ever given to an item of this queue.
  public var lastID: UInt64
  /// The edits that can be undone; the latest one is last.
  public var undoable: [Step]
  /// The edits that can be redone; the one to redo next is last.
  public var redoable: [Step]

  /// Creates a queue from these values.
  public init(
    contents: Contents, tracks: [UInt32: QueuePage], modes: QueueModes, seed: UInt64, lastID: UInt64,
    undoable: [Step],
    redoable: [Step]
  ) {
    self.contents = contents
    self.tracks = tracks
    self.modes = modes
    self.seed = seed
    self.lastID = lastID
    self.undoable = undoable
    self.redoable = redoable
  }
}

extension StoredQueue: Equatable {
  /// Whether both queues have the same values and share the same pages.
  public static func == (left: StoredQueue, right: StoredQueue) -> Bool {
    left.contents == right.contents && left.modes == right.modes && left.seed == right.seed
      && left.lastID == right.lastID && left.undoable == right.undoable && left.redoable == right.redoable
      && left.tracks.count == right.tracks.count
      && left.tracks.allSatisfy { number, page in right.tracks[number] === page }
  }
}

extension StoredQueue.Contents: Equatable {
  /// Whether both contents have the same values and share the same pages.
  public static func == (left: Self, right: Self) -> Bool {
    left.title == right.title && left.current == right.current && left.elapsed == right.elapsed
      && left.items.elementsEqual(right.items, by: ===)
      && (left.order ?? []).elementsEqual(right.order ?? [], by: ===)
      && (left.order == nil) == (right.order == nil)
  }
}

extension StoredQueue.Step: Equatable {}
