#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How urgent a thread's work is.
public enum ThreadPriority: Sendable, Hashable {
  /// As that of any other.
  case normal
  /// It has to be done in time, or a listener hears it: where the system grants it, ahead of all that is not.
  case realTime

  /// The lowest priority of those in real time: ahead of every program, but behind the system's own threads.
  private static let level: Int32 = 1
  /// The nearest to it that a user may be granted without: the lower, the more urgent.
  private static let niceness: Int32 = -10

  /// Asks for real time for the calling thread; where the system grants none, for more urgency; where it grants that neither, nothing
  /// changes.
  static func askForRealTime() {
    var parameters = sched_param()
    parameters.sched_priority = level
    #if canImport(Darwin)
      if unsafe pthread_setschedparam(pthread_self(), SCHED_RR, &parameters) == 0 { return }
    #else
      // `SCHED_RESET_ON_FORK` of sched(7): what it starts, if anything, must not be urgent, too.
      let policy = SCHED_RR | 0x4000_0000
      if unsafe pthread_setschedparam(pthread_self(), policy, &parameters) == 0 { return }
      // `PRIO_PROCESS` is 0; Linux has a niceness for each thread, and 0 means the calling one.
      _ = setpriority(0, 0, niceness)
    #endif
  }
}
