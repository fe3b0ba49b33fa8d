import MusicModel
import Synchronization
import SystemPackage

/// The reading of one directory of a library after the other, as one: what came of each, and how far it has come.
struct RootsScan {
  /// Told how far the reading of the next directory has come.
  let progress: @Sendable (ScanProgress) -> Void

  private let count: Int
  private let told: ToldProgress
  private var sum = ScanSummary()
  private var doneCount = 0
  private var missing: [FilePath] = []
  private var fault: LibraryError?
  private var absence: LibraryError?

  /// The reading of so many directories, of which `progress` is told.
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

  /// Whether nothing was read yet.
  var isFirst: Bool { doneCount == 0 }

  /// Adds what came of reading `root`.
  mutating func add(_ summary: ScanSummary, of root: FilePath) {
    end()
    if summary.isAbsent { missing.append(root) }
    sum.add(summary)
  }

  /// Adds why `root` was not read.
  mutating func add(_ fault: LibraryError, of root: FilePath) {
    end()
    if fault.kind == .directory {
      missing.append(root)
      absence = absence ?? fault
    } else {
      self.fault = self.fault ?? fault
    }
  }

  /// What came of all.
  ///
  /// - Throws: why one could not be read; where none is there, why one of which nothing is known is not.
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

/// What was told of the directories that were read, and of the present one.
private final class ToldProgress: Sendable {
  private struct State {
    var done = ScanProgress()
    var present = ScanProgress()
    var isLast = false
  }

  private let state = Mutex(State())

  /// The progress of all, where that of the present directory is this. How many files there will be is known in the
  /// last one.
  func take(_ progress: ScanProgress) -> ScanProgress {
    state.withLock { state in
      state.present = progress
      return ScanProgress(
        seenCount: state.done.seenCount + progress.seenCount,
        readCount: state.done.readCount + progress.readCount,
        totalCount: state.isLast ? progress.totalCount.map { state.done.seenCount + $0 } : nil)
    }
  }

  /// The present directory has come to its end.
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
  /// This summary with what was changed just before.
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

  /// Adds what was changed in another part of the library.
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
