/// A date as precise as its tag: a year, a year and a month, or a day.
public struct ReleaseDate: Sendable, Hashable {
  /// The year, 1 to 9999.
  public var year: Int
  /// The month, 1 to 12.
  public var month: Int?
  /// The day of the month, 1 to 31.
  public var day: Int?

  /// The date of these parts; parts out of range make it `nil`.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month ?? 1), (1...31).contains(day ?? 1),
      day == nil || month != nil
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }
}
