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

  /// Sends it to this process. Any thread.
  public func sendToThisProcess() { kill(getpid(), number) }

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

  /// Stops the program as Ctrl-Z does, until it is told to go on; does nothing where no shell could bring it back. For
  /// the main thread, or that of a `SignalWatch`, where one watches for ``suspend``.
  public static func stopProcess() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Has the signal do to the process what it does where no program answers it. Comes back where that is nothing, as
  /// for the first process of a container.
  func endProcess() {
    signal(number, SIG_DFL)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    // To this thread, which takes it before the call is over.
    raise(number)
  }
}
