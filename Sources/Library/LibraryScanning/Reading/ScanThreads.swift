import Dispatch
import LibraryIndex
import Platform
import Synchronization
import SystemPackage

/// The threads of one scan that list directories and read files.
final class ScanThreads: Sendable {
  private let plan: ScanPlan
  private let index: LibraryIndex
  private let queue: ScanQueue
  private let inbox: ScanInbox
  private let now: Int64
  private let rules: ScanRules
  private let failure = Mutex<(any Error)?>(nil)
  private let runningCount: Atomic<Int>

  /// Threads that work on `queue` and tell `inbox`, which is closed when the last of them ends.
  init(
    _ count: Int, plan: ScanPlan, rules: ScanRules, index: LibraryIndex, queue: ScanQueue, inbox: ScanInbox, now: Int64
  ) {
    self.plan = plan
    self.index = index
    self.queue = queue
    self.inbox = inbox
    self.now = now
    self.rules = rules
    runningCount = Atomic(count)
    for _ in 0..<count {
      do throws(Errno) {
        _ = try WorkerThread(name: "scan") { self.run() }
      } catch {
        // The others do its work; without any, there is nothing but this error.
        fail(LibraryIndexError.unusable(index.path, "no thread to read with: \(error)"), onlyIfLast: true)
      }
    }
  }

  /// What went wrong on one of the threads.
  var error: (any Error)? { failure.withLock { $0 } }

  private func run() {
    do {
      if plan.isKnown { try index.lend { try work(KnownFiles($0, plan: plan)) } } else { try work(nil) }
      end()
    } catch {
      fail(error, onlyIfLast: false)
    }
  }

  private func work(_ known: KnownFiles?) throws {
    var worker = ScanWorker(plan, rules: rules, queue: queue, inbox: inbox, known: known, now: now)
    try worker.run()
  }

  private func fail(_ error: any Error, onlyIfLast: Bool) {
    let isLast = runningCount.load(ordering: .acquiring) == 1
    if isLast || !onlyIfLast {
      failure.withLock { $0 = $0 ?? error }
      queue.close()
    }
    end()
  }

  private func end() {
    if runningCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { inbox.close() }
  }
}

/// What several threads have read for the one that writes; those who are too far ahead of it wait.
final class ScanInbox: Sendable {
  private static let limit = 512
  /// How many messages that bring nothing to write are left for the writer's next look.
  private static let lull = 256

  private struct State {
    var messages: [ScanMessage] = []
    var weight = 0
    var waiting = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()
  private let space = DispatchSemaphore(value: 0)

  /// Hands a message over; blocks where the writer is behind.
  func post(_ message: ScanMessage) {
    let (isUrgent, isFull) = state.withLock { state in
      state.messages.append(message)
      state.weight += message.weight
      let isUrgent = message.weight > 1 || state.messages.count % Self.lull == 0
      guard state.weight > Self.limit else { return (isUrgent, false) }
      state.waiting += 1
      return (true, true)
    }
    if isUrgent { signal.wake() }
    if isFull { space.wait() }
  }

  /// Says that nothing will follow.
  func close() {
    state.withLock { $0.isClosed = true }
    signal.wake()
  }

  /// What was handed over since the last time, after waiting for it until `deadline`; `nil` where nothing will follow.
  func take(until deadline: MonotonicInstant) -> [ScanMessage]? {
    while true {
      let (messages, waiting, isClosed) = state.withLock { state in
        let taken = (state.messages, state.waiting, state.isClosed)
        state.messages = []
        state.weight = 0
        state.waiting = 0
        return taken
      }
      for _ in 0..<waiting { space.signal() }
      if !messages.isEmpty { return messages }
      if isClosed { return nil }
      if !signal.wait(until: deadline) { return [] }
    }
  }
}
