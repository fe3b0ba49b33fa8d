import SystemPackage

#if os(Linux)
  import CGlibc
#endif
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

/// Ends the program with `status`, at once: what libraries would do at the end could meet threads that still work in
/// them.
///
/// Where the status is what a shell says of a program that was ended by ``ProcessSignal/interrupt``, `terminate` or
/// `hangUp`, the program ends by that signal: who waits for it, a script or a service manager, tells an end that was
/// asked for from a failure by that.
public func endProcess(status: Int32) -> Never {
  if let signal = [ProcessSignal.interrupt, .terminate, .hangUp].first(where: { $0.number + 128 == status }) {
    signal.endProcess()
  }
  _exit(status)
}

/// How many files, sockets and the like this process may have open.
public enum DescriptorLimit {
  /// Raises the limit as far as the system allows without asking its owner, and gives it.
  public static func raised() -> Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let kind = RLIMIT_NOFILE
    #endif
    guard unsafe getrlimit(kind, &limit) == 0 else { return 256 }
    let wanted = min(limit.rlim_max, 65_536)
    if limit.rlim_cur < wanted {
      limit.rlim_cur = wanted
      _ = unsafe setrlimit(kind, &limit)
      _ = unsafe getrlimit(kind, &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }
}

/// The memory that the program itself takes.
public enum ProgramMemory {
  /// Has all threads that begin from now on share what is allocated: by default each has a region of its own, most of
  /// which stays unused, half a mebibyte of a player's in all. From any thread; does nothing where the system is no
  /// Linux.
  public static func shareRegions() {
    #if os(Linux)
      CGlibc.shareRegions(2)
    #endif
  }

  /// Gives back what was allocated and is free again.
  ///
  /// Takes some milliseconds, in which other threads may wait for memory. From any thread; does nothing where the
  /// system is no Linux.
  public static func releaseUnused() {
    #if os(Linux)
      trimMemory()
    #endif
  }
}

/// The number that the C call before this left in `errno`; call it before anything else. Of this thread.
public func lastErrorNumber() -> Int32 { errno }
