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

    public init(name: String, contents: Contents) {
      self.name = name
      self.contents = contents
    }
  }

  public var contents: Contents
  /// The pages of tracks, by page number. Items refer to tracks by these numbers.
  public var tracks: [UInt32: QueuePage]
  /// The playback modes.
  public var modes: QueueModes
  /// The seed for shuffled orders.
  public var seed: UInt64
  /// The highest ID that was ever given to an item of this queue.
  public var lastID: UInt64
  /// The number of the last scan of the library whose moves of files the tracks follow; see ``FileMoves``.
  public var lastScan: Int64
  /// The edits that can be undone; the latest one is last.
  public var undoable: [Step]
  /// The edits that can be redone; the one to redo next is last.
  public var redoable: [Step]

  public init(
    contents: Contents, tracks: [UInt32: QueuePage], modes: QueueModes, seed: UInt64, lastID: UInt64,
    lastScan: Int64 = 0, undoable: [Step], redoable: [Step]
  ) {
    self.contents = contents
    self.tracks = tracks
    self.modes = modes
    self.seed = seed
    self.lastID = lastID
    self.lastScan = lastScan
    self.undoable = undoable
    self.redoable = redoable
  }
}

extension StoredQueue: Equatable {
  /// Whether both queues have the same values and share the same pages.
  public static func == (left: StoredQueue, right: StoredQueue) -> Bool {
    left.contents == right.contents && left.modes == right.modes && left.seed == right.seed
      && left.lastID == right.lastID && left.lastScan == right.lastScan && left.undoable == right.undoable
      && left.redoable == right.redoable
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

/// Stores a queue page by page; each page is written only once.
///
/// All calls block until the disk has been read or written. Make them from any thread outside the cooperative pool, one
/// at a time. If the stored data cannot be used, it is set aside, and the call throws a ``QueueStorageError`` of the
/// kind `setAside`. The repository is then empty, so the next queue is written completely.
public protocol QueueRepository: Sendable {
  /// Reads the values that are needed before the queue itself. Very little is read.
  func readHeader() throws(QueueStorageError) -> StoredQueueHeader

  /// Reads the queue with its history, or returns `nil` if none was ever stored.
  ///
  /// If a queue is passed to ``store(_:)`` later, the pages that it shares with this one are not written again.
  func restore() throws(QueueStorageError) -> StoredQueue?

  /// Stores a queue, replacing the previous one. If it throws, nothing has changed. Only pages that are not stored yet
  /// are written.
  func store(_ queue: StoredQueue) throws(QueueStorageError)

  /// Stores only the elapsed time of the current item.
  func store(elapsed: Duration) throws(QueueStorageError)

  /// Stores only the volume, in percent.
  func store(volume: Int) throws(QueueStorageError)

  /// Deletes data that is no longer needed. The less there is of it, the less time it takes.
  func deleteUnused() throws(QueueStorageError)

  /// Sets the stored data aside because no queue can be created from it. Returns the error to report.
  func setAside() -> QueueStorageError

  /// Reads the stored queue for a process that does not own it. Writes nothing and sets nothing aside.
  func peek() throws(QueueStorageError) -> StoredQueue?

  /// Reads the same values as ``readHeader()``, for a process that does not own the queue. Returns `nil` if nothing was
  /// ever stored.
  func peekHeader() throws(QueueStorageError) -> StoredQueueHeader?

  /// The error to report if a process that does not own the queue has read invalid data.
  var damageError: QueueStorageError { get }

  /// Closes the repository. The stored data remains.
  func close()
}

/// The stored values that are needed when a program starts, before the queue itself is read.
public struct StoredQueueHeader: Sendable, Equatable {
  /// The playback modes.
  public var modes: QueueModes
  /// The seed for shuffled orders.
  public var seed: UInt64
  /// The highest ID that was ever given to an item of the queue.
  public var lastID: UInt64
  /// The volume, from 0 to 100; `nil` if it was never stored.
  public var volume: Int?

  public init(modes: QueueModes, seed: UInt64, lastID: UInt64, volume: Int?) {
    self.modes = modes
    self.seed = seed
    self.lastID = lastID
    self.volume = volume
  }
}

/// An error from storing a queue, or from reading a stored one.
public struct QueueStorageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The effect of the error on the stored data.
  public enum Kind: Sendable, Hashable {
    /// The stored data could not be used and was renamed; nothing is stored now.
    case setAside
    /// The stored data cannot be used, and was left unchanged.
    case unusable
    /// The queue could not be written; the previously stored one is still there.
    case unwritten
  }

  /// The effect of the error on the stored data.
  public let kind: Kind
  /// A one-line message with the problem, the path, and what to do about it. It is not yet escaped for a terminal.
  public let description: String

  /// Creates an error of this kind.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
