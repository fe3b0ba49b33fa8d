// SPDX-License-Identifier: GPL-3.0-or-later

import CStandard
public import SystemPackage

#if os(Linux)
  import CGlibc
#endif

/// Information about processes, given their process IDs.
public enum ProcessIdentity {
  /// The ID of this process.
  public static var own: Int32 { getpid() }

  /// The ID of the process that has started this one.
  public static var parent: Int32 { getppid() }

  /// Whether a process with this ID is running, whichever user owns it.
  public static func isRunning(_ number: Int32) -> Bool {
    number > 0 && (kill(number, 0) == 0 || errno == EPERM)
  }

  /// Whether the process with this ID is stopped, for example by Ctrl-Z; also `false` if the system does not report it.
  public static func isStopped(_ number: Int32) -> Bool { state(of: number) == "T" }

  /// Whether the process with this ID has ended, even if its parent has not collected its status.
  public static func hasEnded(_ number: Int32) -> Bool { !isRunning(number) || state(of: number) == "Z" }

  /// The time at which the process with this ID has started, in a unit of the system, which distinguishes it from later
  /// ones with the same ID; `nil` if the system does not report it.
  public static func startTime(of number: Int32) -> UInt64? {
    let fields = fields(of: number)
    return fields.count > 19 ? UInt64(fields[19]) : nil
  }

  /// The letter for the state of a process; `nil` if the system does not report it.
  private static func state(of number: Int32) -> Unicode.Scalar? { fields(of: number).first?.unicodeScalars.first }

  /// The fields of a process in proc_pid_stat(5) from the third one, its state, on; none if the system has none.
  private static func fields(of number: Int32) -> [Substring] {
    #if os(Linux)
      // The name, which may contain any character, is between the first and the last parenthesis.
      guard number > 0, let bytes = try? AtomicFile.read(FilePath("/proc/\(number)/stat"), limit: 4_096),
        let end = bytes.lastIndex(of: UInt8(ascii: ")"))
      else { return [] }
      return String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    #else
      return []
    #endif
  }
}

/// The file of the running program.
public enum ProgramFile {
  /// The path of the program, without symbolic links; `nil` if the system does not report it.
  public static var path: FilePath? {
    #if os(Linux)
      return try? FilePath("/proc/self/exe").realPath()
    #else
      var size: UInt32 = 0
      _ = unsafe _NSGetExecutablePath(nil, &size)
      var name = [CChar](repeating: 0, count: Int(size) + 1)
      guard unsafe _NSGetExecutablePath(&name, &size) == 0 else { return nil }
      return try? unsafe FilePath(platformString: name).realPath()
    #endif
  }

  /// Returns the path that another program has, or would have, in the directory of this one; `nil` if that is not
  /// known.
  public static func neighbour(_ name: FilePath.Component) -> FilePath? {
    path?.removingLastComponent().appending(name)
  }
}

/// Ends the program with `status` immediately, without running exit handlers: those of libraries could conflict with
/// threads that still use them.
///
/// If the status is 128 plus the number of ``ProcessSignal/interrupt``, `terminate` or `hangUp`, as a shell reports it,
/// the program is ended by that signal. A script or service manager can thus distinguish a requested end from a
/// failure.
public func endProcess(status: Int32) -> Never {
  if let signal = [ProcessSignal.interrupt, .terminate, .hangUp].first(where: { $0.number + 128 == status }) {
    signal.endProcess()
  }
  _exit(status)
}

/// The limit on the number of open file descriptors of this process.
public enum DescriptorLimit {
  /// Raises the limit to 65,536, or as far as the system allows without privileges, and returns the new limit.
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

/// The limit on the address space of this process.
public enum MemoryLimit {
  /// The limit in bytes, which `ulimit -v` sets; `Int.max` if there is none.
  public static var current: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
    #else
      let kind = RLIMIT_AS
    #endif
    return unsafe getrlimit(kind, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
  }
}

/// Settings of the C library's memory allocator.
public enum ProgramMemory {
  /// Makes all threads that start from now on share two memory arenas. By default, each thread has its own, most of
  /// which stays unused: half a mebibyte in all for a player. Can be called from any thread; does nothing except on
  /// Linux.
  public static func shareRegions() {
    #if os(Linux)
      CGlibc.shareRegions(2)
    #endif
  }

  /// Returns free memory to the system.
  ///
  /// Takes a few milliseconds, during which other threads may have to wait for memory. Can be called from any thread;
  /// does nothing except on Linux.
  public static func releaseUnused() {
    #if os(Linux)
      trimMemory()
    #endif
  }
}

/// Returns the `errno` of the previous C call on this thread. Call it directly after that call.
public func lastErrorNumber() -> Int32 { errno }
