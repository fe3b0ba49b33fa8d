import Synchronization
public import SystemPackage

/// A thread of its own, and what is pending for it: a value that other threads change, and that it takes its work from.
///
/// The value decides what becomes of several messages: an array keeps them all in order, an optional only the newest, a
/// set merges them. Of what a user hands in, only the closures that change the value run under its lock. Every member
/// may be called from any thread. A worker that is started works, and lives, until it is closed.
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

  /// A worker that is not started yet, whose thread is to have this name, and sleeps on `clock`.
  public init(named name: String, _ pending: Pending, clock: any MonotonicClock = SystemClock()) {
    self.name = name
    self.clock = clock
    state = Mutex(State(pending: pending))
  }

  /// Starts the thread, unless it was started before or the worker is closed. It calls `step` at once, whenever it is
  /// woken, and at the moment, if any, that `step` returned last.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public func start(_ step: @escaping @Sendable () -> MonotonicInstant?) throws(Errno) {
    try state.withLock { state throws(Errno) in
      guard state.thread == nil, state.closing == nil else { return }
      state.thread = try WorkerThread(name: name) { [self] in run(step) }
    }
  }

  /// The same, for a thread that performs the jobs that `next` takes out of what is pending, one after the other.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public func start<Job: Sendable>(
    taking next: @escaping @Sendable (inout Pending) -> Job?, _ perform: @escaping @Sendable (Job) -> Void
  ) throws(Errno) {
    try start { [self] in
      guard let job = state.withLock({ $0.closing == .atOnce ? nil : next(&$0.pending) }) else { return nil }
      perform(job)
      return clock.now
    }
  }

  /// Changes what is pending, and wakes the thread.
  public func post(_ change: (inout Pending) -> Void) {
    withPending(change)
    wake()
  }

  /// Reads or changes what is pending, and leaves the thread asleep.
  public func withPending<Result: Sendable>(_ body: (inout Pending) -> Result) -> Result {
    state.withLock { body(&$0.pending) }
  }

  /// Wakes the thread.
  public func wake() { signal.wake() }

  /// Whether it is closed.
  public var isClosed: Bool { state.withLock { $0.closing != nil } }

  /// Has the thread end behind what it is at; what is pending is dropped.
  public func close() { close(.atOnce) }

  /// Has the thread end when nothing is pending.
  public func closeWhenIdle() { close(.whenIdle) }

  private func close(_ closing: Closing) {
    state.withLock { if $0.closing != .atOnce { $0.closing = closing } }
    wake()
  }

  /// Waits until the thread has ended, at most until `deadline`; says whether it has. For one waiting thread.
  public func join(until deadline: MonotonicInstant) -> Bool {
    state.withLock { $0.thread }?.join(until: deadline) ?? true
  }

  private func run(_ step: () -> MonotonicInstant?) {
    while true {
      // Read before the step, which sees all that was posted before the closing.
      let closing = state.withLock { $0.closing }
      if closing == .atOnce { return }
      let moment = step()
      if moment == nil, closing == .whenIdle { return }
      clock.wait(for: signal, until: moment)
    }
  }
}
