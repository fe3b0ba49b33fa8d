public import Platform
public import SystemPackage
import Tagging

/// Keeps a library in step with the disk while a program runs.
///
/// It begins with a rescan; then directories in which something changed are updated. One update runs at a time: what
/// changes meanwhile is merged, and done next. Nothing runs while nothing changes, nor while the library is absent.
public final class LibraryFollower: Sendable {
  private let watch: DirectoryTreeWatch
  private let worker: Worker<PendingUpdates>

  /// Begins to follow the library at `root`, which may be absent. Returns at once: two threads of its own do all.
  ///
  /// - Parameters:
  ///   - root: the library's directory: an absolute path, which those that are told begin with.
  ///   - pace: how long changes are gathered before an update.
  ///   - updates: what is done.
  /// - Throws: `Errno` where the system grants no thread, descriptor, or instance of inotify: then the library is not
  ///   followed.
  public init(_ root: FilePath, pace: WatchPace = WatchPace(), updates: LibraryUpdates) throws(Errno) {
    let worker = Worker(named: "segue-follow", PendingUpdates(root: root))
    self.worker = worker
    watch = try DirectoryTreeWatch(root, pace: pace, passingOver: { SystemNames.contains($0) }) { report in
      worker.post { $0.add(report) }
    }
    try worker.start(taking: { $0.next() }) { step in
      updates.perform(step) { worker.isClosed || worker.withPending { $0.isMissing } }
    }
  }

  deinit { stop() }

  /// Has following end: what is still to be done is dropped, and an update that runs is cancelled. Does not wait. From
  /// any thread.
  public func stop() {
    watch.stop()
    worker.close()
  }

  /// Waits until following has ended after ``stop()``, at most until `deadline`; says whether it has. For one thread.
  package func waitUntilStopped(by deadline: MonotonicInstant) -> Bool {
    watch.waitUntilStopped(by: deadline) && worker.join(until: deadline)
  }
}

/// What a ``LibraryFollower`` has done to a library: by whoever keeps its index.
///
/// All are called on the follower's thread, one at a time, and may block. Where `isCancelled` says so, which is asked
/// often, they are to end early: the root is gone, or following ends.
public struct LibraryUpdates: Sendable {
  /// Whether an update is to end early; from any thread.
  public typealias IsCancelled = @Sendable () -> Bool

  /// Brings the index in step with directories whose entries changed, and with moves, in this order: moves first, one
  /// after the other; then each directory by itself, of which some may be gone. What is below one is to be read only
  /// where the index does not have it: that a directory moved may not be known.
  public var update: @Sendable (_ changes: DirectoryTreeChanges, _ isCancelled: IsCancelled) -> Void
  /// Brings the index in step with a directory and all below it. Once where following begins, so that nobody else has
  /// to.
  public var rescan: @Sendable (_ tree: FilePath, _ isCancelled: IsCancelled) -> Void
  /// Marks the library absent: its root is gone. ``rescan`` tells its return.
  public var markAbsent: @Sendable () -> Void
  /// Says that these directories, with all below them, cannot be followed for want of watches:
  /// `fs.inotify.max_user_watches` is too low.
  public var reportUnwatched: @Sendable (_ directories: [FilePath]) -> Void

  /// Updates by these.
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

/// What was told of a library and is still to be done: merged, so that nothing is done twice.
struct PendingUpdates {
  /// One thing to do.
  enum Step: Equatable {
    case markAbsent
    case reportUnwatched([FilePath])
    case rescan(FilePath)
    case update(DirectoryTreeChanges)
  }

  /// Beyond so many pairs of a changed directory and a later move, reading the whole tree is quicker than finding where
  /// each is.
  static let mostComparisons = 1_000_000

  private let root: FilePath
  /// Whether the root is gone, and this is still to be told.
  private(set) var isMissing = false
  private var unwatched: [FilePath] = []
  private var trees: [FilePath] = []
  private var changes = DirectoryTreeChanges()

  /// Nothing to be done to the library at `root`.
  init(root: FilePath) { self.root = root }

  /// Adds what was told.
  mutating func add(_ report: DirectoryTreeReport) {
    switch report {
    case .rootGone:
      self = PendingUpdates(root: root)
      isMissing = true
    case .unwatched(let directories): unwatched += directories
    case .readAgain(let tree, _): addTree(tree)
    case .changed(let later): addChanges(later)
    }
  }

  /// What to do next, which counts as done from now on.
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
    guard !isToBeRead(tree) else { return }
    trees.removeAll { $0.starts(with: tree) }
    trees.append(tree)
    changes.directories = changes.directories.filter { !$0.starts(with: tree) }
    if tree == root { changes.moves = [] }
  }

  private mutating func addChanges(_ later: DirectoryTreeChanges) {
    guard !isToBeRead(root) else { return }
    let moves = later.moves.filter(\.isDirectory)
    let (comparisons, isTooMany) = changes.directories.count.multipliedReportingOverflow(by: moves.count)
    if isTooMany || comparisons > Self.mostComparisons { return addTree(root) }
    if !moves.isEmpty {
      changes.directories = Set(changes.directories.map { Self.path(of: $0, after: moves) })
      trees = trees.map { Self.path(of: $0, after: moves) }
    }
    changes.directories.formUnion(later.directories.filter { !isToBeRead($0) })
    changes.moves += later.moves
  }

  private func isToBeRead(_ directory: FilePath) -> Bool { trees.contains { directory.starts(with: $0) } }

  /// Where a directory is after these moves.
  private static func path(of directory: FilePath, after moves: [DirectoryTreeChanges.Move]) -> FilePath {
    var path = directory
    for move in moves {
      var below = path
      if below.removePrefix(move.from) { path = move.to.pushing(below) }
    }
    return path
  }
}
