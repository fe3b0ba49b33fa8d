#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Processes by their numbers.
public enum ProcessIdentity {
  /// The number of this process.
  public static var own: Int32 { getpid() }

  /// Whether a process with this number runs, whoever it belongs to.
  public static func isRunning(_ number: Int32) -> Bool {
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
  }
}
