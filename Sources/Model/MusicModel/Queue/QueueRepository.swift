// SPDX-License-Identifier: GPL-3.0-or-later

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

  /// Creates a header from these values.
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
