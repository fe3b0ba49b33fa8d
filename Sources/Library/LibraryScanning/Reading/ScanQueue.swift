import Dispatch
import Platform
import Synchronization
import Tagging

/// What is still to be done by the threads that read.
final class ScanQueue: Sendable {
  /// Something for one thread.
  enum Job: Sendable {
    /// List directories.
    case list([RelativePath])
    /// Read a part of a directory's files.
    case read(DirectoryVisit, ArraySlice<UnreadFile>)
  }

  /// Half of the threads list directories as long as there are any, so that it is soon known how much there is, and the
  /// others read what they find; beyond this many files in hand, these come first.
  private static let filesInHand = 50_000
  /// The most directories of one job.
  private static let directoriesAtOnce = 16

  private struct State {
    var directories: [RelativePath] = []
    var reads: [(visit: DirectoryVisit, files: ArraySlice<UnreadFile>)] = []
    /// From the last path to the first, each once, unless some were added since.
    var links: [RelativePath] = []
    var hasNewLinks = false
    var visited: Set<FileStatus.Identity> = []
    /// The cue sheets above directories that name files in them.
    var sheetsAbove: [RelativePath: Set<[UInt8]>] = [:]
    var fileCount = 0
    /// Jobs that are not done, and those of them that list.
    var openCount = 0
    var listingCount = 0
    /// Threads that list.
    var listerCount = 0
    var isClosed = false
    /// Threads that wait for a job.
    var idleCount = 0
    /// What nobody needs any more.
    var remains: [any Sendable] = []
  }

  private let state = Mutex(State())
  private let ready = DispatchSemaphore(value: 0)
  private let threadCount: Int
  /// How many files were listed.
  let seenCount = Atomic(0)
  /// How many files were read.
  let readCount = Atomic(0)
  /// Whether all directories are listed.
  let isListed = Atomic(false)

  /// A queue for this many threads that begins with these directories.
  init(_ directories: [RelativePath], threadCount: Int) {
    self.threadCount = threadCount
    add(directories, links: [], reads: [])
    if directories.isEmpty { close() }
  }

  /// The next job, waiting for it; `nil` where all are done.
  func next() -> Job? {
    while true {
      let (job, isClosed, remains) = state.withLock { state in
        let remains = state.remains
        state.remains = []
        if state.isClosed { return (nil as Job?, true, remains) }
        let job = take(&state)
        if job == nil { state.idleCount += 1 }
        return (job, false, remains)
      }
      _ = consume remains
      if job != nil || isClosed { return job }
      ready.wait()
    }
  }

  private func take(_ state: inout State) -> Job? {
    let areEnough = state.listerCount >= max(1, threadCount / 2) || state.fileCount >= Self.filesInHand
    if !state.directories.isEmpty, !areEnough || state.reads.isEmpty {
      state.listerCount += 1
      let share = state.directories.count / (2 * threadCount)
      let count = max(1, min(Self.directoriesAtOnce, share))
      let paths = Array(state.directories.suffix(count).reversed())
      state.directories.removeLast(count)
      return .list(paths)
    }
    guard let read = state.reads.popLast() else { return nil }
    state.fileCount -= read.files.count
    return .read(read.visit, read.files)
  }

  /// Wakes as many of the threads that wait as there are jobs.
  private func wake(_ state: inout State, for count: Int) -> Int {
    let woken = min(count, state.idleCount)
    state.idleCount -= woken
    return woken
  }

  /// Whether nobody visited this directory before; it counts as visited then.
  func visit(_ directory: FileStatus.Identity) -> Bool {
    state.withLock { $0.visited.insert(directory).inserted }
  }

  /// Says that the cue sheet called `name` names files in a directory that lies beside it, and is not listed yet.
  func add(sheet name: [UInt8], above directory: RelativePath) {
    _ = state.withLock { $0.sheetsAbove[directory, default: []].insert(SheetFile.prefixAbove + name) }
  }

  /// The cue sheets above a directory that name files in it, as far as those were read, by the names that a
  /// ``SheetFile`` has for them.
  func sheets(above directory: RelativePath) -> Set<[UInt8]> {
    state.withLock { $0.sheetsAbove.isEmpty ? [] : $0.sheetsAbove[directory] ?? [] }
  }

  /// Adds what was found in a directory.
  func add(
    _ directories: [RelativePath], links: [RelativePath],
    reads: [(visit: DirectoryVisit, files: ArraySlice<UnreadFile>)]
  ) {
    let woken = state.withLock { state in
      state.directories += directories.reversed()
      state.links += links
      state.hasNewLinks = state.hasNewLinks || !links.isEmpty
      state.reads += reads
      for read in reads { state.fileCount += read.files.count }
      state.openCount += directories.count + reads.count
      state.listingCount += directories.count
      return wake(&state, for: directories.count + reads.count)
    }
    for _ in 0..<woken { ready.signal() }
  }

  /// Says that a job is done, after all that it leads to was added.
  func finish(_ job: Job) {
    let (woken, isDone) = state.withLock { state in
      if case .list(let paths) = job {
        state.openCount -= paths.count
        state.listingCount -= paths.count
        state.listerCount -= 1
      } else {
        state.openCount -= 1
      }
      guard state.listingCount == 0 else { return (0, false) }
      // Real directories come first, so that a directory within and a link to it give the real path.
      if let link = nextLink(&state) {
        state.directories.append(link)
        state.openCount += 1
        state.listingCount += 1
        return (wake(&state, for: 1), false)
      }
      isListed.store(true, ordering: .relaxed)
      return (0, state.openCount == 0)
    }
    for _ in 0..<woken { ready.signal() }
    if isDone { close() }
  }

  private func nextLink(_ state: inout State) -> RelativePath? {
    if state.hasNewLinks {
      state.links = Set(state.links).sorted { $1.bytes.lexicographicallyPrecedes($0.bytes) }
      state.hasNewLinks = false
    }
    return state.links.popLast()
  }

  /// Leaves it to the threads that read to free what was read, of which they do less than the one that writes.
  func free(_ remains: any Sendable) {
    state.withLock { $0.remains.append(remains) }
  }

  /// Ends the work of all threads after their present jobs.
  func close() {
    state.withLock { $0.isClosed = true }
    for _ in 0..<threadCount { ready.signal() }
  }
}
