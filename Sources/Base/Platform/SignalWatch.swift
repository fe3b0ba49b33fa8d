import Synchronization
public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Receives signals on a thread of its own, as long as it is there.
///
/// Of several, the newest receives a signal. What comes while there is none waits for the next one: the program neither
/// ends by it, nor is it lost.
public final class SignalWatch: Sendable {
  private let receiver: SignalReceiver

  /// Has `receive` called with each of `signals` from now on; those that are ignored already stay so.
  ///
  /// On the main thread: all others but worker threads have to be started after it.
  ///
  /// - Throws: `Errno` where the system grants no thread.
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

  /// The signals that wait until there is a watch for them. From any thread.
  public static var waitingSignals: [ProcessSignal] { SignalPost.shared.withLock { $0.waiting } }

  /// Ends it, and has others receive what it has `received` until then and what was answered by nothing.
  public consuming func handOn(_ received: () -> [ProcessSignal]) {
    SignalPost.shared.withLock { $0.receivers.removeAll { $0 === receiver } }
    for signal in received() { SignalPost.shared.withLock { $0.take(signal) }?.receive(signal) }
  }

  /// Hands these signals over for as long as the program runs.
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

/// Who receives signals.
private final class SignalReceiver: Sendable {
  let signals: [ProcessSignal]
  let receive: @Sendable (ProcessSignal) -> Void

  init(signals: [ProcessSignal], receive: @escaping @Sendable (ProcessSignal) -> Void) {
    self.signals = signals
    self.receive = receive
  }
}

/// Who receives the signals of this process, and those that nobody has received.
private struct SignalPost {
  static let shared = Mutex(SignalPost())

  /// The newest last.
  var receivers: [SignalReceiver] = []
  private var watched: Set<ProcessSignal> = []
  private(set) var waiting: [ProcessSignal] = []

  /// Adds a receiver; gives those of its signals that no thread watches yet, and those that have waited for it.
  mutating func add(_ receiver: SignalReceiver) -> (unwatched: [ProcessSignal], waiting: [ProcessSignal]) {
    receivers.append(receiver)
    let unwatched = receiver.signals.filter { watched.insert($0).inserted }
    let due = waiting.filter(receiver.signals.contains)
    waiting.removeAll(where: receiver.signals.contains)
    return (unwatched, due)
  }

  /// Who receives `signal`; where nobody does, it waits.
  mutating func take(_ signal: ProcessSignal) -> SignalReceiver? {
    let receiver = receivers.last { $0.signals.contains(signal) }
    if receiver == nil, !waiting.contains(signal) { waiting.append(signal) }
    return receiver
  }
}
