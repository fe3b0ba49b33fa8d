// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import SystemPackage

/// A thread with its pending work: a value that other threads change, and from which the thread takes its jobs.
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

  /// Creates a worker that is not started yet. `name` is that of its thread, which sleeps on `clock`.
  public init(named name: String, _ pending: Pending, clock: any MonotonicClock = SystemClock()) {
    self.name = name
    self.clock = clock
    state = Mutex(State(pending: pending))
  }

  /// Starts the thread, unless it was started before or the worker is closed. The thread calls `step` at once, whenever
  /// it is woken, and at the instant, if any, that `step` returned last.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public func start(_ step: @escaping @Sendable () -> MonotonicInstant?) throws(Errno) {
    try state.withLock { state throws(Errno) in
      guard state.thread == nil, state.closing == nil else { return }
      state.thread = try WorkerThread(name: name) { [self] in run(step) }
    }
  }

  /// Starts a thread that performs, one after the other, the jobs that `next` removes from the pending work.
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

  /// Wakes the thread.
  public func wake() { signal.wake() }

  /// Whether it is closed.
  public var isClosed: Bool { state.withLock { $0.closing != nil } }

  /// Ends the thread after its present job; pending work is dropped.
  public func close() { close(.atOnce) }

  /// Ends the thread when no work is pending.
  public func closeWhenIdle() { close(.whenIdle) }

  private func close(_ closing: Closing) {
    state.withLock { if $0.closing != .atOnce { $0.closing = closing } }
    wake()
  }

  /// Waits until the thread has ended, at most until `deadline`; returns whether it has. For one waiting thread.
  public func join(until deadline: MonotonicInstant) -> Bool {
    state.withLock { $0.thread }?.join(until: deadline) ?? true
  }

  private func run(_ step: () -> MonotonicInstant?) {
    while true {
      // Read before the step, which then sees everything that was posted before closing.
      let closing = state.withLock { $0.closing }
      if closing == .atOnce { return }
      let moment = step()
      if moment == nil, closing == .whenIdle { return }
      clock.wait(for: signal, until: moment)
    }
  }
}
