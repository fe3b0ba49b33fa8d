// SPDX-License-Identifier: GPL-3.0-or-later

/// A date as precise as its tag: a year, a year and a month, or a full date.
public struct ReleaseDate: Sendable, Hashable {
  /// The year, from 1 to 9999.
  public var year: Int
  /// The month, from 1 to 12; `nil` if unknown.
  public var month: Int?
  /// The day of the month, from 1 to 31; `nil` if unknown.
  public var day: Int?

  /// Creates a date. Returns `nil` if a number is out of range, or if there is a day without a month.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month ?? 1), (1...31).contains(day ?? 1),
      day == nil || month != nil
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }
}

extension ReleaseDate {
  /// The first day of the year, month or day that the date denotes, in days since 1970-01-01. A day beyond the end of
  /// its month is counted into the next month.
  public var firstDay: Int { Self.day(year, month ?? 1, day ?? 1) }

  /// The last day of the year, month or day that the date denotes, in days since 1970-01-01.
  public var lastDay: Int {
    if day != nil { return firstDay }
    guard let month, month < 12 else { return Self.day(year + 1, 1, 1) - 1 }
    return Self.day(year, month + 1, 1) - 1
  }

  /// Creates the date `count` days after 1970-01-01, or returns `nil` outside the years 1 to 9999.
  public init?(dayNumber count: Int) {
    guard (-719_162...2_932_896).contains(count) else { return nil }
    // If years begin in March, the leap day is the last day of the year. An era has 400 such years.
    let shifted = count + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    self.init(year: year, month: month, day: dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let marchMonth = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    return year / 400 * 146_097 + year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + dayOfYear - 719_468
  }
}
