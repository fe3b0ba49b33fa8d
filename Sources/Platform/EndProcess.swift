#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ends the program with `status`, at once: what libraries would do at the end could meet threads that still work in
/// them.
public func endProcess(status: Int32) -> Never { _exit(status) }
