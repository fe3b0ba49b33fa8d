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
  ///   - perform: Performs a step. It is called on one of the watcher's threads, one step at a time, and may block.
  /// - Throws: `Errno` if the system provides no thread, descriptor or inotify instance; the library is then not
  ///   watched.
  public init(
    _ root: FilePath, delays: WatchDelays = WatchDelays(), perform: @escaping @Sendable (WatcherStep) -> Void
  ) throws(Errno) {
    let worker = Worker(named: "segue-updates", PendingUpdates(root: root))
    self.worker = worker
    watch = try DirectoryTreeWatch(root, delays: delays, ignoring: { SystemNames.contains($0) }) { report in
      worker.post { $0.add(report) }
    }
    try worker.start(taking: { $0.next() }, perform)
  }

  deinit { stop() }

  /// Stops watching the library. Pending updates are dropped. Returns without waiting for a running one. Safe to call
  /// from any thread.
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

/// A step by which the owner of an index keeps it up to date, as a ``LibraryWatcher`` requests it.
public enum WatcherStep: Sendable, Equatable {
  /// Marks the library as absent because its root is missing. When the root is back, ``rescan(_:)`` follows.
  case markAbsent
  /// Reports directories that cannot be watched, including everything below them, because
  /// `fs.inotify.max_user_watches` is too low.
  case reportUnwatched([FilePath])
  /// Updates the index with a directory and everything below it. This is also the first step, unless the root is
  /// missing, so that no other scan is needed.
  case rescan(FilePath)
  /// Updates the index with each of these directories, whose entries changed. Some of them may be missing. A
  /// subdirectory is read only if the index does not have it, like one that was moved.
  case update(Set<FilePath>)
}

/// The reported changes of a library that have not been processed yet, merged so that nothing is done twice.
struct PendingUpdates {
  /// The number of comparisons between changed directories and later moves above which reading the whole tree is faster
  /// than computing the new paths.
  static let comparisonLimit = 1_000_000

  private let root: FilePath
  /// Whether the root is missing, and ``next()`` has not returned `markAbsent` yet.
  private var isMissing = false
  private var unwatched: [FilePath] = []
  private var trees: [FilePath] = []
  private var directories: Set<FilePath> = []

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
  mutating func next() -> WatcherStep? {
    if isMissing {
      isMissing = false
      return .markAbsent
    }
    if !unwatched.isEmpty {
      defer { unwatched = [] }
      return .reportUnwatched(unwatched)
    }
    if !trees.isEmpty { return .rescan(trees.removeFirst()) }
    if directories.isEmpty { return nil }
    defer { directories = [] }
    return .update(directories)
  }

  private mutating func addTree(_ tree: FilePath) {
    isMissing = false
    guard !isPendingRescan(tree) else { return }
    trees.removeAll { $0.starts(with: tree) }
    trees.append(tree)
    directories = directories.filter { !$0.starts(with: tree) }
  }

  private mutating func addChanges(_ later: DirectoryTreeChanges) {
    guard !isPendingRescan(root) else { return }
    let moves = later.moves.filter(\.isDirectory)
    let (comparisons, isOverflow) = directories.count.multipliedReportingOverflow(by: moves.count)
    if isOverflow || comparisons > Self.comparisonLimit { return addTree(root) }
    if !moves.isEmpty {
      directories = Set(directories.map { Self.path(of: $0, after: moves) })
      trees = trees.map { Self.path(of: $0, after: moves) }
    }
    directories.formUnion(later.directories.filter { !isPendingRescan($0) })
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
