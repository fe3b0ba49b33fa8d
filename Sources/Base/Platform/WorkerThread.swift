import Synchronization
public import SystemPackage

#if os(Linux)
  import CGlibc
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread of its own for one job that blocks: reading files, writing to a device.
///
/// It takes no signals: those are for the main thread, or for a `SignalWatch`.
public final class WorkerThread: Sendable {
  private let end = JobEnd()

  /// Starts `body` on a new thread named `name` (15 bytes at most are kept).
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(
    name: String, priority: ThreadPriority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    let job = Job(name: name) { [end] in
      if priority != .normal { priority.ask() }
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
    let code = unsafe pthread_create(&thread, nil, { unsafe Job.run($0) }, context.toOpaque())
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

  /// Waits until the job has ended, at most until `deadline`; says whether it has. For one waiting thread.
  public func join(until deadline: MonotonicInstant) -> Bool {
    while !end.isReached.load(ordering: .acquiring) {
      if !end.signal.wait(until: deadline) { return end.isReached.load(ordering: .acquiring) }
    }
    return true
  }
}

/// Tells those who wait that a job has ended.
private final class JobEnd: Sendable {
  let isReached = Atomic(false)
  let signal = ThreadSignal()
}

/// What the new thread runs.
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
      blockSignals()
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
      blockSignals()
      job.body()
      return nil
    }
  #endif
}

/// Has the calling thread take no signals.
private func blockSignals() {
  var all = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
}

extension WorkerThread {
  /// Runs `body` on the calling thread and, one a processor and `count` in all at most, on further ones named `name`;
  /// returns when it has ended on each.
  ///
  /// Where the system grants fewer threads, those that there are do it: so each has to take its share of the work by
  /// itself. Blocks: call it on any thread outside of the cooperative pool.
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

/// How many processors the machine has for this program.
public enum ProcessorCount {
  /// The number of those that are switched on; at least 1.
  public static var available: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// How urgent a thread's work is.
public enum ThreadPriority: Sendable, Hashable {
  /// As that of any other.
  case normal
  /// Ahead of what is not urgent, where the system grants it; and so are the threads that it starts from then on.
  case urgent
  /// It has to be done in time, or a listener hears it: where the system grants it, ahead of all that is not; else
  /// urgent.
  case realTime

  /// The lowest priority of those in real time: ahead of every program, but behind the system's own threads.
  private static let level: Int32 = 1
  /// The nearest to it that a user may be granted without: the lower, the more urgent.
  private static let niceness: Int32 = -10

  /// Asks for this priority for the calling thread, whatever it had; where the system does not grant it, nothing
  /// changes.
  public func ask() {
    #if canImport(Darwin)
      setPolicy(self == .realTime ? SCHED_RR : SCHED_OTHER)
    #else
      // `SCHED_RESET_ON_FORK` of sched(7): what it starts, if anything, must not be in real time, too.
      setPolicy(self == .realTime ? SCHED_RR | 0x4000_0000 : SCHED_OTHER)
      // `PRIO_PROCESS` is 0; Linux has a niceness for each thread, and 0 means the calling one.
      _ = setpriority(0, 0, self == .normal ? 0 : Self.niceness)
    #endif
  }

  private func setPolicy(_ policy: Int32) {
    var parameters = sched_param()
    parameters.sched_priority = self == .realTime ? Self.level : 0
    _ = unsafe pthread_setschedparam(pthread_self(), policy, &parameters)
  }
}
