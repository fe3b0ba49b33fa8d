#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The number that the C call before this left in `errno`; call it before anything else. Of this thread.
public func lastErrorNumber() -> Int32 { errno }
