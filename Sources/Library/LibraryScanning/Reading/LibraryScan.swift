// SPDX-License-Identifier: GPL-3.0-or-later

import GRDB
import LibraryIndex
import MusicModel
import Platform
import Synchronization
import SystemPackage
import Tagging

/// A scan of a library, from listing the first directory to writing the last row.
struct LibraryScan {
  /// The interval between progress reports, in milliseconds.
  private static let progressInterval: UInt64 = 100

  private let index: LibraryIndex
  private let plan: ScanPlan
  private let threadCount: Int
  private let progress: @Sendable (ScanProgress) -> Void

  /// Creates a scan of this plan, which writes into `index`. There are `threadCount` reading threads in addition to the
  /// calling one.
  init(
    _ plan: ScanPlan, index: LibraryIndex, threadCount: Int = ProcessorCount.available,
    progress: @escaping @Sendable (ScanProgress) -> Void
  ) {
    self.plan = plan
    self.index = index
    self.threadCount = threadCount
    self.progress = progress
  }

  /// Runs the scan and writes into `database`. Returns a summary, and whether the whole library must be scanned now.
  func run(_ database: Database) throws -> (summary: ScanSummary, needsFullScan: Bool) {
    if plan.readsUnchanged { try IndexRepair(database, library: plan.library).run() }
    let now = WallClock.now
    let rules = ScanRules(plan)
    let queue = ScanQueue(startDirectories.filter { !rules.excludes($0) }, threadCount: threadCount)
    let writer = try ScanWriter(database, plan: plan, now: now / 1_000_000_000) { queue.free($0) }
    do {
      return try run(database, writer, queue, rules, now: now)
    } catch {
      writer.rollBack()
      throw error
    }
  }

  private func run(
    _ database: Database, _ writer: ScanWriter, _ queue: ScanQueue, _ rules: ScanRules, now: Int64
  ) throws -> (summary: ScanSummary, needsFullScan: Bool) {
    try writer.resume()
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
    if !plan.isCancelled() { try ScanCleanup(database, plan: plan, writer: writer).run() }
    return (writer.summary, writer.needsFullScan)
  }

  private var startDirectories: [RelativePath] {
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
      for message in messages { try writer.handle(message) }
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

/// The plan of a scan: what to read, and how.
struct ScanPlan: Sendable {
  /// The directories to read.
  enum Scope: Sendable, Hashable {
    /// All directories.
    case everything
    /// The given directories. Their subdirectories are read as well if `recursively` is `true`; otherwise only those
    /// that are not known yet.
    case directories([RelativePath], recursively: Bool)

    /// Whether the given directory itself is in the list.
    func lists(_ path: RelativePath) -> Bool {
      if case .directories(let paths, _) = self { paths.contains(path) } else { false }
    }
  }

  /// The absolute path of the library's directory.
  let root: [UInt8]
  /// The row ID of the library.
  let library: Int64
  /// The directories to read.
  let scope: Scope
  /// Whether the index already contains tracks or problems of the library.
  let isKnown: Bool
  /// The reader for the tags of files.
  let reader: TagReader
  /// The patterns of names to skip.
  var ignoredPatterns: [String] = []
  /// Whether unchanged files are read again.
  var readsUnchanged = false
  /// Whether a marker file in the root is ignored, because the user has named the root.
  var ignoresRootMarker = false
  /// The receiver of file changes; `nil` if there is none.
  var fileChangeHandler: FileChangeReceiver.Handler?
  /// Returns whether the scan should end early.
  let isCancelled: @Sendable () -> Bool

  /// Returns the absolute path of `path`, a path within the library.
  func absolute(_ path: RelativePath) -> FilePath { FilePath(systemBytes: path.absolute(in: root)) }

  /// Reports a change to the file at `path`, if there is a receiver.
  func report(_ kind: @autoclosure () -> FileChange.Kind, _ path: @autoclosure () -> RelativePath) {
    fileChangeHandler?.handle(FileChange(kind: kind(), path: absolute(path())))
  }

  /// Whether subdirectories that are already known are read as well.
  var readsKnownDirectories: Bool {
    switch scope {
    case .everything: true
    case .directories(_, let recursively): recursively
    }
  }
}
