// SPDX-License-Identifier: GPL-3.0-or-later

/// Stores a queue, page by page; each page is written once.
///
/// All calls block for as long as the disk does; call them from any thread outside the cooperative pool, one at a time.
/// If the stored data cannot be used, it is set aside, and the call throws a fault of the kind `setAside`. From then on
/// nothing is stored, and the next queue is written completely.
public protocol QueueRepository: Sendable {
  /// Reads what is needed before the queue itself. This reads very little.
  func begin() throws(QueueFault) -> KeptBeginning

  /// Reads the queue with its history, or returns `nil` if none was ever stored.
  ///
  /// Pages that it shares with a queue passed to ``keep(_:)`` later are not written again.
  func recall() throws(QueueFault) -> KeptQueue?

  /// Stores this queue, replacing the previous one: all of it, or nothing if it throws. Only pages that are not stored
  /// yet are written.
  func keep(_ queue: KeptQueue) throws(QueueFault)

  /// Stores only the elapsed time in the current item.
  func keep(heard: Duration) throws(QueueFault)

  /// Stores only the volume, in percent.
  func keep(volume: Int) throws(QueueFault)

  /// Deletes data that is no longer needed; takes less time the less there is.
  func tidy() throws(QueueFault)

  /// Sets the stored data aside because no queue can be made from it. Returns the fault that reports it.
  func setAside() -> QueueFault

  /// Reads the stored queue for a process that does not own it: writes nothing and sets nothing aside.
  func look() throws(QueueFault) -> KeptQueue?

  /// Reads what ``begin()`` does, for a process that does not own the queue; returns `nil` if nothing was ever stored.
  func lookAtBeginning() throws(QueueFault) -> KeptBeginning?

  /// The fault to report in a process that does not own the queue, if the data that it read is invalid.
  var damaged: QueueFault { get }

  /// Closes the repository; what was stored remains.
  func close()
}

/// The stored values that apply when a program starts, before the queue itself is read.
public struct KeptBeginning: Sendable, Equatable {
  /// The playback modes.
  public var modes: QueueModes
  /// The seed of the shuffled orders.
  public var seed: UInt64
  /// The highest id that an item of the queue has had.
  public var lastID: UInt64
  /// The volume, from 0 to 100, if it was ever stored.
  public var volume: Int?

  /// Creates a beginning from these parts.
  public init(modes: QueueModes, seed: UInt64, lastID: UInt64, volume: Int?) {
    self.modes = modes
    self.seed = seed
    self.lastID = lastID
    self.volume = volume
  }
}

/// The reason why a queue could not be stored, or stored data not be used.
public struct QueueFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The consequence of the fault.
  public enum Kind: Sendable, Hashable {
    /// The stored data could not be used and was renamed; nothing is stored now.
    case setAside
    /// The stored data cannot be used, and was not changed.
    case unusable
    /// The queue could not be written; the previously stored one is still there.
    case unwritten
  }

  /// The consequence of the fault.
  public let kind: Kind
  /// A one-line message: the problem, the path, and what to do about it. Not yet escaped for a terminal.
  public let description: String

  /// Creates a fault from these parts.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
