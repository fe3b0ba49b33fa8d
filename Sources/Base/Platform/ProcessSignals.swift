// SPDX-License-Identifier: GPL-3.0-or-later

import Synchronization
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The signals that a terminal program has to handle.
public enum ProcessSignal: Sendable, CaseIterable {
  /// Ctrl-C.
  case interrupt
  /// Ctrl-\.
  case quit
  /// The request to terminate.
  case terminate
  /// The terminal was closed.
  case hangUp
  /// Ctrl-Z.
  case suspend
  /// The program continues after it was stopped.
  case resume
  /// The size of the window has changed.
  case windowChange

  /// The system's signal number.
  public var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .quit: SIGQUIT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .suspend: SIGTSTP
    case .resume: SIGCONT
    case .windowChange: SIGWINCH
    }
  }

  /// Sends the signal to this process. Any thread.
  public func sendToThisProcess() { kill(getpid(), number) }

  /// Makes a write to a pipe without a reader fail instead of ending the program.
  public static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Whether the parent process wants the program to ignore this signal, as nohup(1) does.
  ///
  /// Call before the program itself handles signals.
  var isIgnored: Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }

  /// Stops the program as Ctrl-Z does, until it is continued; does nothing if no shell could continue it. For the main
  /// thread, or for that of a `SignalWatch` for ``suspend``.
  public static func stopProcess() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Performs the signal's default action on the process. Returns if that is nothing, as for the first process of a
  /// container.
  func endProcess() {
    signal(number, SIG_DFL)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // To this thread, which handles it before the call returns.
    raise(number)
  }
}

/// Receives signals on a thread of its own, until it is released.
///
/// If there are several, the newest receives a signal. Signals that arrive while there is none wait for the next one:
/// they neither end the program nor get lost.
public final class SignalWatch: Sendable {
  private let receiver: SignalReceiver

  /// Calls `receive` with each of `signals` from now on; those that are ignored already stay ignored.
  ///
  /// Create it on the main thread, before all other threads but worker threads.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public init(
    _ signals: [ProcessSignal], _ receive: @escaping @Sendable (ProcessSignal) -> Void
  ) throws(Errno) {
    let receiver = SignalReceiver(signals: signals, receive: receive)
    self.receiver = receiver
    let (unwatched, waiting) = SignalPost.shared.withLock { $0.add(receiver) }
    for signal in waiting { receive(signal) }
    if !unwatched.isEmpty { try Self.watch(unwatched) }
  }

  deinit { SignalPost.shared.withLock { $0.receivers.removeAll { $0 === receiver } } }

  /// The signals that wait for the next watch. From any thread.
  public static var waitingSignals: [ProcessSignal] { SignalPost.shared.withLock { $0.waiting } }

  /// Ends the watch, and passes the signals that it `received` but did not handle to other watches.
  public consuming func handOn(_ received: () -> [ProcessSignal]) {
    SignalPost.shared.withLock { $0.receivers.removeAll { $0 === receiver } }
    for signal in received() { SignalPost.shared.withLock { $0.take(signal) }?.receive(signal) }
  }

  /// Handles these signals on a thread for as long as the program runs.
  private static func watch(_ signals: [ProcessSignal]) throws(Errno) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals where !signal.isIgnored { unsafe sigaddset(&set, signal.number) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let watched = set
    _ = try WorkerThread(name: "segue-signals") {
      var set = watched
      var number: Int32 = 0
      while unsafe sigwait(&set, &number) == 0 {
        guard let signal = signals.first(where: { $0.number == number }) else { continue }
        SignalPost.shared.withLock { $0.take(signal) }?.receive(signal)
      }
    }
  }
}

/// A receiver of signals.
private final class SignalReceiver: Sendable {
  let signals: [ProcessSignal]
  let receive: @Sendable (ProcessSignal) -> Void

  init(signals: [ProcessSignal], receive: @escaping @Sendable (ProcessSignal) -> Void) {
    self.signals = signals
    self.receive = receive
  }
}

/// The receivers of this process's signals, and the signals that wait for one.
private struct SignalPost {
  static let shared = Mutex(SignalPost())

  /// The receivers, newest last.
  var receivers: [SignalReceiver] = []
  private var watched: Set<ProcessSignal> = []
  private(set) var waiting: [ProcessSignal] = []

  /// Adds a receiver; returns those of its signals that no thread handles yet, and those that have waited for it.
  mutating func add(_ receiver: SignalReceiver) -> (unwatched: [ProcessSignal], waiting: [ProcessSignal]) {
    receivers.append(receiver)
    let unwatched = receiver.signals.filter { watched.insert($0).inserted }
    let due = waiting.filter(receiver.signals.contains)
    waiting.removeAll(where: receiver.signals.contains)
    return (unwatched, due)
  }

  /// Returns the receiver of `signal`; if there is none, the signal waits.
  mutating func take(_ signal: ProcessSignal) -> SignalReceiver? {
    let receiver = receivers.last { $0.signals.contains(signal) }
    if receiver == nil, !waiting.contains(signal) { waiting.append(signal) }
    return receiver
  }
}

/// Makes signals interrupt the blocking calls of the main thread, which then asks which one was caught.
///
/// None is lost: a signal just before a blocking call interrupts that, too.
public final class MainThreadSignals: Sendable {
  /// How long the main thread has to respond before it is interrupted again, in milliseconds.
  private static let patience: UInt64 = 20

  private let caught: CaughtSignal
  private let watch: SignalWatch

  /// Catches Ctrl-C and the requests to terminate from now on, unless they are ignored already. On the main thread.
  ///
  /// - Throws: `Errno` if the system grants no thread.
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

  /// The signal that was caught and not taken yet.
  public var caughtSignal: ProcessSignal? {
    Self.signal(caught.number.load(ordering: .sequentiallyConsistent))
  }

  /// Returns the signal that was caught since the last call, if any.
  public func takeCaught() -> ProcessSignal? {
    Self.signal(caught.number.exchange(0, ordering: .sequentiallyConsistent))
  }

  private static func signal(_ number: Int32) -> ProcessSignal? {
    ProcessSignal.allCases.first { $0.number == number }
  }

  /// Makes the signal interrupt blocking calls, and do nothing else.
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

/// The number of the signal that waits for the main thread; 0 if there is none.
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
