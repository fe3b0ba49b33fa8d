public import Platform
import Synchronization
public import SystemPackage

/// Keeps a library in step with the disk while a program runs.
///
/// It begins with a rescan; then directories in which something changed are updated. One update runs at a time: what
/// changes meanwhile is merged, and done next. Nothing runs while nothing changes, nor while the library is absent.
public final class LibraryFollower: Sendable {
  private let work: FollowerWork
  private let watch: DirectoryTreeWatch
  private let worker: WorkerThread

  /// Begins to follow the library at `root`, which may be absent. Returns at once: two threads of its own do all.
  ///
  /// - Parameters:
  ///   - root: the library's directory: an absolute path, which those that are told begin with.
  ///   - pace: how long changes are gathered before an update.
  ///   - updates: what is done.
  /// - Throws: `Errno` where the system grants no thread, descriptor, or instance of inotify: then the library is not
  ///   followed.
  public init(_ root: FilePath, pace: WatchPace = WatchPace(), updates: LibraryUpdates) throws(Errno) {
    let work = FollowerWork(root, updates)
    self.work = work
    watch = try DirectoryTreeWatch(root, pace: pace, passingOver: { IgnoreRules.isSystemName($0) }) { work.add($0) }
    worker = try WorkerThread(name: "segue-follow") { work.run() }
  }

  deinit { stop() }

  /// Has following end: what is still to be done is dropped, and an update that runs is cancelled. Does not wait. From
  /// any thread.
  public func stop() {
    watch.stop()
    work.stop()
  }

  /// Waits until following has ended after ``stop()``, at most until `deadline`; says whether it has. For one thread.
  public func waitUntilStopped(by deadline: MonotonicInstant) -> Bool {
    watch.waitUntilStopped(by: deadline) && worker.join(until: deadline)
  }
}

/// What the watch's thread tells and the worker's does.
private final class FollowerWork: Sendable {
  private let pending: Mutex<PendingUpdates>
  private let updates: LibraryUpdates
  private let signal = ThreadSignal()
  private let isStopped = Atomic(false)

  init(_ root: FilePath, _ updates: LibraryUpdates) {
    pending = Mutex(PendingUpdates(root: root))
    self.updates = updates
  }

  func add(_ report: DirectoryTreeReport) {
    pending.withLock { $0.add(report) }
    signal.wake()
  }

  func stop() {
    isStopped.store(true, ordering: .releasing)
    signal.wake()
  }

  func run() {
    while !isStopped.load(ordering: .acquiring) {
      if let step = pending.withLock({ $0.next() }) { perform(step) } else { signal.wait() }
    }
  }

  private func perform(_ step: PendingUpdates.Step) {
    switch step {
    case .markAbsent: updates.markAbsent()
    case .reportUnwatched(let directories): updates.reportUnwatched(directories)
    case .rescan(let tree): updates.rescan(tree) { self.isCancelled }
    case .update(let changes): updates.update(changes) { self.isCancelled }
    }
  }

  private var isCancelled: Bool {
    isStopped.load(ordering: .relaxed) || pending.withLock { $0.isGone }
  }
}
