// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import SystemPackage

/// A thread that takes its jobs from a shared value, the pending work, which other threads change.
///
/// The type of the value decides how messages combine: an array holds all of them in order, an optional only the
/// newest, and a set merges them. Only the closures that change the value run under its lock. Every member may be
/// called from any thread. Once started, a worker lives until it is closed.
public final class Worker<Pending: Sendable>: Sendable {
  private enum Closing: Sendable {
    case whenIdle
    case atOnce
  }

  private struct State: Sendable {
    var pending: Pending
    var closing: Closing?
    var thread: WorkerThread?
  }

  private let name: String
  private let clock: any MonotonicClock
  private let state: Mutex<State>
  private let signal = ThreadSignal()

  /// Creates a worker without starting it. Its thread will have the name `name`, and sleep on `clock`.
  public init(named name: String, _ pending: Pending, clock: any MonotonicClock = SystemClock()) {
    self.name = name
    self.clock = clock
    state = Mutex(State(pending: pending))
  }

  /// Starts the thread, unless it was started before or the worker is closed. The thread calls `step` immediately,
  /// whenever it is woken, and at the instant that the last call of `step` returned, if any.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public func start(_ step: @escaping @Sendable () -> MonotonicInstant?) throws(Errno) {
    try state.withLock { state throws(Errno) in
      guard state.thread == nil, state.closing == nil else { return }
      state.thread = try WorkerThread(name: name) { [self] in run(step) }
    }
  }

  /// Starts a thread that takes jobs from the pending work with `next`, and performs them one after the other.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public func start<Job: Sendable>(
    taking next: @escaping @Sendable (inout Pending) -> Job?, _ perform: @escaping @Sendable (Job) -> Void
  ) throws(Errno) {
    try start { [self] in
      guard let job = state.withLock({ $0.closing == .atOnce ? nil : next(&$0.pending) }) else { return nil }
      perform(job)
      return clock.now
    }
  }

  /// Changes the pending work, and wakes the thread.
  public func post(_ change: (inout Pending) -> Void) {
    withPending(change)
    wake()
  }

  /// Reads or changes the pending work without waking the thread.
  public func withPending<Result: Sendable>(_ body: (inout Pending) -> Result) -> Result {
    state.withLock { body(&$0.pending) }
  }

  /// Wakes the thread, which then looks for pending work.
  public func wake() { signal.wake() }

  public var isClosed: Bool { state.withLock { $0.closing != nil } }

  /// Ends the thread after its current job; pending work is discarded.
  public func close() { close(.atOnce) }

  /// Ends the thread when no work is pending.
  public func closeWhenIdle() { close(.whenIdle) }

  private func close(_ closing: Closing) {
    state.withLock { if $0.closing != .atOnce { $0.closing = closing } }
    wake()
  }

  /// Waits until the thread has ended, at most until `deadline`; returns whether it has. Only one thread may wait.
  public func join(until deadline: MonotonicInstant) -> Bool {
    state.withLock { $0.thread }?.join(until: deadline) ?? true
  }

  private func run(_ step: () -> MonotonicInstant?) {
    while true {
      // Read before the step, which then sees everything that was posted before closing.
      let closing = state.withLock { $0.closing }
      if closing == .atOnce { return }
      let deadline = step()
      if deadline == nil, closing == .whenIdle { return }
      clock.wait(for: signal, until: deadline)
    }
  }
}

/// Runs work that could block forever if a disk does not respond. The work runs on a thread of its own, which is
/// abandoned after a timeout, and ends when the disk responds again.
public enum AbandonableWork {
  /// Lets the work report progress to the waiting thread, and check whether it was abandoned.
  public final class Progress: Sendable {
    private let reportCount = Atomic(0)
    private let abandoned = Atomic(false)

    fileprivate init() {}

    /// Reports progress of the work. Can be called from any thread.
    public func report() { reportCount.wrappingAdd(1, ordering: .relaxed) }

    /// Whether the waiting thread has abandoned the work. Can be read from any thread.
    public var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    fileprivate var count: Int { reportCount.load(ordering: .relaxed) }
    fileprivate func abandon() { abandoned.store(true, ordering: .relaxed) }
  }

  /// The maximum number of threads at a time, including abandoned ones, which last until the disk responds.
  private static let limit = 32
  private static let threadCount = Atomic(0)

  /// Runs `body` on a thread of its own, and returns its result. Returns `nil` if `body` has neither ended nor reported
  /// progress for `milliseconds`, or if too many threads are blocked already.
  ///
  /// If the system grants no thread, `body` runs on the calling thread. Can be called from any thread outside the
  /// cooperative pool.
  public static func value<Value: Sendable>(
    timeout milliseconds: UInt64, _ body: @escaping @Sendable (Progress) -> Value
  ) -> Value? {
    guard threadCount.load(ordering: .relaxed) < limit else { return nil }
    let progress = Progress()
    let result = WorkResult<Value>()
    let thread: WorkerThread
    do throws(Errno) {
      thread = try WorkerThread(name: "segue-blocking") {
        threadCount.wrappingAdd(1, ordering: .relaxed)
        result.value.withLock { [value = body(progress)] in $0 = value }
        threadCount.wrappingSubtract(1, ordering: .relaxed)
      }
    } catch {
      return body(progress)
    }
    var count: Int
    repeat {
      count = progress.count
      if thread.join(until: MonotonicInstant.now.advanced(byMilliseconds: milliseconds)) { break }
    } while progress.count != count
    progress.abandon()
    return result.value.withLock { $0 }
  }
}

private final class WorkResult<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}
