#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A day of the calendar that the user lives by (Gregorian, in the time zone of the system).
public struct CalendarDay: Sendable, Hashable {
  /// The year.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int

  /// The present day. Any thread.
  public static var today: CalendarDay {
    var now = time(nil)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&now, &parts)
    return CalendarDay(
      year: Int(unsafe parts.tm_year) + 1900, month: Int(unsafe parts.tm_mon) + 1,
      day: Int(unsafe parts.tm_mday))
  }
}
