/// A queue with its history in a form to be kept, and to be made a queue again: see ``PlayQueue/kept`` and
/// ``PlayQueue/init(_:)``.
public struct KeptQueue: Sendable {
  /// What stands in a queue, and what is current.
  public struct Contents: Sendable {
    /// The title of the collection that was loaded last.
    public var title: String
    /// The items by position.
    public var items: [QueuePage]
    /// Their ids in playing order; `nil` where that is by position.
    public var order: [QueuePage]?
    /// The number of the current item, where there is one.
    public var current: UInt64?
    /// How much of it was heard.
    public var heard: Duration

    /// Contents of these parts.
    public init(
      title: String, items: [QueuePage], order: [QueuePage]?, current: UInt64?, heard: Duration
    ) {
      self.title = title
      self.items = items
      self.order = order
      self.current = current
      self.heard = heard
    }
  }

  /// An edit that can be undone, or made again.
  public struct Step: Sendable {
    /// What was done, as in "clear (214 items)".
    public var name: String
    /// What the queue holds where it is undone, or made again.
    public var contents: Contents

    /// A step of these parts.
    public init(name: String, contents: Contents) {
      self.name = name
      self.contents = contents
    }
  }

  /// What the queue holds.
  public var contents: Contents
  /// The tracks, by the numbers that the items' pages name.
  public var tracks: [UInt32: QueuePage]
  /// How it is played.
  public var modes: QueueModes
  /// What the shuffled orders come from.
  public var seed: UInt64
  /// The highest number that an item of this queue has had.
  public var lastID: UInt64
  /// The edits that can be undone, the newest last.
  public var undoable: [Step]
  /// The edits that can be made again, the next last.
  public var redoable: [Step]

  /// A queue of these parts.
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

extension KeptQueue: Equatable {
  /// Whether both are the same: of the same pages.
  public static func == (left: KeptQueue, right: KeptQueue) -> Bool {
    left.contents == right.contents && left.modes == right.modes && left.seed == right.seed
      && left.lastID == right.lastID && left.undoable == right.undoable && left.redoable == right.redoable
      && left.tracks.count == right.tracks.count
      && left.tracks.allSatisfy { number, page in right.tracks[number] === page }
  }
}

extension KeptQueue.Contents: Equatable {
  /// Whether both are the same: of the same pages.
  public static func == (left: Self, right: Self) -> Bool {
    left.title == right.title && left.current == right.current && left.heard == right.heard
      && left.items.elementsEqual(right.items, by: ===)
      && (left.order ?? []).elementsEqual(right.order ?? [], by: ===)
      && (left.order == nil) == (right.order == nil)
  }
}

extension KeptQueue.Step: Equatable {}
