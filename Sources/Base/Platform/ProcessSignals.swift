// SPDX-License-Identifier: GPL-3.0-or-later

import CProcess
import CStandard
import Synchronization
public import SystemPackage

/// The POSIX signals that a terminal program has to handle.
public enum ProcessSignal: Sendable, CaseIterable {
  /// Ctrl-C was pressed.
  case interrupt
  /// Ctrl-\ was pressed.
  case quit
  /// The program was asked to terminate.
  case terminate
  /// The terminal was closed.
  case hangUp
  /// Ctrl-Z was pressed.
  case suspend
  /// The program was resumed after it had been stopped.
  case resume
  /// The size of the terminal's window has changed.
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

  /// Sends the signal to this process. Can be called from any thread.
  public func sendToThisProcess() { kill(getpid(), number) }

  /// Ignores SIGPIPE, so that a write to a pipe without a reader fails instead of ending the program.
  public static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Makes this process end at once when it crashes, or when Ctrl-\ is pressed and no ``SignalWatch`` handles that,
  /// unless `$SWIFT_BACKTRACE` is set. Call it before any thread is started.
  public static func endAtOnceOnCrash() { ProcessEndAtOnceOnCrash() }

  /// Whether the parent process made this program ignore the signal, as nohup(1) does.
  ///
  /// Call it before the program itself handles signals.
  var isIgnored: Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }

  /// Stops the program as Ctrl-Z does, until it is resumed. Does nothing if no shell could resume it. Call it on the
  /// main thread, or on the thread of a `SignalWatch` for ``suspend``.
  public static func stopProcess() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Performs the signal's default action, which ends the process. Returns if the signal has no effect, as for the
  /// first process of a container.
  func endProcess() {
    signal(number, SIG_DFL)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // The signal goes to this thread, which handles it before the call returns.
    raise(number)
  }
}

/// Receives signals on a thread of its own until it is released.
///
/// If there are several watches, the newest receives a signal. A signal that arrives while there is no watch is held
/// for the next one: it neither ends the program nor gets lost.
public final class SignalWatch: Sendable {
  private let receiver: SignalReceiver

  /// Calls `receive` with each of `signals` that arrives from now on. Signals that are already ignored stay ignored.
  ///
  /// Create it on the main thread, before any threads other than worker threads are started.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public init(
    _ signals: [ProcessSignal], _ receive: @escaping @Sendable (ProcessSignal) -> Void
  ) throws(Errno) {
    let receiver = SignalReceiver(signals: signals, receive: receive)
    self.receiver = receiver
    let (unwatched, waiting) = SignalReceivers.shared.withLock { $0.add(receiver) }
    for signal in waiting { receive(signal) }
    if !unwatched.isEmpty { try Self.watch(unwatched) }
  }

  deinit { SignalReceivers.shared.withLock { $0.receivers.removeAll { $0 === receiver } } }

  /// The signals that are held for the next watch. Can be read from any thread.
  public static var waitingSignals: [ProcessSignal] { SignalReceivers.shared.withLock { $0.waiting } }

  /// Ends the watch. The signals that `received` returns, which were received but not handled, are passed to other
  /// watches.
  public consuming func forward(_ received: () -> [ProcessSignal]) {
    SignalReceivers.shared.withLock { $0.receivers.removeAll { $0 === receiver } }
    for signal in received() { SignalReceivers.shared.withLock { $0.route(signal) }?.receive(signal) }
  }

  /// Starts a thread that receives these signals for as long as the program runs.
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
        SignalReceivers.shared.withLock { $0.route(signal) }?.receive(signal)
      }
    }
  }
}

/// The callback of a ``SignalWatch``, and the signals that it handles.
private final class SignalReceiver: Sendable {
  let signals: [ProcessSignal]
  let receive: @Sendable (ProcessSignal) -> Void

  init(signals: [ProcessSignal], receive: @escaping @Sendable (ProcessSignal) -> Void) {
    self.signals = signals
    self.receive = receive
  }
}

/// The receivers of this process's signals, and the signals that are held for the next receiver.
private struct SignalReceivers {
  static let shared = Mutex(SignalReceivers())

  /// The receivers, newest last.
  var receivers: [SignalReceiver] = []
  private var watched: [ProcessSignal] = []
  private(set) var waiting: [ProcessSignal] = []

  /// Adds a receiver; returns those of its signals that no thread handles yet, and those that were held for it.
  mutating func add(_ receiver: SignalReceiver) -> (unwatched: [ProcessSignal], waiting: [ProcessSignal]) {
    receivers.append(receiver)
    let unwatched = receiver.signals.filter { !watched.contains($0) }
    watched += unwatched
    let due = waiting.filter(receiver.signals.contains)
    waiting.removeAll(where: receiver.signals.contains)
    return (unwatched, due)
  }

  /// Returns the newest receiver of `signal`. If there is none, holds the signal and returns `nil`.
  mutating func route(_ signal: ProcessSignal) -> SignalReceiver? {
    let receiver = receivers.last { $0.signals.contains(signal) }
    if receiver == nil, !waiting.contains(signal) { waiting.append(signal) }
    return receiver
  }
}

/// Makes signals interrupt blocking calls of the main thread, which can then check which signal was caught.
///
/// No signal is lost: one that arrives just before a blocking call interrupts that call, too.
public final class MainThreadSignals: Sendable {
  /// How long the main thread may take to respond before it is interrupted again, in milliseconds.
  private static let timeout: UInt64 = 20

  private let caught: CaughtSignal
  private let watch: SignalWatch

  /// Starts to catch Ctrl-C and requests to terminate, unless they are already ignored. Call it on the main thread.
  ///
  /// - Throws: `Errno` if the system grants no thread.
  public init() throws(Errno) {
    let caught = CaughtSignal()
    self.caught = caught
    let main = ThreadHandle.current
    Self.installEmptyHandler(for: SIGUSR1)
    watch = try SignalWatch([.interrupt, .quit, .terminate, .hangUp]) { signal in
      caught.number.store(signal.number, ordering: .sequentiallyConsistent)
      while caught.number.load(ordering: .sequentiallyConsistent) == signal.number {
        main.send(SIGUSR1)
        MonotonicInstant.now.advanced(byMilliseconds: Self.timeout).sleep()
      }
    }
  }

  /// The signal that was caught and has not been taken yet; `nil` if there is none.
  public var caughtSignal: ProcessSignal? {
    Self.signal(caught.number.load(ordering: .sequentiallyConsistent))
  }

  /// Returns the signal that was caught since the last call, or `nil` if there was none.
  public func takeCaught() -> ProcessSignal? {
    Self.signal(caught.number.exchange(0, ordering: .sequentiallyConsistent))
  }

  private static func signal(_ number: Int32) -> ProcessSignal? {
    ProcessSignal.allCases.first { $0.number == number }
  }

  /// Makes the signal `number` interrupt blocking calls, and do nothing else.
  private static func installEmptyHandler(for number: Int32) {
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

/// The number of the caught signal that the main thread has not taken yet; 0 if there is none.
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
