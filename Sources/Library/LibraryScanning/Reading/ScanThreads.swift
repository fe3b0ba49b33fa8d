// SPDX-License-Identifier: GPL-3.0-or-later

import Dispatch
import LibraryIndex
import Platform
import Synchronization
import SystemPackage

/// The threads of a scan that list directories and read files.
final class ScanThreads: Sendable {
  private let plan: ScanPlan
  private let index: LibraryIndex
  private let queue: ScanQueue
  private let inbox: ScanInbox
  private let now: Int64
  private let rules: ScanRules
  private let failure = Mutex<(any Error)?>(nil)
  /// The number of threads that have not ended, and 1 more while threads are being started.
  private let runningCount = Atomic(1)

  /// Starts threads that take jobs from `queue` and post messages to `inbox`. The inbox is closed when the last thread
  /// ends. `start` starts one of them.
  init(
    _ count: Int, plan: ScanPlan, rules: ScanRules, index: LibraryIndex, queue: ScanQueue, inbox: ScanInbox, now: Int64,
    starting start: (_ body: @escaping @Sendable () -> Void) throws(Errno) -> Void = { body throws(Errno) in
      _ = try WorkerThread(name: "scan", body)
    }
  ) {
    self.plan = plan
    self.index = index
    self.queue = queue
    self.inbox = inbox
    self.now = now
    self.rules = rules
    var (startedCount, refusal): (Int, Errno?) = (0, nil)
    for _ in 0..<count {
      runningCount.add(1, ordering: .relaxed)
      do throws(Errno) {
        try start { self.run() }
        startedCount += 1
      } catch {
        runningCount.subtract(1, ordering: .relaxed)
        refusal = error
      }
    }
    // The threads that were started do the work of the others. It is an error only if there is none.
    if startedCount == 0, let refusal {
      fail(LibraryIndexError.unusable(index.path, "cannot start a scan thread: \(refusal)"))
    }
    end()
  }

  /// The first error on one of the threads; `nil` if there was none.
  var error: (any Error)? { failure.withLock { $0 } }

  private func run() {
    do {
      if plan.isKnown { try index.lend { try work(IndexedFiles($0, plan: plan)) } } else { try work(nil) }
    } catch {
      fail(error)
    }
    end()
  }

  private func work(_ known: IndexedFiles?) throws {
    var worker = ScanWorker(plan, rules: rules, queue: queue, inbox: inbox, known: known, now: now)
    try worker.run()
  }

  private func fail(_ error: any Error) {
    failure.withLock { $0 = $0 ?? error }
    queue.close()
  }

  private func end() {
    if runningCount.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { inbox.close() }
  }
}

/// Passes messages from the reading threads to the writing thread. Reading threads that get too far ahead are blocked.
final class ScanInbox: Sendable {
  private static let limit = 512
  /// The writing thread is woken after this many messages, or at once by a message with several files.
  private static let wakeInterval = 256

  private struct State {
    var messages: [ScanMessage] = []
    var weight = 0
    var waitingCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()
  private let space = DispatchSemaphore(value: 0)

  /// Posts a message. Blocks while the writing thread is too far behind.
  func post(_ message: ScanMessage) {
    let (isUrgent, isFull) = state.withLock { state in
      state.messages.append(message)
      state.weight += message.weight
      let isUrgent = message.weight > 1 || state.messages.count % Self.wakeInterval == 0
      guard state.weight > Self.limit else { return (isUrgent, false) }
      state.waitingCount += 1
      return (true, true)
    }
    if isUrgent { signal.wake() }
    if isFull { space.wait() }
  }

  /// Closes the inbox. No more messages may be posted.
  func close() {
    state.withLock { $0.isClosed = true }
    signal.wake()
  }

  /// Returns the messages posted since the last call. If there are none, waits for some until `deadline`. Returns `nil`
  /// if the inbox is closed and empty.
  func take(until deadline: MonotonicInstant) -> [ScanMessage]? {
    while true {
      let (messages, waitingCount, isClosed) = state.withLock { state in
        let taken = (state.messages, state.waitingCount, state.isClosed)
        state.messages = []
        state.weight = 0
        state.waitingCount = 0
        return taken
      }
      for _ in 0..<waitingCount { space.signal() }
      if !messages.isEmpty { return messages }
      if isClosed { return nil }
      if !signal.wait(until: deadline) { return [] }
    }
  }
}
