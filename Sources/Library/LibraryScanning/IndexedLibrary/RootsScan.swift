// SPDX-License-Identifier: GPL-3.0-or-later

import MusicModel
import Synchronization
import SystemPackage

/// Combines the summaries and the progress of the scans of a library's directories, which run one after another.
struct RootsScan {
  /// Receives the progress of the scan of the current directory.
  let progress: @Sendable (ScanProgress) -> Void

  private let count: Int
  private let told: ToldProgress
  private var sum = ScanSummary()
  private var doneCount = 0
  private var missing: [FilePath] = []
  private var fault: LibraryError?
  private var absence: LibraryError?

  /// Creates a combined scan of `count` directories that reports its progress to `progress`.
  init(count: Int, _ progress: @escaping @Sendable (ScanProgress) -> Void) {
    self.count = count
    let told = ToldProgress()
    self.told = told
    if count == 1 {
      self.progress = progress
    } else {
      self.progress = { progress(told.take($0)) }
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
  mutating func add(_ fault: LibraryError, of root: FilePath) {
    end()
    if fault.kind == .directory {
      missing.append(root)
      absence = absence ?? fault
    } else {
      self.fault = self.fault ?? fault
    }
  }

  /// Returns the combined summary.
  ///
  /// - Throws: The error of a directory that could not be scanned. If all directories are missing, the error of one
  ///   that was never scanned.
  func summary() throws(LibraryError) -> ScanSummary {
    if let fault { throw fault }
    var summary = sum
    if missing.count < doneCount {
      summary.absentDirectories = missing
    } else if !missing.isEmpty {
      if let absence { throw absence }
      summary.isAbsent = true
    }
    return summary
  }

  private mutating func end() {
    doneCount += 1
    told.end(isNextLast: doneCount + 1 >= count)
  }
}

/// The progress of the scans that have finished, and of the current one.
private final class ToldProgress: Sendable {
  private struct State {
    var done = ScanProgress()
    var present = ScanProgress()
    var isLast = false
  }

  private let state = Mutex(State())

  /// Returns the combined progress, given the progress of the current directory. The total number of files is known
  /// only for the last directory.
  func take(_ progress: ScanProgress) -> ScanProgress {
    state.withLock { state in
      state.present = progress
      return ScanProgress(
        seenCount: state.done.seenCount + progress.seenCount,
        readCount: state.done.readCount + progress.readCount,
        totalCount: state.isLast ? progress.totalCount.map { state.done.seenCount + $0 } : nil)
    }
  }

  /// Ends the scan of the current directory.
  func end(isNextLast: Bool) {
    state.withLock { state in
      state.done.seenCount += state.present.seenCount
      state.done.readCount += state.present.readCount
      state.present = ScanProgress()
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
    sum.goneCount += before.goneCount
    sum.leftOutCount = max(leftOutCount, before.leftOutCount)
    sum.unchangedCount -= min(unchangedCount, before.addedCount + before.changedCount + before.movedCount)
    return sum
  }

  /// Adds the summary of another part of the library.
  mutating func add(_ other: ScanSummary) {
    addedCount += other.addedCount
    changedCount += other.changedCount
    movedCount += other.movedCount
    goneCount += other.goneCount
    unchangedCount += other.unchangedCount
    problemCount += other.problemCount
    leftOutCount += other.leftOutCount
  }
}
