// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import Platform
import Synchronization
import Tagging

/// The queue of jobs for the reading threads.
final class ScanQueue: Sendable {
  /// A job for one reading thread.
  enum Job: Sendable {
    /// List the given directories.
    case list([RelativePath])
    /// Read the given files of a directory.
    case read(DirectoryVisit, ArraySlice<UnreadFile>)
  }

  /// The number of files to read above which reading comes before listing more directories. Below it, up to half of the
  /// threads list directories, so that the total is soon known, while the others read files.
  private static let pendingFileLimit = 50_000
  /// The maximum number of directories in one job.
  private static let directoriesAtOnce = 16

  private struct State {
    var directories: [RelativePath] = []
    var reads: [(visit: DirectoryVisit, files: ArraySlice<UnreadFile>)] = []
    /// Symbolic links to directories, in descending order and without duplicates, unless new ones have been added.
    var links: [RelativePath] = []
    var hasNewLinks = false
    var visited: Set<FileStatus.Identity> = []
    /// The cue sheets in the parent directory of each directory that name files in it.
    var parentSheets: [RelativePath: Set<[UInt8]>] = [:]
    var fileCount = 0
    /// The number of unfinished jobs, where each directory counts as one, and the number of directories that are not
    /// listed yet.
    var openCount = 0
    var listingCount = 0
    /// The number of threads that are listing directories.
    var listerCount = 0
    var isClosed = false
    /// The number of threads that are waiting for a job.
    var idleCount = 0
    /// Values that are no longer needed and can be freed.
    var garbage: [any Sendable] = []
  }

  private let state = Mutex(State())
  private let ready = DispatchSemaphore(value: 0)
  private let threadCount: Int
  /// The number of files listed so far.
  let seenCount = Atomic(0)
  /// The number of files read so far.
  let readCount = Atomic(0)
  /// Whether all directories have been listed.
  let isListed = Atomic(false)

  /// Creates a queue for this many threads, starting with these directories.
  init(_ directories: [RelativePath], threadCount: Int) {
    self.threadCount = threadCount
    add(directories, links: [], reads: [])
    if directories.isEmpty { close() }
  }

  /// Returns the next job, waiting for one if necessary, or `nil` when all work is done.
  func next() -> Job? {
    while true {
      let (job, isClosed, garbage) = state.withLock { state in
        let garbage = state.garbage
        state.garbage = []
        if state.isClosed { return (nil as Job?, true, garbage) }
        let job = take(&state)
        if job == nil { state.idleCount += 1 }
        return (job, false, garbage)
      }
      _ = consume garbage
      if job != nil || isClosed { return job }
      ready.wait()
    }
  }

  private func take(_ state: inout State) -> Job? {
    let prefersReading = state.listerCount >= max(1, threadCount / 2) || state.fileCount >= Self.pendingFileLimit
    if !state.directories.isEmpty, !prefersReading || state.reads.isEmpty {
      state.listerCount += 1
      let portion = state.directories.count / (2 * threadCount)
      let count = max(1, min(Self.directoriesAtOnce, portion))
      let paths = Array(state.directories.suffix(count).reversed())
      state.directories.removeLast(count)
      return .list(paths)
    }
    guard let read = state.reads.popLast() else { return nil }
    state.fileCount -= read.files.count
    return .read(read.visit, read.files)
  }

  /// Returns how many waiting threads to wake for this many new jobs, and marks them as busy.
  private func wake(_ state: inout State, for count: Int) -> Int {
    let wakeCount = min(count, state.idleCount)
    state.idleCount -= wakeCount
    return wakeCount
  }

  /// Marks a directory as visited. Returns whether it had not been visited before.
  func visit(_ directory: FileStatus.Identity) -> Bool {
    state.withLock { $0.visited.insert(directory).inserted }
  }

  /// Records that the cue sheet `name`, in the parent directory of `directory`, names files in it. The directory has
  /// not been listed yet.
  func add(sheet name: [UInt8], above directory: RelativePath) {
    _ = state.withLock { $0.parentSheets[directory, default: []].insert(SheetFile.parentPrefix + name) }
  }

  /// Returns the cue sheets in the parent directory that name files in this directory, as far as they have been read.
  /// Their names have the prefix ``SheetFile/parentPrefix``.
  func sheets(above directory: RelativePath) -> Set<[UInt8]> {
    state.withLock { $0.parentSheets.isEmpty ? [] : $0.parentSheets[directory] ?? [] }
  }

  /// Adds the contents of a directory: subdirectories, links, and files to read.
  func add(
    _ directories: [RelativePath], links: [RelativePath],
    reads: [(visit: DirectoryVisit, files: ArraySlice<UnreadFile>)]
  ) {
    let wakeCount = state.withLock { state in
      state.directories += directories.reversed()
      state.links += links
      state.hasNewLinks = state.hasNewLinks || !links.isEmpty
      state.reads += reads
      for read in reads { state.fileCount += read.files.count }
      state.openCount += directories.count + reads.count
      state.listingCount += directories.count
      return wake(&state, for: directories.count + reads.count)
    }
    for _ in 0..<wakeCount { ready.signal() }
  }

  /// Marks a job as finished. All jobs that result from it must have been added before.
  func finish(_ job: Job) {
    let (wakeCount, isDone) = state.withLock { state in
      if case .list(let paths) = job {
        state.openCount -= paths.count
        state.listingCount -= paths.count
        state.listerCount -= 1
      } else {
        state.openCount -= 1
      }
      guard state.listingCount == 0 else { return (0, false) }
      // Links come after all real directories, so that a directory that is reached both ways gets its real path.
      if let link = nextLink(&state) {
        state.directories.append(link)
        state.openCount += 1
        state.listingCount += 1
        return (wake(&state, for: 1), false)
      }
      isListed.store(true, ordering: .relaxed)
      return (0, state.openCount == 0)
    }
    for _ in 0..<wakeCount { ready.signal() }
    if isDone { close() }
  }

  private func nextLink(_ state: inout State) -> RelativePath? {
    if state.hasNewLinks {
      state.links = Set(state.links).sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
      state.hasNewLinks = false
    }
    return state.links.popLast()
  }

  /// Has the reading threads free these values, because they have less to do than the writing thread.
  func free(_ garbage: any Sendable) {
    state.withLock { $0.garbage.append(garbage) }
  }

  /// Ends all threads after their current jobs.
  func close() {
    state.withLock { $0.isClosed = true }
    for _ in 0..<threadCount { ready.signal() }
  }
}
