// SPDX-License-Identifier: GPL-3.0-or-later

public import Platform
public import SystemPackage
import Tagging

/// Keeps the index up to date with the disk while a program runs.
///
/// It starts with a rescan, and then updates the directories in which something changes. One update runs at a time, and
/// changes in the meantime are merged for the next one. Nothing runs while nothing changes, or while the library is
/// absent.
public final class LibraryWatcher: Sendable {
  private let watch: DirectoryTreeWatch
  private let worker: Worker<PendingUpdates>

  /// Starts watching the library at `root`, which may be absent. Returns immediately; two threads do the work.
  ///
  /// - Parameters:
  ///   - root: The absolute path of the library's directory. Reported paths begin with it.
  ///   - delays: How long changes are collected before an update.
  ///   - updates: The actions to perform.
  /// - Throws: `Errno` if the system provides no thread, descriptor or inotify instance; the library is then not
  ///   watched.
  public init(_ root: FilePath, delays: WatchDelays = WatchDelays(), updates: WatcherActions) throws(Errno) {
    let worker = Worker(named: "segue-updates", PendingUpdates(root: root))
    self.worker = worker
    watch = try DirectoryTreeWatch(root, delays: delays, ignoring: { SystemNames.contains($0) }) { report in
      worker.post { $0.add(report) }
    }
    try worker.start(taking: { $0.next() }) { step in
      updates.perform(step) { worker.isClosed || worker.withPending { $0.isMissing } }
    }
  }

  deinit { stop() }

  /// Stops watching the library. Pending updates are dropped, and a running one is cancelled. Returns without waiting.
  /// Safe to call from any thread.
  public func stop() {
    watch.stop()
    worker.close()
  }

  /// Waits after ``stop()`` until the watcher's threads have ended, or until `deadline`. Returns whether they have
  /// ended. Call it on one thread only.
  package func waitUntilStopped(by deadline: MonotonicInstant) -> Bool {
    watch.waitUntilStopped(by: deadline) && worker.join(until: deadline)
  }
}

/// The actions that a ``LibraryWatcher`` performs on a library, provided by the owner of the index.
///
/// All actions are called on one of the watcher's threads, one at a time, and may block. They should check
/// `isCancelled` often and end early when it returns `true`, which means that the root is missing or that the watcher
/// was stopped.
public struct WatcherActions: Sendable {
  /// A closure that returns whether an update should end early. Safe to call from any thread.
  public typealias IsCancelled = @Sendable () -> Bool

  /// Updates the index with moves, and with directories whose entries changed.
  ///
  /// Apply the moves first, in order. Then update each directory itself; some of them may be missing. Read a
  /// subdirectory only if the index does not have it: a moved directory may be unknown to the index.
  public var update: @Sendable (_ changes: DirectoryTreeChanges, _ isCancelled: IsCancelled) -> Void
  /// Updates the index with a directory and everything below it. It is also called once at the start, so that no other
  /// scan is needed.
  public var rescan: @Sendable (_ tree: FilePath, _ isCancelled: IsCancelled) -> Void
  /// Marks the library as absent because its root is missing. When the root is back, ``rescan`` is called.
  public var markAbsent: @Sendable () -> Void
  /// Reports directories that cannot be watched, including everything below them, because
  /// `fs.inotify.max_user_watches` is too low.
  public var reportUnwatched: @Sendable (_ directories: [FilePath]) -> Void

  public init(
    update: @escaping @Sendable (_ changes: DirectoryTreeChanges, _ isCancelled: IsCancelled) -> Void,
    rescan: @escaping @Sendable (_ tree: FilePath, _ isCancelled: IsCancelled) -> Void,
    markAbsent: @escaping @Sendable () -> Void,
    reportUnwatched: @escaping @Sendable (_ directories: [FilePath]) -> Void
  ) {
    self.update = update
    self.rescan = rescan
    self.markAbsent = markAbsent
    self.reportUnwatched = reportUnwatched
  }

  fileprivate func perform(_ step: PendingUpdates.Step, _ isCancelled: @escaping IsCancelled) {
    switch step {
    case .markAbsent: markAbsent()
    case .reportUnwatched(let directories): reportUnwatched(directories)
    case .rescan(let tree): rescan(tree, isCancelled)
    case .update(let changes): update(changes, isCancelled)
    }
  }
}

/// The reported changes of a library that have not been processed yet, merged so that nothing is done twice.
struct PendingUpdates {
  /// An action to perform.
  enum Step: Equatable {
    case markAbsent
    case reportUnwatched([FilePath])
    case rescan(FilePath)
    case update(DirectoryTreeChanges)
  }

  /// The number of comparisons between changed directories and later moves above which reading the whole tree is faster
  /// than computing the new paths.
  static let comparisonLimit = 1_000_000

  private let root: FilePath
  /// Whether the root is missing, and ``next()`` has not returned `markAbsent` yet.
  private(set) var isMissing = false
  private var unwatched: [FilePath] = []
  private var trees: [FilePath] = []
  private var changes = DirectoryTreeChanges()

  /// Creates an empty set of updates for the library at `root`.
  init(root: FilePath) { self.root = root }

  /// Adds a report from the directory watch.
  mutating func add(_ report: DirectoryTreeReport) {
    switch report {
    case .rootMissing:
      self = PendingUpdates(root: root)
      isMissing = true
    case .unwatched(let directories): unwatched += directories
    case .readAgain(let tree, _): addTree(tree)
    case .changed(let later): addChanges(later)
    }
  }

  /// Removes and returns the next action, or returns `nil` if there is none.
  mutating func next() -> Step? {
    if isMissing {
      isMissing = false
      return .markAbsent
    }
    if !unwatched.isEmpty {
      defer { unwatched = [] }
      return .reportUnwatched(unwatched)
    }
    if !trees.isEmpty { return .rescan(trees.removeFirst()) }
    if changes.isEmpty { return nil }
    defer { changes = DirectoryTreeChanges() }
    return .update(changes)
  }

  private mutating func addTree(_ tree: FilePath) {
    isMissing = false
    guard !isPendingRescan(tree) else { return }
    trees.removeAll { $0.starts(with: tree) }
    trees.append(tree)
    changes.directories = changes.directories.filter { !$0.starts(with: tree) }
    if tree == root { changes.moves = [] }
  }

  private mutating func addChanges(_ later: DirectoryTreeChanges) {
    guard !isPendingRescan(root) else { return }
    let moves = later.moves.filter(\.isDirectory)
    let (comparisons, isOverflow) = changes.directories.count.multipliedReportingOverflow(by: moves.count)
    if isOverflow || comparisons > Self.comparisonLimit { return addTree(root) }
    if !moves.isEmpty {
      changes.directories = Set(changes.directories.map { Self.path(of: $0, after: moves) })
      trees = trees.map { Self.path(of: $0, after: moves) }
    }
    changes.directories.formUnion(later.directories.filter { !isPendingRescan($0) })
    changes.moves += later.moves
  }

  private func isPendingRescan(_ directory: FilePath) -> Bool { trees.contains { directory.starts(with: $0) } }

  private static func path(of directory: FilePath, after moves: [DirectoryTreeChanges.Move]) -> FilePath {
    var path = directory
    for move in moves {
      var remainder = path
      if remainder.removePrefix(move.from) { path = move.to.pushing(remainder) }
    }
    return path
  }
}
