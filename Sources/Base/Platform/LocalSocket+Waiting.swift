import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LocalSocket {
  /// Waits until something has come through one of `sockets`, or `duration` has passed; says through which, by their
  /// indices.
  ///
  /// What has ended counts as well: then reading gives nothing. It waits whole milliseconds; where less than one is
  /// left, a tenth at most.
  public static func waitForAny(of sockets: [LocalSocket], atMost duration: Duration) -> [Int] {
    var polled = sockets.map { pollfd(fd: $0.descriptor.rawValue, events: Int16(POLLIN), revents: 0) }
    let milliseconds = Int32(clamping: Int64((max(.zero, min(duration, .seconds(3600)))) / .milliseconds(1)))
    var count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if count == 0, milliseconds == 0, duration > .zero {
      // poll(2) knows no shorter time.
      var time = timespec(tv_sec: 0, tv_nsec: Int(min(duration, .microseconds(100)) / .nanoseconds(1)))
      unsafe nanosleep(&time, nil)
      count = unsafe poll(&polled, nfds_t(polled.count), 0)
    }
    return count > 0 ? polled.indices.filter { polled[$0].revents != 0 } : []
  }
}
