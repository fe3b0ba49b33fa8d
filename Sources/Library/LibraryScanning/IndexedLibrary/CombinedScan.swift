// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Synchronization
import SystemPackage

/// Combines the summaries and the progress of the scans of a library's directories, which run one after another.
struct CombinedScan {
  /// Receives the progress of the scan of the current directory.
  let progress: @Sendable (ScanProgress) -> Void

  private let count: Int
  private let combinedProgress: CombinedProgress
  private var sum = ScanSummary()
  private var doneCount = 0
  private var missing: [FilePath] = []
  private var error: LibraryError?
  private var absenceError: LibraryError?

  /// Creates a combined scan of `count` directories that reports its progress to `progress`.
  init(count: Int, _ progress: @escaping @Sendable (ScanProgress) -> Void) {
    self.count = count
    let combinedProgress = CombinedProgress()
    self.combinedProgress = combinedProgress
    if count == 1 {
      self.progress = progress
    } else {
      self.progress = { progress(combinedProgress.update($0)) }
    }
  }

  /// Whether no directory has been scanned yet.
  var isFirst: Bool { doneCount == 0 }

  /// Adds the summary of the scan of `root`.
  mutating func add(_ summary: ScanSummary, of root: FilePath) {
    end()
    if summary.isAbsent { missing.append(root) }
    sum.add(summary)
  }

  /// Adds the error from scanning `root`.
  mutating func add(_ error: LibraryError, of root: FilePath) {
    end()
    if error.kind == .directory {
      missing.append(root)
      absenceError = absenceError ?? error
    } else {
      self.error = self.error ?? error
    }
  }

  /// Returns the combined summary.
  ///
  /// - Throws: The error of a directory that could not be scanned. If all directories are missing, the error of one
  ///   that was never scanned.
  func summary() throws(LibraryError) -> ScanSummary {
    if let error { throw error }
    var summary = sum
    if missing.count < doneCount {
      summary.absentDirectories = missing
    } else if !missing.isEmpty {
      if let absenceError { throw absenceError }
      summary.isAbsent = true
    }
    return summary
  }

  private mutating func end() {
    doneCount += 1
    combinedProgress.end(isNextLast: doneCount + 1 >= count)
  }
}

/// The progress of the scans that have finished, and of the current one.
private final class CombinedProgress: Sendable {
  private struct State {
    var done = ScanProgress()
    var current = ScanProgress()
    var isLast = false
  }

  private let state = Mutex(State())

  /// Returns the combined progress, given the progress of the current directory. The total number of files is known
  /// only for the last directory.
  func update(_ progress: ScanProgress) -> ScanProgress {
    state.withLock { state in
      state.current = progress
      return ScanProgress(
        seenCount: state.done.seenCount + progress.seenCount,
        readCount: state.done.readCount + progress.readCount,
        totalCount: state.isLast ? progress.totalCount.map { state.done.seenCount + $0 } : nil)
    }
  }

  /// Ends the scan of the current directory.
  func end(isNextLast: Bool) {
    state.withLock { state in
      state.done.seenCount += state.current.seenCount
      state.done.readCount += state.current.readCount
      state.current = ScanProgress()
      state.isLast = isNextLast
    }
  }
}

extension ScanSummary {
  /// Returns this summary combined with `before`, the summary of a scan just before this one.
  func including(_ before: ScanSummary) -> ScanSummary {
    var sum = self
    sum.addedCount += before.addedCount
    sum.changedCount += before.changedCount
    sum.movedCount += before.movedCount
    sum.missingCount += before.missingCount
    sum.leftOutCount = max(leftOutCount, before.leftOutCount)
    sum.unchangedCount -= min(unchangedCount, before.addedCount + before.changedCount + before.movedCount)
    return sum
  }

  /// Adds the summary of another part of the library.
  mutating func add(_ other: ScanSummary) {
    addedCount += other.addedCount
    changedCount += other.changedCount
    movedCount += other.movedCount
    missingCount += other.missingCount
    unchangedCount += other.unchangedCount
    problemCount += other.problemCount
    leftOutCount += other.leftOutCount
  }
}
