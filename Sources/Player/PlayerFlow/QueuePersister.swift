public import Flux
public import MusicModel
public import Platform
public import SystemPackage

/// Keeps the queue and the volume in the state directory, on a thread of its own: a subscriber of both stores.
///
/// It takes the directory's lock, and dispatches what was kept: at once ``QueueAction/opened(_:seed:lastID:)`` and the
/// volume, and ``QueueAction/recalled(_:)`` when the whole is read. What changes is written 20 ms later, so that
/// changes that come together are written together; where they come faster, only the newest is. What cannot be written
/// is tried again until it can. Where another process has the directory, or nothing can be written there, nothing is
/// kept; in the latter case, what can be read there is recalled all the same, by the initializer itself. Every member
/// may be called from any thread outside of the cooperative pool, but none from within a subscriber.
public final class QueuePersister: Sendable {
  /// Who has the state directory.
  public enum Ownership: Sendable, Equatable {
    /// This keeper.
    case own
    /// A process, the one with this number, where that is known.
    case other(process: Int32?)
    /// Nobody: it cannot be used, for this reason.
    case none(Errno)
  }

  /// Who has the state directory: for as long as this keeper works.
  public let ownership: Ownership
  private let work: PersistenceWorker
  private let thread: WorkerThread?
  private let subscriptions: [Subscription]

  /// Takes the lock of `directory`, and begins to read what `repository` keeps there.
  ///
  /// Waits for no disk but to take the lock.
  ///
  /// - Parameters:
  ///   - takesVolume: whether the kept volume counts, too.
  ///   - newModes: the modes of a queue that never had an item, and of which none was turned on.
  ///   - isRendering: whether this process plays into a file, once and as loud as the files are unless it is told
  ///     otherwise: the kept modes
  ///     and volume neither count nor change.
  /// - Throws: `Errno` where the system grants no thread.
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

  /// Blocks until the queue's modes and numbers and the volume are dispatched: what is enqueued has to come behind
  /// that.
  public func awaitOpening() { work.opening.wait() }

  /// Blocks until all that was kept is dispatched, or is known to be of no use.
  public func awaitRecall() {
    work.hurry()
    work.recall.wait()
  }

  /// Blocks until all that was dispatched so far is on the disk; gives why the last of it could not be written, if it
  /// could not.
  @discardableResult
  public func flush() -> QueueFault? { thread == nil ? nil : work.flush() }

  /// What the user should know and was not told yet, a line each, not yet safe for a terminal; from now on it counts as
  /// told.
  public func takeNotices() -> [String] { work.takeNotices() }

  /// Writes what is not written yet, at most until `milliseconds` have passed, and ends.
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

/// What a keeper listens to, and what it speaks to.
public struct KeeperFlow: Sendable {
  let queue: QueueListener
  let playback: PlaybackStore
  let dispatcher: QueueDispatcher

  /// A flow of these parts.
  public init(
    queue: QueueListener, playback: PlaybackStore, dispatcher: QueueDispatcher
  ) {
    self.queue = queue
    self.playback = playback
    self.dispatcher = dispatcher
  }
}
