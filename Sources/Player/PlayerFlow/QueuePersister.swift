// SPDX-License-Identifier: GPL-3.0-or-later

import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Stores the queue and the volume in the state directory, on a thread of its own, by observing both stores.
///
/// It takes the lock of the directory and dispatches what was stored: ``QueueAction/started(_:seed:lastID:)`` and the
/// volume immediately, and ``QueueAction/restored(_:)`` when the whole queue has been read. A change is written 20 ms
/// later, so that changes that arrive together are written together; if they arrive faster, only the newest is written.
/// A failed write is repeated until it succeeds.
///
/// When another queue becomes current, the one that was left is stored first, and then the new one, before that is
/// recorded as current: whenever the process ends, the current queue is complete.
///
/// If another process owns the directory, or it cannot be written to, nothing is stored. In the latter case, the
/// initialiser itself loads and dispatches what can be read there.
///
/// Every member may be called from any thread outside of the cooperative pool, but not from a subscriber.
public final class QueuePersister: Sendable {
  /// The owner of the state directory.
  public enum Ownership: Sendable, Equatable {
    /// This persister owns the directory.
    case own
    /// Another process owns the directory; its process ID is `nil` if it is not known.
    case other(process: Int32?)
    /// No process owns the directory: it cannot be used, for this reason.
    case none(Errno)
  }

  /// The owner of the state directory. It does not change during the life of this persister.
  public let ownership: Ownership
  /// The stored queues; only ``ownership`` allows changing them.
  public let queues: any QueueCollection
  private let work: PersistenceWorker
  private let thread: WorkerThread?
  private let subscriptions: [Subscription]

  /// Creates a persister that takes the lock of `directory` and begins to read the current one of `queues` there.
  ///
  /// Apart from taking the lock, it does not wait for the disk.
  ///
  /// - Parameters:
  ///   - restoresVolume: Whether to apply the stored volume, too.
  ///   - newModes: The modes for a queue that never had an item, and in which no mode was ever turned on.
  ///   - isRendering: Whether this process renders to a file, once and, by default, at the level of the files. The
  ///     stored modes and volume are then neither applied nor changed.
  /// - Throws: `Errno` if the system cannot create the thread.
  public init(
    _ context: PersistenceContext, _ queues: any QueueCollection, in directory: FilePath, restoresVolume: Bool,
    newModes: QueueModes = QueueModes(), isRendering: Bool, clock: any MonotonicClock = SystemClock()
  ) throws(Errno) {
    self.queues = queues
    let lock: InstanceLock?
    do throws(InstanceLockError) {
      try Self.makeDirectory(directory)
      lock = try InstanceLock(directory.appending("owner.lock"))
      ownership = .own
    } catch {
      lock = nil
      ownership = Self.ownership(error)
    }
    StreamSecrets.shared.use(directory, isOwner: lock != nil)
    let work = PersistenceWorker(
      context, queues, lock, restoresVolume: restoresVolume, newModes: newModes, isRendering: isRendering,
      clock: clock)
    self.work = work
    guard lock != nil else {
      (thread, subscriptions) = (nil, [])
      let isUnusable = if case .none = ownership { true } else { false }
      work.startWithoutStoring(restoresQueue: isUnusable)
      return
    }
    thread = try WorkerThread(name: "segue-storage") { work.run() }
    subscriptions = [
      context.queue.observe(withElapsed: true) { work.receive($0) },
      context.playback.observe { work.receive($0) },
    ]
  }

  deinit { work.end() }

  /// Blocks until the stored modes, item numbers and volume have been dispatched. Tracks must not be enqueued before
  /// that.
  public func awaitOpening() { work.opening.wait() }

  /// Blocks until the stored queue has been dispatched or found unusable.
  public func awaitRecall() {
    work.requestQueue()
    work.recall.wait()
  }

  /// Blocks until everything dispatched so far is on disk; returns the error of the last write, or `nil` if it
  /// succeeded.
  @discardableResult
  public func flush() -> QueueStorageError? { thread == nil ? nil : work.flush() }

  /// Returns the messages that the user has not seen yet, one line each, and clears them. They are not yet
  /// escaped for a terminal.
  public func takeNotices() -> [String] { work.takeNotices() }

  /// Writes what has not been written yet, for at most `milliseconds`, and ends the thread.
  public func finish(within milliseconds: UInt64) {
    for subscription in subscriptions { subscription.cancel() }
    work.end()
    _ = thread?.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds))
  }

  private static func makeDirectory(_ directory: FilePath) throws(InstanceLockError) {
    do throws(Errno) {
      try AtomicFile.makeDirectories(directory)
    } catch {
      throw .unusable(error)
    }
  }

  private static func ownership(_ failure: InstanceLockError) -> Ownership {
    switch failure {
    case .owned(let process): .other(process: process)
    case .unusable(let error): .none(error)
    }
  }
}

/// The stores that a ``QueuePersister`` observes, and the dispatcher that it uses.
public struct PersistenceContext: Sendable {
  let queue: QueueListener
  let playback: PlaybackStore
  let dispatcher: QueueDispatcher

  public init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher
  ) {
    self.queue = queue
    self.playback = playback
    self.dispatcher = dispatcher
  }
}

/// The pending work of the persistence thread.
struct PersistenceState {
  /// The elapsed time of the item that is playing, or played last.
  struct ItemPosition: Equatable {
    var item: PlayQueue.Item.ID
    var position: Duration
  }

  /// How old the stored position may become, in milliseconds. Positions are reported once a second, so every report is
  /// written.
  static let maximumElapsedAge: UInt64 = 400

  /// Whether the queue may differ from the stored one.
  var isQueueChanged = false
  /// Whether the playback state or the volume may differ from the stored one.
  var isStateChanged = false
  var isElapsedDue = false
  /// The position in the item that is playing or played last; `nil` if nothing has played.
  private(set) var elapsed: ItemPosition?
  /// The position at which the queue would resume its current item; `nil` if it has none.
  private var queueElapsed: ItemPosition?
  /// The latches to open when everything pending is on disk.
  var flushes: [Latch] = []
  /// Whether a caller is waiting for the stored queue.
  var isQueueAwaited = false
  /// Whether the thread should end.
  var isEnding = false
  /// The error of the last write; `nil` if it succeeded.
  var error: QueueStorageError?
  /// Messages that the user has not seen yet.
  var notices: [String] = []

  private var lastState = PlaybackState()
  private var lastStateInstant: MonotonicInstant
  private var elapsedDueTime: MonotonicInstant

  /// Creates a state without pending work at `now`.
  init(at now: MonotonicInstant) {
    lastStateInstant = now
    elapsedDueTime = now
  }

  var hasWork: Bool { isQueueChanged || isStateChanged || isElapsedDue || !flushes.isEmpty }
  /// Whether there is anything to write that may wait for further changes.
  var mayWait: Bool { (isQueueChanged || isStateChanged) && flushes.isEmpty && !isEnding }

  mutating func receive(_ queue: PlayQueue) {
    isQueueChanged = true
    let new = queue.current.map { ItemPosition(item: $0.id, position: queue.elapsed) }
    guard new != queueElapsed else { return }
    // The queue itself knows the elapsed time of its current item.
    queueElapsed = new
    elapsed = nil
    isElapsedDue = isElapsedDue || lastState.phase == .stopped
  }

  /// Receives a playback state that was published at `now`; returns whether there is anything to write.
  mutating func receive(_ new: PlaybackState, at now: MonotonicInstant) -> Bool {
    let passed = Duration.nanoseconds(Int64(clamping: now.nanoseconds - lastStateInstant.nanoseconds))
    // The usual progress of the previous state needs no immediate write.
    let isChanged = !new.isExpected(after: lastState, passed)
    if isChanged {
      isStateChanged = true
      lastState = new
      lastStateInstant = now
    }
    // An item that was requested and has not started yet is the current one of the queue.
    let latest: ItemPosition? =
      if new.hasRequest {
        queueElapsed.map { ItemPosition(item: $0.item, position: new.requestedPosition) }
      } else if new.phase != .stopped {
        new.item.map { ItemPosition(item: $0, position: new.position) }
      } else {
        nil
      }
    if let latest {
      elapsed = latest
      if isChanged || elapsedDueTime.advanced(byMilliseconds: Self.maximumElapsedAge) <= now {
        isElapsedDue = true
        elapsedDueTime = now
      }
    }
    return isChanged || isElapsedDue
  }

  /// Returns the elapsed time of the current item. It may be more recent than the time stored in `queue`.
  func elapsed(in queue: PlayQueue) -> Duration {
    guard let elapsed, elapsed.item == queue.current?.id else { return queue.elapsed }
    return elapsed.position
  }
}
