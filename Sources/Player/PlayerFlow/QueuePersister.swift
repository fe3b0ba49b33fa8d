// SPDX-License-Identifier: GPL-3.0-or-later

public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Stores the queue and the volume in the state directory, on a thread of its own. Subscribes to both stores.
///
/// It takes the lock of the directory and dispatches what was stored: ``QueueAction/opened(_:seed:lastID:)`` and the
/// volume at once, and ``QueueAction/recalled(_:)`` when the whole queue has been read. A change is written 20 ms
/// later, so that changes that arrive together are written together; if they arrive faster, only the newest is written.
/// A failed write is repeated until it succeeds.
///
/// If another process owns the directory, or it cannot be written, nothing is stored. In the latter case, the
/// initializer itself loads and dispatches what can be read there.
///
/// Every member may be called from any thread outside the cooperative pool, but not from a subscriber.
public final class QueuePersister: Sendable {
  /// The owner of the state directory.
  public enum Ownership: Sendable, Equatable {
    /// This persister.
    case own
    /// Another process, with its process id if known.
    case other(process: Int32?)
    /// No one: the directory cannot be used, for this reason.
    case none(Errno)
  }

  /// The owner of the state directory. It does not change during the life of this persister.
  public let ownership: Ownership
  private let work: PersistenceWorker
  private let thread: WorkerThread?
  private let subscriptions: [Subscription]

  /// Creates a persister that takes the lock of `directory` and begins to read what `repository` holds there.
  ///
  /// Apart from taking the lock, this does not wait for the disk.
  ///
  /// - Parameters:
  ///   - takesVolume: Whether the stored volume is applied too.
  ///   - newModes: The modes of a queue that never had an item and of which no mode was ever turned on.
  ///   - isRendering: Whether this process renders to a file, once and, unless told otherwise, at the level of the
  ///     files. The stored modes and volume are then neither applied nor changed.
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    _ flow: KeeperFlow, _ repository: any QueueRepository, in directory: FilePath, takesVolume: Bool,
    newModes: QueueModes = QueueModes(), isRendering: Bool, clock: any MonotonicClock = SystemClock()
  ) throws(Errno) {
    let lock: OwnerLock?
    do throws(OwnerLockError) {
      try Self.makeDirectory(directory)
      lock = try OwnerLock(directory.appending("owner.lock"))
      ownership = .own
    } catch {
      lock = nil
      ownership = Self.ownership(error)
    }
    let work = PersistenceWorker(
      flow, repository, lock, takesVolume: takesVolume, newModes: newModes, isRendering: isRendering,
      clock: clock)
    self.work = work
    guard lock != nil else {
      (thread, subscriptions) = (nil, [])
      let isUnusable = if case .none = ownership { true } else { false }
      work.beginWithoutKeeping(readsKept: isUnusable)
      return
    }
    thread = try WorkerThread(name: "segue-keeper") { work.run() }
    subscriptions = [
      flow.queue.observe(withPlaces: true) { work.take($0) },
      flow.playback.observe { work.take($0) },
    ]
  }

  deinit { work.end() }

  /// Blocks until the stored modes, item numbers and volume have been dispatched. Tracks must not be enqueued earlier.
  public func awaitOpening() { work.opening.wait() }

  /// Blocks until the stored queue has been dispatched or found unusable.
  public func awaitRecall() {
    work.hurry()
    work.recall.wait()
  }

  /// Blocks until everything dispatched so far is on the disk. Returns the error of the last write, if it failed.
  @discardableResult
  public func flush() -> QueueFault? { thread == nil ? nil : work.flush() }

  /// Returns the messages that the user has not seen yet, one line each, and clears them. The text is not yet safe for
  /// a terminal.
  public func takeNotices() -> [String] { work.takeNotices() }

  /// Writes what is still unwritten, for at most `milliseconds`, and ends the thread.
  public func finish(within milliseconds: UInt64) {
    for subscription in subscriptions { subscription.cancel() }
    work.end()
    _ = thread?.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }

  private static func makeDirectory(_ directory: FilePath) throws(OwnerLockError) {
    do throws(Errno) {
      try AtomicFile.makeDirectories(directory)
    } catch {
      throw .unusable(error)
    }
  }

  private static func ownership(_ failure: OwnerLockError) -> Ownership {
    switch failure {
    case .owned(let process): .other(process: process)
    case .unusable(let error): .none(error)
    }
  }
}

/// The stores and the dispatcher that a ``QueuePersister`` works with.
public struct KeeperFlow: Sendable {
  let queue: QueueListener
  let playback: PlaybackStore
  let dispatcher: QueueDispatcher

  /// Creates a flow from its parts.
  public init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher
  ) {
    self.queue = queue
    self.playback = playback
    self.dispatcher = dispatcher
  }
}
