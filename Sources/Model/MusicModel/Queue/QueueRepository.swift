/// Where a queue is kept, as the flow sees it: by its pages, each of which is written once.
///
/// All calls block while the disk does; from any thread outside of the cooperative pool, one at a time. Where what is
/// kept cannot be used, it is set aside, and the call throws a fault of the kind `setAside`; from then on nothing is
/// kept here, and whatever is given next is written whole.
public protocol QueueRepository: Sendable {
  /// What counts before the queue itself is there. Reads next to nothing.
  func begin() throws(QueueFault) -> KeptBeginning

  /// The queue with its history; `nil` where none was ever kept.
  ///
  /// What is given to ``keep(_:)`` later and shares pages with it does not write them again.
  func recall() throws(QueueFault) -> KeptQueue?

  /// Keeps this queue in the place of what was kept: all of it, or, where it throws, nothing. Only pages that are not
  /// kept yet are written.
  func keep(_ queue: KeptQueue) throws(QueueFault)

  /// Keeps how much of the current item was heard, and nothing else.
  func keep(heard: Duration) throws(QueueFault)

  /// Keeps how loud it is, in percent, and nothing else.
  func keep(volume: Int) throws(QueueFault)

  /// Removes what is not needed any more; the less there is of it, the less it does.
  func tidy() throws(QueueFault)

  /// Sets aside what is kept, since no queue can be made of it, and gives the fault that says so.
  func setAside() -> QueueFault

  /// The queue that is kept at this moment, for a process that does not own it: writes nothing and sets nothing aside.
  func look() throws(QueueFault) -> KeptQueue?

  /// What ``begin()`` would give, for such a process; `nil` where nothing was ever kept.
  func lookAtBeginning() throws(QueueFault) -> KeptBeginning?

  /// The fault for such a process where what it was given makes no queue.
  var damaged: QueueFault { get }

  /// Ends; whatever was kept stays so.
  func close()
}

/// What is kept and counts when a program begins, before the queue itself is there.
public struct KeptBeginning: Sendable, Equatable {
  /// How the queue is played.
  public var modes: QueueModes
  /// What the shuffled orders come from.
  public var seed: UInt64
  /// The highest number that an item of the queue has had.
  public var lastID: UInt64
  /// How loud it was, from 0 to 100, where that was ever kept.
  public var volume: Int?

  /// A beginning of these parts.
  public init(modes: QueueModes, seed: UInt64, lastID: UInt64, volume: Int?) {
    self.modes = modes
    self.seed = seed
    self.lastID = lastID
    self.volume = volume
  }
}

/// Why a queue could not be kept, or what was kept not be used.
public struct QueueFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// What it means for what follows.
  public enum Kind: Sendable, Hashable {
    /// What was kept could not be used, and has another name now: nothing is kept at present.
    case setAside
    /// What is kept cannot be used, and stays as it is.
    case unusable
    /// It could not be written: what was kept before is there still.
    case unwritten
  }

  /// What it means for what follows.
  public let kind: Kind
  /// One line: what, where, and what to do. Not yet safe for a terminal.
  public let description: String

  /// A fault of these parts.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
