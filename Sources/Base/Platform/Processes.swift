// SPDX-License-Identifier: GPL-3.0-or-later

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

/// Information about processes by their ids.
public enum ProcessIdentity {
  /// The id of this process.
  public static var own: Int32 { getpid() }

  /// Whether a process with this id is running, whoever owns it.
  public static func isRunning(_ number: Int32) -> Bool {
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
  }

  /// Whether the process with this id is stopped, as by Ctrl-Z; `false` also if the system does not state it.
  public static func isStopped(_ number: Int32) -> Bool {
    #if os(Linux)
      // proc_pid_stat(5): the name, which may contain any character, is enclosed in the first and the last parenthesis.
      guard number > 0, let bytes = try? AtomicFile.read(FilePath("/proc/\(number)/stat"), limit: 4_096),
        let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return false }
      return bytes[end...].dropFirst(2).first == UInt8(ascii: "T")
    #else
      return false
    #endif
  }
}

/// Ends the program with `status` immediately: the exit handlers of libraries could conflict with threads that still
/// use them.
///
/// If the status is 128 plus the number of ``ProcessSignal/interrupt``, `terminate` or `hangUp`, as a shell reports it,
/// the program ends by that signal: a script or service manager that waits for it uses that to distinguish a requested
/// end from a failure.
public func endProcess(status: Int32) -> Never {
  if let signal = [ProcessSignal.interrupt, .terminate, .hangUp].first(where: { $0.number + 128 == status }) {
    signal.endProcess()
  }
  _exit(status)
}

/// The limit of open descriptors of this process.
public enum DescriptorLimit {
  /// Raises the limit as far as the system allows without privileges, and returns it.
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

/// The memory of this program.
public enum ProgramMemory {
  /// Makes all threads that start from now on share the regions from which memory is allocated. By default each has its
  /// own, most of which stays unused: half a mebibyte in all for a player. From any thread; does nothing except on
  /// Linux.
  public static func shareRegions() {
    #if os(Linux)
      CGlibc.shareRegions(2)
    #endif
  }

  /// Returns free memory to the system.
  ///
  /// Takes some milliseconds, in which other threads may wait for memory. From any thread; does nothing except on
  /// Linux.
  public static func releaseUnused() {
    #if os(Linux)
      trimMemory()
    #endif
  }
}

/// Returns the `errno` of the previous C call on this thread; call it before anything else.
public func lastErrorNumber() -> Int32 { errno }
