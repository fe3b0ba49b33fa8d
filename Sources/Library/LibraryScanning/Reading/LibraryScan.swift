import GRDB
import LibraryIndex
import MusicModel
import Platform
import Synchronization
import SystemPackage
import Tagging

/// One reading of a library, from the first directory to the last row.
struct LibraryScan {
  /// How often progress is told, in milliseconds.
  private static let progressInterval: UInt64 = 100

  private let index: LibraryIndex
  private let plan: ScanPlan
  private let threadCount: Int
  private let progress: @Sendable (ScanProgress) -> Void

  /// A reading by this plan, into `index`, on this many threads besides the calling one.
  init(
    _ plan: ScanPlan, index: LibraryIndex, threadCount: Int = ProcessorCount.available,
    progress: @escaping @Sendable (ScanProgress) -> Void
  ) {
    self.plan = plan
    self.index = index
    self.threadCount = threadCount
    self.progress = progress
  }

  /// Reads, and writes into `database`. Says what was changed, and whether everything has to be read now.
  func run(_ database: Database) throws -> (summary: ScanSummary, needsAll: Bool) {
    let now = WallClock.now
    let rules = ScanRules(plan)
    let queue = ScanQueue(beginnings.filter { !rules.leavesOut($0) }, threadCount: threadCount)
    let writer = try ScanWriter(database, plan: plan, now: now / 1_000_000_000) { queue.free($0) }
    do {
      return try run(database, writer, queue, rules, now: now)
    } catch {
      writer.abandon()
      throw error
    }
  }

  private func run(
    _ database: Database, _ writer: ScanWriter, _ queue: ScanQueue, _ rules: ScanRules, now: Int64
  ) throws -> (summary: ScanSummary, needsAll: Bool) {
    try writer.resume()
    let lastID = try Int64.fetchOne(database, sql: "SELECT max(id) FROM track") ?? 0
    let inbox = ScanInbox()
    let threads = ScanThreads(
      threadCount, plan: plan, rules: rules, index: index, queue: queue, inbox: inbox, now: now)
    do {
      try write(writer, queue, inbox)
    } catch {
      queue.close()
      while inbox.take(until: MonotonicInstant(nanoseconds: .max)) != nil {}
      throw error
    }
    if let error = threads.error { throw error }
    report(queue)
    if !plan.isCancelled() { try ScanEnd(database, plan: plan, writer: writer, lastID: lastID).run() }
    return (writer.summary, writer.needsAll)
  }

  private var beginnings: [RelativePath] {
    switch plan.scope {
    case .everything: [.root]
    case .directories(let paths, _): paths
    }
  }

  private func write(_ writer: ScanWriter, _ queue: ScanQueue, _ inbox: ScanInbox) throws {
    var nextReport = MonotonicInstant.now
    while true {
      let tick = MonotonicInstant.now.advanced(byMilliseconds: Self.progressInterval)
      guard let messages = inbox.take(until: writer.deadline.map { min($0, tick) } ?? tick) else { break }
      for message in messages { try writer.take(message) }
      try writer.writeIfDue()
      if MonotonicInstant.now >= nextReport {
        report(queue)
        nextReport = MonotonicInstant.now.advanced(byMilliseconds: Self.progressInterval)
      }
    }
    try writer.flush()
  }

  private func report(_ queue: ScanQueue) {
    let seen = queue.seenCount.load(ordering: .relaxed)
    progress(
      ScanProgress(
        seenCount: seen, readCount: queue.readCount.load(ordering: .relaxed),
        totalCount: queue.isListed.load(ordering: .relaxed) ? seen : nil))
  }
}

/// What one reading of a library is about.
struct ScanPlan: Sendable {
  /// Which directories are read.
  enum Scope: Sendable, Hashable {
    /// All.
    case everything
    /// These; of the directories in them only those that are not known, or all.
    case directories([RelativePath], recursively: Bool)

    /// Whether this directory was asked for by its name.
    func names(_ path: RelativePath) -> Bool {
      if case .directories(let paths, _) = self { paths.contains(path) } else { false }
    }
  }

  /// The directory of the library, absolute.
  let root: [UInt8]
  /// The row of the library.
  let library: Int64
  /// Which directories are read.
  let scope: Scope
  /// Whether the index holds tracks or problems of it already.
  let isKnown: Bool
  /// Reads the tags.
  let reader: TagReader
  /// The patterns of names that are left out.
  var ignoredPatterns: [String] = []
  /// Whether files are read that have not changed.
  var readsUnchanged = false
  /// From where on it is kept as arrays, too.
  var snapshot = SnapshotLimits()
  /// Who is told what becomes of files, if anybody.
  var witness: FileChangeDesk.Witness?
  /// Whether to end early.
  let isCancelled: @Sendable () -> Bool

  /// Where something is.
  func absolute(_ path: RelativePath) -> FilePath { FilePath(systemBytes: path.absolute(in: root)) }

  /// Tells what becomes of the file at `path`.
  func tell(_ kind: @autoclosure () -> FileChange.Kind, _ path: @autoclosure () -> RelativePath) {
    witness?.see(FileChange(kind: kind(), path: absolute(path())))
  }

  /// Whether the directories in a directory are read whether or not they are known.
  var readsKnownDirectories: Bool {
    switch scope {
    case .everything: true
    case .directories(_, let recursively): recursively
    }
  }
}
