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
