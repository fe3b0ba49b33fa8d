public import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
