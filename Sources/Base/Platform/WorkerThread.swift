// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
import Synchronization
public import SystemPackage

#if os(Linux)
  import CGlibc
#endif

/// A thread for one job that blocks, such as reading files or writing to a device.
///
/// It receives no POSIX signals: those are for the main thread, or for a `SignalWatch`.
public final class WorkerThread: Sendable {
  private let end = JobEnd()

  /// Starts `body` on a new thread; the system uses at most 15 bytes of `name`.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public init(
    name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let job = Job(name: name) { [end] in
      if priority != .normal { priority.request() }
      body()
      end.isReached.store(true, ordering: .releasing)
      end.signal.wake()
    }
    let context = unsafe Unmanaged.passRetained(job)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // The thread inherits the mask, so that it never receives a signal, not even before it runs.
    var all = sigset_t()
    var previous = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
    let code = unsafe pthread_create(&thread, nil, { unsafe Job.run($0) }, context.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    guard code == 0 else {
      unsafe context.release()
      throw Errno(rawValue: code)
    }
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Waits until the job has ended, at most until `deadline`; returns whether it has. Only one thread may wait.
  public func join(until deadline: MonotonicInstant) -> Bool {
    while !end.isReached.load(ordering: .acquiring) {
      if !end.signal.wait(until: deadline) { return end.isReached.load(ordering: .acquiring) }
    }
    return true
  }
}

/// The end of a job: a flag, and a signal for the thread that waits for it.
private final class JobEnd: Sendable {
  let isReached = Atomic(false)
  let signal = ThreadSignal()
}

/// The name and the body of a new thread.
private final class Job: Sendable {
  private let name: String
  private let body: @Sendable () -> Void

  init(name: String, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  #if canImport(Darwin)
    static func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      let job = unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
      unsafe pthread_setname_np(job.name)
      job.body()
      return nil
    }
  #else
    static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let context = unsafe context else { return nil }
      let job = unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
      #if os(Linux)
        unsafe nameCallingThread(job.name)
      #endif
      job.body()
      return nil
    }
  #endif
}

extension WorkerThread {
  /// Runs `body` at the same time on the calling thread and on further threads named `name`: at most one thread per
  /// processor, and at most `count` in all. Returns when all have ended.
  ///
  /// If the system grants fewer threads, those do all the work, so `body` must take its jobs from a shared source.
  /// Blocks: call it on a thread outside the cooperative pool.
  public static func runTogether(name: String, atMost count: Int, _ body: @escaping @Sendable () -> Void) {
    var others: [WorkerThread] = []
    for _ in 1..<max(1, min(ProcessorCount.available, count)) {
      guard let other = try? WorkerThread(name: name, body) else { break }
      others.append(other)
    }
    body()
    for other in others { _ = other.join(until: MonotonicInstant(nanoseconds: .max)) }
  }
}

/// The processors that are available to this program.
public enum ProcessorCount {
  /// The number of processors that are online; at least 1.
  public static var available: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// The priority of a thread.
public enum ThreadPriority: Sendable, Hashable {
  case normal
  /// Higher than normal, if the system grants it; also inherited by threads that the thread starts later.
  case urgent
  /// Real-time priority, if the system grants it, for work whose delay would be audible; otherwise the same as urgent.
  case realTime

  /// The lowest real-time priority: above all ordinary programs, but below the system's own threads.
  private static let level: Int32 = 1
  /// The niceness for `urgent`, which the system may grant even if it denies real-time priority; lower is more urgent.
  private static let niceness: Int32 = -10

  /// Requests this priority for the calling thread, whatever its current one. Has no effect if the system does not
  /// grant it.
  public func request() {
    #if canImport(Darwin)
      setPolicy(self == .realTime ? SCHED_RR : SCHED_OTHER)
    #else
      // `SCHED_RESET_ON_FORK` of sched(7): threads started by this one must not be real-time, too.
      setPolicy(self == .realTime ? SCHED_RR | 0x4000_0000 : SCHED_OTHER)
      // `PRIO_PROCESS` is 0; on Linux each thread has its own niceness, and 0 means the calling thread.
      _ = setpriority(0, 0, self == .normal ? 0 : Self.niceness)
    #endif
  }

  private func setPolicy(_ policy: Int32) {
    var parameters = sched_param()
    parameters.sched_priority = self == .realTime ? Self.level : 0
    _ = unsafe pthread_setschedparam(pthread_self(), policy, &parameters)
  }
}
