import Synchronization
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Has signals interrupt the blocking calls of the main thread, which then asks which one came.
///
/// None is lost: one that comes just before a call blocks interrupts it all the same.
public final class MainThreadSignals: Sendable {
  /// How long the main thread has to ask before it is interrupted again.
  private static let patience: UInt64 = 20

  private let caught: CaughtSignal
  private let watch: SignalWatch

  /// Catches Ctrl-C and the requests to end from now on, unless they are ignored already. On the main thread.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init() throws(Errno) {
    let caught = CaughtSignal()
    self.caught = caught
    let main = ThreadHandle.current
    Self.letInterruptCalls(SIGUSR1)
    watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { signal in
      caught.number.store(signal.number, ordering: .sequentiallyConsistent)
      while caught.number.load(ordering: .sequentiallyConsistent) == signal.number {
        main.send(SIGUSR1)
        MonotonicInstant.now.advanced(byMilliseconds: Self.patience).sleep()
      }
    }
  }

  /// The signal that was caught and that nobody has taken yet.
  public var caughtSignal: ProcessSignal? {
    Self.signal(caught.number.load(ordering: .sequentiallyConsistent))
  }

  /// The signal that was caught, if one was since this was last asked.
  public func takeCaught() -> ProcessSignal? {
    Self.signal(caught.number.exchange(0, ordering: .sequentiallyConsistent))
  }

  private static func signal(_ number: Int32) -> ProcessSignal? {
    ProcessSignal.allCases.first { $0.number == number }
  }

  /// Has the signal end a blocking call, and do nothing else.
  private static func letInterruptCalls(_ number: Int32) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = { _ in }
    #else
      unsafe action.__sigaction_handler.sa_handler = { _ in }
    #endif
    _ = unsafe sigaction(number, &action, nil)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}

/// The number of the signal that waits for the main thread; 0 where none does.
private final class CaughtSignal: Sendable {
  let number = Atomic<Int32>(0)
}

/// A thread to which signals can be sent.
private struct ThreadHandle: Sendable {
  private let bits: UInt

  #if canImport(Darwin)
    /// The calling thread.
    static var current: ThreadHandle { ThreadHandle(bits: unsafe UInt(bitPattern: pthread_self())) }

    func send(_ signal: Int32) {
      if let thread = unsafe pthread_t(bitPattern: bits) { unsafe pthread_kill(thread, signal) }
    }
  #else
    /// The calling thread.
    static var current: ThreadHandle { ThreadHandle(bits: pthread_self()) }

    func send(_ signal: Int32) { pthread_kill(bits, signal) }
  #endif
}
