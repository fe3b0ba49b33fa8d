#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
