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
