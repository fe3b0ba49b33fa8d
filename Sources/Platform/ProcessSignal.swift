import Synchronization
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The signals that a program with a terminal has to answer.
public enum ProcessSignal: Sendable, CaseIterable {
  /// Ctrl-C.
  case interrupt
  /// Ctrl-\.
  case quit
  /// The request to end.
  case terminate
  /// The terminal went.
  case hangUp
  /// Ctrl-Z.
  case suspend
  /// The program goes on after it was stopped.
  case resume
  /// The window has another size.
  case windowChange

  /// The system's number.
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

  /// Has a write to a pipe that nobody reads fail instead of ending the program.
  public static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Whether whoever started the program wants it to ignore this signal, as nohup(1) does.
  ///
  /// To be asked before the program itself answers signals.
  var isIgnored: Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }

  /// Has `signals` interrupt a blocking call of the main thread, and nothing else; ``takeCaught()`` tells which came.
  ///
  /// Those that are ignored already stay so; those that whoever started the program has blocked no longer are.
  public static func catchOnMainThread(_ signals: [ProcessSignal]) {
    _ = caughtNumber.load(ordering: .relaxed)
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = { caughtNumber.store($0, ordering: .relaxed) }
    #else
      unsafe action.__sigaction_handler.sa_handler = { caughtNumber.store($0, ordering: .relaxed) }
    #endif
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals where !signal.isIgnored {
      _ = unsafe sigaction(signal.number, &action, nil)
      unsafe sigaddset(&set, signal.number)
    }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// The signal that was caught last since this was last asked.
  public static func takeCaught() -> ProcessSignal? {
    let number = caughtNumber.exchange(0, ordering: .relaxed)
    return allCases.first { $0.number == number }
  }

  /// Stops the program as Ctrl-Z does, until it is told to go on; does nothing where no shell could bring it back. For the main
  /// thread, with a `SignalWatch` for ``suspend``.
  public static func stopProcess() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}

/// The number of the signal that was caught last, 0 where none was: all that a signal handler may touch.
private let caughtNumber = Atomic<Int32>(0)

/// Receives signals on a thread of its own.
public final class SignalWatch: Sendable {
  private let thread: WorkerThread

  /// Has `receive` called with each of `signals` from now on, as long as the program runs; those that are ignored already stay
  /// so.
  ///
  /// On the main thread: all others but worker threads have to be started after it.
  ///
  /// - Throws: `Errno` where the system grants no thread.
  public init(
    _ signals: [ProcessSignal], _ receive: @escaping @Sendable (ProcessSignal) -> Void
  ) throws(Errno) {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals where !signal.isIgnored { unsafe sigaddset(&set, signal.number) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    let watched = set
    thread = try WorkerThread(name: "segue-signals") {
      var set = watched
      var number: Int32 = 0
      while unsafe sigwait(&set, &number) == 0 {
        if let signal = signals.first(where: { $0.number == number }) { receive(signal) }
      }
    }
  }
}
