import SystemPackage

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

  /// Whether the process with this number was stopped, as by Ctrl-Z, and does nothing until it is continued; `false`
  /// also where the system does not say.
  public static func isStopped(_ number: Int32) -> Bool {
    #if os(Linux)
      // proc_pid_stat(5): the name, which may have any sign in it, stands between the first and the last parenthesis.
      guard number > 0, let bytes = try? AtomicFile.read(FilePath("/proc/\(number)/stat"), limit: 4_096),
        let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return false }
      return bytes[end...].dropFirst(2).first == UInt8(ascii: "T")
    #else
      return false
    #endif
  }
}
